package org.onesided.server.shard.reign;

import java.util.List;
import java.util.function.LongSupplier;
import org.agrona.collections.Long2ObjectHashMap;
import org.onesided.server.cluster.LeaderLeases;
import org.onesided.server.cluster.LeaseGrant;
import org.onesided.server.cluster.ReignMeter;
import org.onesided.server.cluster.ReignMetrics;
import org.onesided.server.cluster.ReignStage;

/**
 * Whether a shard may serve clients, and the leases that it grants them. The only member of a log always may, and
 * grants none. Belongs to the shard's thread.
 */
public final class ShardLeases
{
    /** Hears that a session's lease is granted. */
    public interface Asker
    {
        /**
         * @param requestId of the request.
         * @param region    that the client may believe.
         * @param term      in which this member leads.
         * @return whether it waits for that one; if not, it may wait for a later one.
         */
        boolean tryGrant(long requestId, long region, long term);

        /** There are no leases to be had for now. */
        void refuse();
    }

    /** Why queue pairs end when this member stops to serve. */
    public static final String NOT_SERVING = "this server does not lead the shard any more";
    /** Where the log has little room, it gets this many proofs in the length of a lease. A client asks twice in it. */
    private static final int SPARSE_PROOFS = 4;

    /** Null if there are no other members. */
    private final LeaderLeases leases;
    /** Who waits for a lease, by session. */
    private final Long2ObjectHashMap<Asker> askers = new Long2ObjectHashMap<>();
    private final LongSupplier clock;
    /** Null if there are no other members. */
    private final ReignMeter meter;
    private final long sparseNs;
    private long proposedNs;
    private boolean isReady;
    /** RELEASE is logged in this term. */
    private boolean isReleased;
    private boolean isServing;

    /**
     * @param replication of the shard; null if its log has no other members.
     */
    public ShardLeases(final Replication replication)
    {
        leases = replication == null ? null :
            new LeaderLeases(replication.time(), replication.region(), replication.clock(), this::grant);
        isServing = replication == null;
        clock = replication == null ? null : replication.clock();
        meter = replication == null ? null : new ReignMeter(replication.time(), replication.clock());
        sparseNs = replication == null ? 0 : replication.time().leaseNs() / SPARSE_PROOFS;
    }

    private void grant(final LeaseGrant grant)
    {
        final Asker asker = askers.get(grant.client());
        if (asker != null && asker.tryGrant(grant.requestId(), grant.life(), grant.term()))
        {
            askers.remove(grant.client());
            meter.granted(grant.client());
        }
    }

    /**
     * @return what this member is to the partition; null if there are no other members. Safe to ask from any thread.
     */
    public ReignMetrics metrics()
    {
        return meter == null ? null : meter.metrics();
    }

    /**
     * This member is about to lead.
     *
     * @param term       in which it leads.
     * @param isReleased whether no lease of another leader can be held any more, so that it need not wait.
     */
    void onLeading(final long term, final boolean isReleased)
    {
        this.isReleased = false;
        leases.onLeading(term, isReleased);
        meter.waits(leases.restNs());
    }

    /** All that the log had is applied. */
    void onReady()
    {
        isReady = true;
        if (meter != null)
        {
            meter.stage(ReignStage.WAITS);
        }
    }

    /** This member does not lead: whoever waits for a lease loses the queue pair. */
    void onFollowing()
    {
        leases.onDeposed();
        meter.stage(ReignStage.FOLLOWS);
        askers.clear();
        isReady = false;
        isServing = false;
    }

    /** Grants no more leases in this term; whether RELEASE may be logged now. */
    boolean tryRelease()
    {
        if (isServing)
        {
            meter.stage(ReignStage.HANDS_OVER);
        }
        return isServing && leases.tryRelease();
    }

    /** RELEASE is logged: this member serves no more in this term. Whoever waits for a lease loses the queue pair. */
    void onReleased()
    {
        askers.clear();
        isReleased = true;
        isReady = false;
        isServing = false;
    }

    /** Begins to serve if the wait is over; whether it has begun just now. */
    boolean tryServe()
    {
        final boolean begins = !isServing && isReady && !isReleased && leases.mayAnswer();
        if (begins)
        {
            isServing = true;
            meter.stage(ReignStage.SERVES);
        }
        return begins;
    }

    /**
     * @return whether this member answers requests.
     */
    public boolean isServing()
    {
        return isServing;
    }

    /**
     * @return nanoseconds until this member may serve; {@link Long#MAX_VALUE} if that is not a matter of time.
     */
    public long restNs()
    {
        return isServing || !isReady || isReleased ? Long.MAX_VALUE : leases.restNs();
    }

    /**
     * A client asks for a lease. The session's latest request counts.
     *
     * @param session   of the client.
     * @param requestId of the request.
     * @param asker     hears of the lease.
     * @return whether the asker hears of it; if not, there are no leases to be had here.
     */
    public boolean request(final long session, final long requestId, final Asker asker)
    {
        final boolean isTaken = leases != null && isServing && leases.request(session, requestId);
        if (isTaken)
        {
            askers.put(session, asker);
        }
        return isTaken;
    }

    /**
     * The asker hears of nothing any more.
     *
     * @param session of the client.
     * @param asker   that has asked.
     */
    public void forget(final long session, final Asker asker)
    {
        askers.remove(session, asker);
    }

    /**
     * @return whether an entry is wanted, as a proof.
     */
    public boolean needsProof()
    {
        return leases != null && isServing && leases.needsProof();
    }

    /**
     * @return nanoseconds until the next proof where the log has little room; {@link Long#MAX_VALUE} if none is wanted.
     */
    public long sparseProofNs()
    {
        return needsProof() ? Math.max(0, proposedNs + sparseNs - clock.getAsLong()) : Long.MAX_VALUE;
    }

    /** The log takes no proofs: whoever waits for one is told at once. */
    public void refuseAll()
    {
        if (!askers.isEmpty())
        {
            leases.withdraw();
            final List<Asker> waiting = List.copyOf(askers.values());
            askers.clear();
            waiting.forEach(Asker::refuse);
        }
    }

    /**
     * Entries were proposed.
     *
     * @param count  how many.
     * @param isBare whether there is nothing in them.
     */
    public void onProposed(final int count, final boolean isBare)
    {
        if (isBare && count > 0 && needsProof())
        {
            meter.proved();
        }
        if (leases != null && count > 0)
        {
            proposedNs = clock.getAsLong();
        }
        for (int i = 0; leases != null && i < count; i++)
        {
            leases.onProposed(isServing);
        }
    }

    /** An entry of this member's is applied. */
    void onApplied(final long term)
    {
        if (leases != null)
        {
            leases.onApplied(term);
        }
    }
}
