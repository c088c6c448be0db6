package org.onesided.client.session;

import org.agrona.UnsafeApi;

/**
 * Copies short pieces of memory, such as keys, without the call of a general copy.
 */
public final class SmallCopy
{
    private static final int LOOP_LENGTH = 64;

    private SmallCopy()
    {
    }

    /**
     * Copies to native memory; ranges were checked.
     *
     * @param base   array that holds the bytes, or null.
     * @param offset of the first, in the array or as an address.
     * @param target address to copy to.
     * @param length in bytes.
     */
    public static void copy(final Object base, final long offset, final long target, final int length)
    {
        if (length > LOOP_LENGTH)
        {
            UnsafeApi.copyMemory(base, offset, null, target, length);
            return;
        }
        int done = 0;
        for (; done <= length - Long.BYTES; done += Long.BYTES)
        {
            UnsafeApi.putLong(target + done, UnsafeApi.getLong(base, offset + done));
        }
        for (; done < length; done++)
        {
            UnsafeApi.putByte(target + done, UnsafeApi.getByte(base, offset + done));
        }
    }
}
