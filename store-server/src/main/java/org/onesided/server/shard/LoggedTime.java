package org.onesided.server.shard;

import java.util.function.LongSupplier;

/**
 * The time of a table with a log: that of the entry which was applied last. Only this decides whether a key has
 * expired, so the same log gives the same table whenever it is applied. Belongs to the shard's thread.
 */
public final class LoggedTime implements LongSupplier
{
    private long timeMs;

    /**
     * @return milliseconds since 1970; 0 before the first entry.
     */
    @Override
    public long getAsLong()
    {
        return timeMs;
    }

    /**
     * @param now time of an entry or snapshot; one that is less than the present time changes nothing.
     */
    public void set(final long now)
    {
        timeMs = Math.max(timeMs, now);
    }
}
