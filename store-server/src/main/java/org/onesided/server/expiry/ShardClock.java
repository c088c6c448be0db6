package org.onesided.server.expiry;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A shard's time, in milliseconds since 1970. It goes on with the monotonic clock, and is slewed towards the wall clock
 * by at most 1/{@value #SLEW_PART} of what passes: a wall clock that is set by hours neither kills nor revives keys,
 * and the time never goes backwards. Within a round of the shard it stands still, so all that the round decides is
 * decided from one time. Belongs to the shard's thread.
 */
public final class ShardClock implements LongSupplier
{
    private static final long SLEW_PART = 200;
    /** The wall clock is looked at no more often. */
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier monotonicNs;
    private final LongSupplier wallMs;
    private long timeNs;
    private long readNs;
    private long lookedNs;
    /** What the wall clock was ahead of this one, and is not made up for yet. */
    private long aheadNs;
    private boolean isRead;

    /**
     * A clock that begins with the wall clock's time.
     *
     * @param monotonicNs that never goes backwards, in nanoseconds.
     * @param wallMs      milliseconds since 1970; may be set.
     */
    public ShardClock(final LongSupplier monotonicNs, final LongSupplier wallMs)
    {
        this.monotonicNs = monotonicNs;
        this.wallMs = wallMs;
        timeNs = TimeUnit.MILLISECONDS.toNanos(wallMs.getAsLong());
        readNs = monotonicNs.getAsLong();
        lookedNs = readNs;
    }

    /**
     * Begins a round: the next question reads the clocks.
     */
    public void nextRound()
    {
        isRead = false;
    }

    /**
     * @return the time of this round.
     */
    @Override
    public long getAsLong()
    {
        if (!isRead)
        {
            read();
            isRead = true;
        }
        return TimeUnit.NANOSECONDS.toMillis(timeNs);
    }

    private void read()
    {
        final long nowNs = monotonicNs.getAsLong();
        final long passedNs = nowNs - readNs;
        final long mostNs = passedNs / SLEW_PART;
        final long slewedNs = Math.max(-mostNs, Math.min(aheadNs, mostNs));
        timeNs += passedNs + slewedNs;
        aheadNs -= slewedNs;
        readNs = nowNs;
        if (nowNs - lookedNs >= LOOK_NS)
        {
            lookedNs = nowNs;
            aheadNs = TimeUnit.MILLISECONDS.toNanos(wallMs.getAsLong()) - timeNs;
        }
    }
}
