package org.onesided.tools.kvctl;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Output of commands in a shell: ends an unfinished line before the next command prints. Not thread-safe.
 */
final class LineEndOutput extends FilterOutputStream
{
    private boolean isWithinLine;

    LineEndOutput(final OutputStream output)
    {
        super(output);
    }

    @Override
    public void write(final int value) throws IOException
    {
        out.write(value);
        isWithinLine = value != '\n';
    }

    @Override
    public void write(final byte[] bytes, final int offset, final int length) throws IOException
    {
        out.write(bytes, offset, length);
        if (length > 0)
        {
            isWithinLine = bytes[offset + length - 1] != '\n';
        }
    }

    /** Ends an unfinished line. */
    void endLine() throws IOException
    {
        if (isWithinLine)
        {
            write('\n');
        }
    }
}
