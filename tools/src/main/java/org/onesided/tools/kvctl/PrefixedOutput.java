package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Output with the same prefix on every line. Not thread-safe.
 */
final class PrefixedOutput extends FilterOutputStream
{
    private byte[] prefix = {};
    private boolean isWithinLine;

    PrefixedOutput(final OutputStream output)
    {
        super(output);
    }

    /** Changes the prefix. */
    void prefix(final String words)
    {
        prefix = words.getBytes(UTF_8);
    }

    @Override
    public void write(final int value) throws IOException
    {
        write(new byte[]{(byte)value}, 0, 1);
    }

    @Override
    public void write(final byte[] bytes, final int offset, final int length) throws IOException
    {
        int begin = offset;
        for (int i = offset; i < offset + length; i++)
        {
            if (!isWithinLine)
            {
                out.write(bytes, begin, i - begin);
                out.write(prefix);
                begin = i;
            }
            isWithinLine = bytes[i] != '\n';
        }
        out.write(bytes, begin, offset + length - begin);
    }
}
