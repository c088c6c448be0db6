package org.onesided.server.table;

import java.util.function.LongSupplier;

/**
 * What a shard's table knows of time.
 *
 * @param now          the time in milliseconds since 1970, never less than before. All that a table decides about
 *                     expiry depends on this alone.
 * @param defaultTtlMs for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
 */
public record TableTime(LongSupplier now, long defaultTtlMs)
{
    /** Time stands still, and keys stay. */
    public static final TableTime NONE = new TableTime(() -> 0, 0);
}
