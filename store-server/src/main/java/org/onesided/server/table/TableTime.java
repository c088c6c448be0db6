package org.onesided.server.table;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What a shard's table knows of time.
 *
 * @param now          the time in milliseconds since 1970, never less than before. All that a table decides about
 *                     expiry depends on this alone.
 * @param defaultTtlMs for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
 */
public record TableTime(LongSupplier now, LongSupplier defaultTtlMs)
{
    /** Time stands still, and keys stay. */
    public static final TableTime NONE = new TableTime(() -> 0, 0);

    /**
     * @param ttlNs time to live in nanoseconds.
     * @return the same in milliseconds, rounded up.
     */
    public static long ttlMs(final long ttlNs)
    {
        return TimeUnit.NANOSECONDS.toMillis(ttlNs + TimeUnit.MILLISECONDS.toNanos(1) - 1);
    }

    /**
     * The default time to live never changes.
     *
     * @param now          as above.
     * @param defaultTtlMs as above.
     */
    public TableTime(final LongSupplier now, final long defaultTtlMs)
    {
        this(now, () -> defaultTtlMs);
    }
}
