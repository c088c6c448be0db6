package org.onesided.tools.load.run;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A key in a map: one of a session's own, set anew for each lookup, or a copy that stays. Not thread-safe before it
 * stays.
 */
final class MapKey
{
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private DirectBuffer bytes;
    private int length;
    private int hash;

    /** Makes this the key that begins a buffer. */
    MapKey set(final DirectBuffer buffer, final int keyLength)
    {
        bytes = buffer;
        length = keyLength;
        long mixed = keyLength;
        int at = 0;
        for (; at + Long.BYTES <= keyLength; at += Long.BYTES)
        {
            mixed = (mixed ^ buffer.getLong(at)) * FACTOR;
            mixed ^= mixed >>> 32;
        }
        for (; at < keyLength; at++)
        {
            mixed = (mixed ^ buffer.getByte(at)) * FACTOR;
            mixed ^= mixed >>> 32;
        }
        hash = (int)mixed;
        return this;
    }

    MapKey copy()
    {
        final byte[] copied = new byte[length];
        bytes.getBytes(0, copied);
        return new MapKey().set(new UnsafeBuffer(copied), length);
    }

    @Override
    public int hashCode()
    {
        return hash;
    }

    @Override
    public boolean equals(final Object other)
    {
        if (!(other instanceof MapKey) || ((MapKey)other).length != length)
        {
            return false;
        }
        final DirectBuffer others = ((MapKey)other).bytes;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES)
        {
            if (bytes.getLong(at) != others.getLong(at))
            {
                return false;
            }
        }
        for (; at < length; at++)
        {
            if (bytes.getByte(at) != others.getByte(at))
            {
                return false;
            }
        }
        return true;
    }
}
