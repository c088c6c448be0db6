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
