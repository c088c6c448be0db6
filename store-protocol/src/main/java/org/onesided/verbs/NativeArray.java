package org.onesided.verbs;

import org.agrona.UnsafeApi;

/**
 * Zeroed native memory of this process, aligned to a cache line. Not thread-safe.
 */
public final class NativeArray implements AutoCloseable
{
    private static final int ALIGNMENT = 64;

    private final long allocation;
    private final MemoryRange range;
    private boolean open = true;

    /**
     * @param length in bytes.
     */
    public NativeArray(final long length)
    {
        allocation = UnsafeApi.allocateMemory(length + ALIGNMENT);
        range = new MemoryRange((allocation + ALIGNMENT - 1) & -ALIGNMENT, length);
        UnsafeApi.setMemory(null, range.address(), length, (byte)0);
    }

    /**
     * @return where it is; not to be used after {@link #close}.
     */
    public MemoryRange range()
    {
        return range;
    }

    /**
     * Frees the memory.
     */
    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            UnsafeApi.freeMemory(allocation);
        }
    }
}
