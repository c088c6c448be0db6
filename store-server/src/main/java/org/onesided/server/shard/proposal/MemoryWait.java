package org.onesided.server.shard.proposal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A bounded wait for memory that the system, an index or a heap is about to give. Records are read back faster than
 * they were written, and an index gets a heap's free memory only after all clients have confirmed that. Belongs to the
 * shard's thread.
 */
public final class MemoryWait
{
    /** How long nothing may happen that leads to memory, in nanoseconds. */
    public static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);
    /** How long there may be no memory although something happens, in nanoseconds. */
    public static final long MOST_NS = TimeUnit.MINUTES.toNanos(10);

    private final LongSupplier nanoClock;
    private boolean hasBegun;
    private long beganNs;
    private long progressNs;

    /**
     * @param nanoClock by which it is bounded, in nanoseconds.
     */
    public MemoryWait(final LongSupplier nanoClock)
    {
        this.nanoClock = nanoClock;
    }

    /** There was room. */
    public void end()
    {
        hasBegun = false;
    }

    /** There is no room yet, but it is being made: records move, or memory has come. */
    public void onProgress()
    {
        if (hasBegun)
        {
            progressNs = nanoClock.getAsLong();
        }
    }

    /**
     * There is no room: begins to wait, or goes on.
     *
     * @return whether to try again; false once there has been no progress for {@link #LONGEST_NS}, or no room for
     *         {@link #MOST_NS}.
     */
    public boolean goOn()
    {
        final long nowNs = nanoClock.getAsLong();
        if (!hasBegun)
        {
            hasBegun = true;
            beganNs = nowNs;
            progressNs = nowNs;
        }
        return nowNs - progressNs < LONGEST_NS && nowNs - beganNs < MOST_NS;
    }

    /**
     * @return how long there has been no room, in seconds; 0 if nobody waits.
     */
    public long waitedSeconds()
    {
        return hasBegun ? TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong() - beganNs) : 0;
    }
}
