package org.onesided.server.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of a table's segments, which never exceed its memory. Thread-safe.
 */
final class MemoryPool
{
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

    long limit()
    {
        return limit;
    }

    long committed()
    {
        return committed.get();
    }

    long left()
    {
        return limit - committed.get();
    }
}
