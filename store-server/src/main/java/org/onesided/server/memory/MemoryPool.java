package org.onesided.server.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of a table's segments, which never exceed its memory. Thread-safe.
 */
final class MemoryPool
{
    /**
     * The last part of the memory is for indexes: records that have room are of no use without. Heaps hold little that
     * is not used yet when all else is used up, so their records need no more.
     */
    private static final int INDEX_PART = 256;

    private final long limit;
    private final AtomicLong committed = new AtomicLong();

    /**
     * @param limit most bytes.
     */
    MemoryPool(final long limit)
    {
        this.limit = limit;
    }

    void take(final long length)
    {
        committed.addAndGet(length);
    }

    void give(final long length)
    {
        committed.addAndGet(-length);
    }

    long limit()
    {
        return limit;
    }

    long committed()
    {
        return committed.get();
    }

    /** What indexes may still get. */
    long left()
    {
        return limit - committed.get();
    }

    /** What heaps may still get. */
    long leftForHeaps()
    {
        return Math.max(0, left() - limit / INDEX_PART);
    }
}
