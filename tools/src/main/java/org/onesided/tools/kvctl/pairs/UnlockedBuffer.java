package org.onesided.tools.kvctl.pairs;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Buffers single bytes for an output without the lock that Java's own buffer takes for each byte; large values of
 * escaped bytes make it noticeable.
 */
final class UnlockedBuffer extends OutputStream
{
    private static final int LENGTH = 64 << 10;

    private final OutputStream output;
    private final byte[] buffer = new byte[LENGTH];
    private int length;

    UnlockedBuffer(final OutputStream output)
    {
        this.output = output;
    }

    @Override
    public void write(final int value) throws IOException
    {
        if (length == LENGTH)
        {
            drain();
        }
        buffer[length++] = (byte)value;
    }

    @Override
    public void write(final byte[] bytes, final int offset, final int count) throws IOException
    {
        for (int i = offset; i < offset + count; i++)
        {
            write(bytes[i]);
        }
    }

    @Override
    public void flush() throws IOException
    {
        drain();
        output.flush();
    }

    private void drain() throws IOException
    {
        output.write(buffer, 0, length);
        length = 0;
    }
}
