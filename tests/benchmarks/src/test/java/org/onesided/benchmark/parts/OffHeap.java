package org.onesided.benchmark.parts;

import java.util.Random;
import org.agrona.UnsafeApi;

/**
 * Native memory full of random bytes, the same in each run.
 */
public final class OffHeap implements AutoCloseable
{
    private static final int PAGE = 4096;

    private final long allocated;
    private final long address;

    /**
     * @param length in bytes.
     */
    public OffHeap(final long length)
    {
        allocated = UnsafeApi.allocateMemory(length + PAGE + Long.BYTES);
        address = (allocated + PAGE - 1) & -PAGE;
        final Random random = new Random(length);
        for (long at = 0; at < length; at += Long.BYTES)
        {
            UnsafeApi.putLong(address + at, random.nextLong());
        }
    }

    /**
     * @return where it begins, aligned to 4096 bytes.
     */
    public long address()
    {
        return address;
    }

    @Override
    public void close()
    {
        UnsafeApi.freeMemory(allocated);
    }
}
