package org.onesided.server.shard;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A bounded wait for memory that the system, an index or a heap is about to give. Records are read back faster than
 * they were written, and an index gets a heap's free memory only after all clients have confirmed that. Belongs to the
 * shard's thread.
 */
final class MemoryWait
{
    /** How long there may be no memory, in nanoseconds. */
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);

    private final LongSupplier nanoClock;
    private boolean hasBegun;
    private long beganNs;

    MemoryWait(final LongSupplier nanoClock)
    {
        this.nanoClock = nanoClock;
    }

    /** There was room. */
    void end()
    {
        hasBegun = false;
    }

    /**
     * There is no room: begins to wait, or goes on.
     *
     * @return whether to try again; false once there has been no room for {@link #LONGEST_NS}.
     */
    boolean goOn()
    {
        final long nowNs = nanoClock.getAsLong();
        beganNs = hasBegun ? beganNs : nowNs;
        hasBegun = true;
        return nowNs - beganNs < LONGEST_NS;
    }
}
