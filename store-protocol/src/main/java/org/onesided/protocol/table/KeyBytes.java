package org.onesided.protocol.table;

import org.agrona.UnsafeApi;

/**
 * Compares keys in raw memory.
 */
public final class KeyBytes
{
    private KeyBytes()
    {
    }

    /**
     * @param left   address of one key.
     * @param right  address of the other.
     * @param length of both, in bytes.
     * @return whether their bytes are equal.
     */
    public static boolean equal(final long left, final long right, final int length)
    {
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES)
        {
            if (UnsafeApi.getLong(left + i) != UnsafeApi.getLong(right + i))
            {
                return false;
            }
        }
        for (; i < length; i++)
        {
            if (UnsafeApi.getByte(left + i) != UnsafeApi.getByte(right + i))
            {
                return false;
            }
        }
        return true;
    }
}
