package org.onesided.server.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of a table's segments, which never exceed its memory, and those that the system does not take back
 * of removed ones; or the bytes of a shard's segments, which never exceed its share. Thread-safe.
 */
final class MemoryPool
{
    /**
     * The last part of the memory is for indexes: records that have room are of no use without. Heaps hold little that
     * is not used yet when all else is used up, so their records need no more.
     */
    private static final int INDEX_PART = 256;

    private final long limit;
    private final AtomicLong taken = new AtomicLong();
    /** Bytes of no segment that the system does not take back. */
    private volatile long kept;

    /**
     * @param limit most bytes.
     */
    MemoryPool(final long limit)
    {
        this.limit = limit;
    }

    void take(final long length)
    {
        taken.addAndGet(length);
    }

    void give(final long length)
    {
        taken.addAndGet(-length);
    }

    /** How many bytes of no segment the system does not take back. */
    void kept(final long bytes)
    {
        kept = bytes;
    }

    long limit()
    {
        return limit;
    }

    long committed()
    {
        return taken.get() + kept;
    }

    /** What indexes may still get. */
    long left()
    {
        return Math.max(0, limit - committed());
    }

    /** What heaps may still get. */
    long leftForHeaps()
    {
        return Math.max(0, left() - limit / INDEX_PART);
    }
}
