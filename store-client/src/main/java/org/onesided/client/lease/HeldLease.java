package org.onesided.client.lease;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * A client's lease of the memory of one leader: for how long the client may believe what it READs there. All its
 * sessions that READ this memory share it, and one of them at a time asks for the next one. By the rules of
 * docs/cluster-model.md, it counts from the sending of the request, not from the arrival of the grant, and a result
 * counts only if the lease was held when the READ was posted, and is held again after its completion. Thread-safe.
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

    private static final long MIN_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    /**
     * A session's request keeps others from asking for such a part of a lease: it may rest, and not look at the answer
     * soon. Behind that, the next session may ask; or all, where no lease is held any more, since the leader may be
     * dead, and each session has to find that out.
     */
    private static final int TURNS_PER_LEASE = 8;
    /** Without a lease, others wait no longer than this: that session may have given up, or rest. */
    private static final long LONGEST_TURN_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A request for a lease. Its grant is taken by nothing else. */
    public static final class Request
    {
        private final long sentNs;

        private Request(final long sentNs)
        {
            this.sentNs = sentNs;
        }
    }

    /** A lease of one term. The number names it with its renewals. */
    private record Held(long number, long term, long expiryNs)
    {
    }

    private final long life;
    private final long leaseNs;
    private final LongSupplier clock;
    /** What was granted last, in one piece, since other sessions look at it meanwhile; null before. */
    private volatile Held held;
    /** The request of the session whose turn it is, or was; null if any may ask. */
    private final AtomicReference<Request> turn = new AtomicReference<>();

    /**
     * @param life    of the server, which names the memory: nothing that another one grants counts.
     * @param leaseNs length of a lease in nanoseconds, as the cluster says.
     * @param clock   that goes on while the machine is suspended, in nanoseconds.
     */
    public HeldLease(final long life, final long leaseNs, final LongSupplier clock)
    {
        if (leaseNs < 1)
        {
            throw new IllegalArgumentException("a lease must last at least a nanosecond: leaseNs=" + leaseNs);
        }
        this.life = life;
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
     * @return life of the server whose memory may be believed.
     */
    public long life()
    {
        return life;
    }

    /**
     * @return length of a lease in nanoseconds.
     */
    public long leaseNs()
    {
        return leaseNs;
    }

    /**
     * @return the time by the clock that leases count by, in nanoseconds.
     */
    public long nowNs()
    {
        return clock.getAsLong();
    }

    /**
     * To be called right before a request for a lease is sent: the lease counts from here.
     *
     * @return the request; null if another session has just asked, so that this one need not.
     */
    public Request tryAsk()
    {
        final Request before = turn.get();
        if (before != null && !isOver(before))
        {
            return null;
        }
        final Request request = new Request(clock.getAsLong());
        final boolean isForAll = before != null && begin() == NONE;
        return isForAll || turn.compareAndSet(before, request) ? request : null;
    }

    /**
     * @return whether {@link #tryAsk} gives a request, unless another session is faster.
     */
    public boolean mayAsk()
    {
        final Request before = turn.get();
        return before == null || isOver(before);
    }

    private boolean isOver(final Request ofTurn)
    {
        final long turnNs = leaseNs / TURNS_PER_LEASE;
        return clock.getAsLong() - ofTurn.sentNs >= (begin() == NONE ? Math.min(turnNs, LONGEST_TURN_NS) : turnNs);
    }

    /**
     * No grant comes for a request, so that others may ask.
     *
     * @param request that was refused, or was lost with its queue pair.
     */
    public void onRefused(final Request request)
    {
        turn.compareAndSet(request, null);
    }

    /**
     * A grant has come.
     *
     * @param request that it answers.
     * @param ofLife  life of the server that grants.
     * @param ofTerm  term in which it leads.
     * @return whether it counts: it is for this memory, and of no older term than the last one.
     */
    public synchronized boolean onGrant(final Request request, final long ofLife, final long ofTerm)
    {
        final Held last = held;
        final boolean counts = ofLife == life && ofTerm >= 1 && (last == null || ofTerm >= last.term);
        if (counts)
        {
            final long expiryNs = request.sentNs + leaseNs;
            if (last == null || ofTerm > last.term)
            {
                held = new Held(last == null ? NONE + 1 : last.number + 1, ofTerm, expiryNs);
            }
            else if (expiryNs - last.expiryNs > 0)
            {
                held = new Held(last.number, ofTerm, expiryNs);
            }
        }
        // The session whose turn it is may see its answer much later.
        turn.set(null);
        return counts;
    }

    /**
     * To be called before the first READ of a lookup is posted.
     *
     * @return names the lease that is held, for {@link #isStillHeld}; {@link #NONE} if none is.
     */
    public long begin()
    {
        final Held now = held;
        return now != null && clock.getAsLong() - now.expiryNs < 0 ? now.number : NONE;
    }

    /**
     * As {@link #begin()}, with a time that was read before. Not for {@link #isStillHeld}: a lease that is granted
     * between the two would count.
     *
     * @param nowNs {@link #nowNs} of a moment ago: a lease that ended since is found out behind the lookup.
     * @return names the lease; {@link #NONE} if none was held.
     */
    public long begin(final long nowNs)
    {
        final Held now = held;
        return now != null && nowNs - now.expiryNs < 0 ? now.number : NONE;
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
     * @param nowNs {@link #nowNs} of a moment ago.
     * @return nanoseconds from then until the lease ends, 0 or less without one. To renew it in time, a request is sent
     *         well before.
     */
    public long restNs(final long nowNs)
    {
        final Held now = held;
        return now == null ? 0 : now.expiryNs - nowNs;
    }
}
