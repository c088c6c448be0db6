package org.onesided.server.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Watches what a member is to a partition, and counts its leases. The shard's thread writes, any thread reads.
 */
public final class ReignMeter
{
    /** What is over is forgotten so often in the length of a lease. */
    private static final int LOOKS_PER_LEASE = 4;

    private final LeaseTime time;
    private final LongSupplier clock;
    /** When each session was granted its latest lease. */
    private final Map<Long, Long> grantedNs = new HashMap<>();
    private long lookedNs;
    private volatile ReignStage stage = ReignStage.FOLLOWS;
    private volatile long waitEndNs;
    private volatile long lastGrantNs;
    private volatile int held;
    private volatile long granted;
    private volatile long proofs;

    /**
     * @param time  of the cluster.
     * @param clock of leases, in nanoseconds; thread-safe.
     */
    public ReignMeter(final LeaseTime time, final LongSupplier clock)
    {
        this.time = time;
        this.clock = clock;
    }

    /**
     * @param next stage of the reign.
     */
    public void stage(final ReignStage next)
    {
        if (next == ReignStage.FOLLOWS)
        {
            grantedNs.clear();
            held = 0;
        }
        stage = next;
    }

    /**
     * The reign begins with a wait.
     *
     * @param restNs its length in nanoseconds.
     */
    public void waits(final long restNs)
    {
        waitEndNs = clock.getAsLong() + restNs;
        stage(ReignStage.CATCHES_UP);
    }

    /**
     * A lease is granted.
     *
     * @param session that asked for it.
     */
    public void granted(final long session)
    {
        final long nowNs = clock.getAsLong();
        if (held == 0 || nowNs - lookedNs > time.leaseNs() / LOOKS_PER_LEASE)
        {
            lookedNs = nowNs;
            grantedNs.values().removeIf((since) -> nowNs - since >= time.waitNs());
        }
        grantedNs.put(session, nowNs);
        lastGrantNs = nowNs;
        held = grantedNs.size();
        granted++;
    }

    /** An entry was logged for leases alone. */
    public void proved()
    {
        proofs++;
    }

    /**
     * @return how it stands. Safe to ask from any thread.
     */
    public ReignMetrics metrics()
    {
        final ReignStage now = stage;
        final long nowNs = clock.getAsLong();
        final int holders = held;
        final long ownNs = holders == 0 ? 0 : Math.max(0, lastGrantNs + time.waitNs() - nowNs);
        final long restNs = switch (now)
        {
            case CATCHES_UP, WAITS -> Math.max(0, waitEndNs - nowNs);
            case HANDS_OVER -> ownNs;
            case FOLLOWS, SERVES -> 0;
        };
        return new ReignMetrics(now, restNs, ownNs == 0 ? 0 : holders, granted, proofs);
    }
}
