package org.onesided.server.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.onesided.server.table.GrowthPlan;

/**
 * Counts the bytes of a table's segments, which never exceed its memory, and knows whether the system refuses more.
 * Thread-safe.
 */
final class MemoryPool
{
    private final long limit;
    private final AtomicLong committed = new AtomicLong();
    private volatile boolean isRefused;

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

    /** In whole pages. */
    long left()
    {
        return GrowthPlan.pageFloor(limit - committed.get());
    }

    boolean isRefused()
    {
        return isRefused;
    }

    void refused(final boolean now)
    {
        isRefused = now;
    }
}
