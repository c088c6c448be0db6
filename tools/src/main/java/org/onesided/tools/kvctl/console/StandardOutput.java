package org.onesided.tools.kvctl.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Standard output, whose failures end the command: with a message, or quietly if it is a pipe whose reader has gone.
 */
public final class StandardOutput extends OutputStream
{
    private final OutputStream output;

    /**
     * Wraps the standard output.
     *
     * @param output of the process or the shell.
     */
    public StandardOutput(final OutputStream output)
    {
        this.output = output;
    }

    @Override
    public void write(final int value) throws IOException
    {
        write(new byte[]{(byte)value}, 0, 1);
    }

    @Override
    public void write(final byte[] bytes, final int offset, final int length) throws IOException
    {
        try
        {
            output.write(bytes, offset, length);
        }
        catch (final IOException e)
        {
            if (isPipe())
            {
                throw new ReaderGoneException(e);
            }
            throw new CommandException(
                ExitCode.FAILED, "cannot write to standard output: " + FileMessages.reason(e), e);
        }
    }

    /** Writing to a pipe fails only without a reader; the text of the error depends on the locale. */
    private static boolean isPipe()
    {
        try
        {
            final String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            return false;
        }
    }

    /** The reader is gone, as with {@code kvctl export | head}, so the command can stop. */
    public static final class ReaderGoneException extends IOException
    {
        private static final long serialVersionUID = 1L;

        ReaderGoneException(final IOException cause)
        {
            super(cause);
        }
    }
}
