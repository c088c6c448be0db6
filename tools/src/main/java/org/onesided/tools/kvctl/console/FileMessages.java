package org.onesided.tools.kvctl.console;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Explains why a file could not be used; the messages of some exceptions are only a path.
 */
public final class FileMessages
{
    private FileMessages()
    {
    }

    /**
     * Ends a command that cannot read.
     *
     * @param what could not be read.
     * @param e    exception of the file operation.
     * @return the failure of the command.
     */
    public static CommandException cannotRead(final Object what, final IOException e)
    {
        return new CommandException(ExitCode.FAILED, "cannot read " + what + ": " + reason(e), e);
    }

    /**
     * Ends a command that cannot write.
     *
     * @param what could not be written.
     * @param e    exception of the file operation.
     * @return the failure of the command.
     */
    public static CommandException cannotWrite(final Object what, final IOException e)
    {
        return new CommandException(ExitCode.FAILED, "cannot write " + what + ": " + reason(e), e);
    }

    /**
     * Explains why a file could not be used.
     *
     * @param e exception of the file operation.
     * @return the reason, without the name of the file.
     */
    public static String reason(final IOException e)
    {
        if (e instanceof NoSuchFileException)
        {
            return "no such file or directory";
        }
        if (e instanceof AccessDeniedException)
        {
            return "permission denied";
        }
        if (e instanceof NotDirectoryException)
        {
            return "not a directory";
        }
        if (e instanceof FileAlreadyExistsException)
        {
            return "it exists already";
        }
        if (e instanceof FileSystemLoopException)
        {
            return "its links form a loop";
        }
        if (e instanceof FileSystemException && ((FileSystemException)e).getReason() != null)
        {
            return ((FileSystemException)e).getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
