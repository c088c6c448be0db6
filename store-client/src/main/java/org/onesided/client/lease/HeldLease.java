package org.onesided.client.lease;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A client's lease of one server: for how long it may believe what it READs in the memory of the shards that the server
 * leads. By the rules of docs/cluster-model.md, it counts from the sending of the request, not from the arrival of the
 * grant, and a result counts only if the lease was held when the READ was posted, and is held again after its
 * completion. Belongs to the session's thread.
 *
 * <pre>
 *   final long lease = held.begin();          // before the READ is posted
 *   ...                                       // the READ completes
 *   if (lease == NONE || !held.isStillHeld(lease))
 *   {
 *       ...                                   // ask for a lease, and start the lookup again
 *   }
 * </pre>
 */
public final class HeldLease
{
    /** What {@link #begin} returns without a lease. */
    public static final long NONE = 0;

    /** Requests that may be on their way at a time; older ones are given up. */
    private static final int MAX_REQUESTS = 8;
    private static final long MIN_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final long leaseNs;
    private final LongSupplier clock;
    /** When the request was sent whose id has this place. */
    private final long[] sentNs = new long[MAX_REQUESTS];
    /** Ids of the requests, 0 where none waits for a grant. */
    private final long[] ids = new long[MAX_REQUESTS];
    private long lastId;
    private long life;
    private long term;
    private long expiryNs;
    private boolean isHeld;
    /** Names the lease with its renewals: another one for another life or term. */
    private long number = NONE;

    /**
     * @param leaseNs length of a lease in nanoseconds, as the cluster says.
     * @param clock   that goes on while the machine is suspended, in nanoseconds.
     */
    public HeldLease(final long leaseNs, final LongSupplier clock)
    {
        if (leaseNs < 1)
        {
            throw new IllegalArgumentException("a lease must last at least a nanosecond: leaseNs=" + leaseNs);
        }
        this.leaseNs = leaseNs;
        this.clock = clock;
    }

    /**
     * For how long a leader may owe an answer. After that it may be stopped or cut off, and its leases are over, so
     * that another one may lead.
     *
     * @param leaseNs length of a lease in nanoseconds.
     * @return nanoseconds: a lease, but a second at least, since a leader may be busy.
     */
    public static long patienceNs(final long leaseNs)
    {
        return Math.max(MIN_PATIENCE_NS, leaseNs);
    }

    /**
     * @return the time by the clock that leases count by, in nanoseconds.
     */
    public long nowNs()
    {
        return clock.getAsLong();
    }

    /**
     * The client has attached to a server: what another one, or another life of the same one, has granted or will grant
     * counts no more.
     *
     * @param ofLife life of the server.
     */
    public void attach(final long ofLife)
    {
        life = ofLife;
        term = 0;
        isHeld = false;
        Arrays.fill(ids, 0);
    }

    /**
     * To be called right before a request for a lease is sent.
     *
     * @return id of the request.
     */
    public long beforeRequest()
    {
        lastId++;
        final int place = place(lastId);
        ids[place] = lastId;
        sentNs[place] = clock.getAsLong();
        return lastId;
    }

    private static int place(final long id)
    {
        return (int)(id & MAX_REQUESTS - 1);
    }

    /**
     * A grant has come.
     *
     * @param requestId of the request that it answers.
     * @param ofLife    life of the server that grants.
     * @param ofTerm    term in which it leads.
     * @return whether it counts: it is of the life that the client is attached to, of no older term than the last one,
     *         and of a request that was sent and not answered.
     */
    public boolean onGrant(final long requestId, final long ofLife, final long ofTerm)
    {
        final int place = place(requestId);
        if (requestId < 1 || ids[place] != requestId || ofLife != life || ofTerm < 1 || ofTerm < term)
        {
            return false;
        }
        ids[place] = 0;
        final long newExpiryNs = sentNs[place] + leaseNs;
        if (ofTerm > term)
        {
            term = ofTerm;
            number++;
            expiryNs = newExpiryNs;
            isHeld = true;
        }
        else if (newExpiryNs - expiryNs > 0)
        {
            expiryNs = newExpiryNs;
        }
        return true;
    }

    /**
     * To be called before the first READ of a lookup is posted.
     *
     * @return names the lease that is held, for {@link #isStillHeld}; {@link #NONE} if none is.
     */
    public long begin()
    {
        return isHeld && clock.getAsLong() - expiryNs < 0 ? number : NONE;
    }

    /**
     * To be called after the last completion of a lookup was polled.
     *
     * @param lease what {@link #begin} returned.
     * @return whether that lease, or a renewal of it, is held, so that the result counts.
     */
    public boolean isStillHeld(final long lease)
    {
        return lease != NONE && lease == begin();
    }

    /**
     * @return nanoseconds until the lease ends, 0 or less without one. To renew it in time, a request is sent well
     *         before.
     */
    public long restNs()
    {
        return isHeld ? expiryNs - clock.getAsLong() : 0;
    }
}
