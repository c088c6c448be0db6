package org.onesided.server.shard.proposal;

import java.util.function.LongSupplier;
import org.onesided.server.table.TableTime;

/**
 * The time of a table with a log, that of the entry which was applied last, and the time to live that the log names.
 * Only these decide whether a key has expired, so the same log gives the same table whenever it is applied. Belongs to
 * the shard's thread.
 */
public final class LoggedTime implements LongSupplier
{
    private long timeMs;
    private long defaultTtlMs;

    /**
     * @return milliseconds since 1970; 0 before the first entry.
     */
    @Override
    public long getAsLong()
    {
        return timeMs;
    }

    /**
     * @return for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
     */
    public long defaultTtlMs()
    {
        return defaultTtlMs;
    }

    /**
     * Takes over what the log says of keys whose puts say nothing about their time.
     *
     * @param ttlMs for how long such a key stays, in milliseconds; 0 for ever.
     */
    public void defaultTtlMs(final long ttlMs)
    {
        defaultTtlMs = ttlMs;
    }

    /**
     * @return the time of a table whose shard has this one.
     */
    public TableTime ofTable()
    {
        return new TableTime(this, this::defaultTtlMs);
    }

    /**
     * @param now time of an entry or snapshot; one that is less than the present time changes nothing.
     */
    public void set(final long now)
    {
        timeMs = Math.max(timeMs, now);
    }
}
