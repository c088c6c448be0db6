package org.onesided.client;

import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;

/**
 * Copies of keys and values for operations that outlive the call. They leave the buffers as they are.
 */
final class Copies
{
    private Copies()
    {
    }

    static byte[] of(final ByteBuffer buffer)
    {
        final byte[] copy = new byte[buffer.remaining()];
        buffer.get(buffer.position(), copy);
        return copy;
    }

    static byte[] of(final DirectBuffer buffer, final int offset, final int length)
    {
        buffer.boundsCheck(offset, length);
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        return copy;
    }

    static byte[] of(final Bytes<?> bytes)
    {
        final byte[] copy = new byte[Math.toIntExact(bytes.readRemaining())];
        final long position = bytes.readPosition();
        for (int i = 0; i < copy.length; i++)
        {
            copy[i] = bytes.readByte(position + i);
        }
        return copy;
    }
}
