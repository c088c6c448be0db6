package org.onesided.client.request;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.Counters;
import org.onesided.client.session.ReadLease;
import org.onesided.waiting.Pause;

/**
 * Asks the leader of a session's shard for leases, over one attachment. It asks for the next one in time, without
 * waiting for the answer; only a lookup that finds no lease waits. One request is under way at a time. A leader that
 * gives no answer for {@link HeldLease#patienceNs} costs the attachment, so that the session looks for the leader
 * again. Not thread-safe.
 */
final class SessionLease implements ReadLease, Rpc.LeaseListener
{
    private final HeldLease held;
    private final RequestSlots slots;
    private final int shard;
    private final Rpc rpc;
    private final CompletionLoop loop;
    private final Counters counters;
    /** The next lease is asked for when no more than this is left, in nanoseconds. */
    private final long renewNs;
    private final long patienceNs;
    private final BooleanSupplier isAnswered = this::isAnswered;
    private final BooleanSupplier isFree = this::isFree;
    /** The request that is under way, or 0. */
    private long requestId;
    /** Whether a lease is asked for, or is to be when the shard has answered the requests before. */
    private boolean isWaiting;
    /** Since when, by the clock of leases. */
    private long waitsSinceNs;

    /**
     * @param held     of the attachment.
     * @param leaseNs  length of a lease in nanoseconds.
     * @param slots    of the session.
     * @param shard    whose leader grants them.
     * @param counters of the session.
     */
    SessionLease(
        final HeldLease held,
        final long leaseNs,
        final RequestSlots slots,
        final int shard,
        final Rpc rpc,
        final CompletionLoop loop,
        final Counters counters)
    {
        this.held = held;
        this.slots = slots;
        this.shard = shard;
        this.rpc = rpc;
        this.loop = loop;
        this.counters = counters;
        renewNs = leaseNs / 2;
        patienceNs = HeldLease.patienceNs(leaseNs);
        rpc.onLeases(this);
    }

    private boolean isAsked()
    {
        return requestId != 0;
    }

    private boolean isOverdue()
    {
        return isWaiting && held.nowNs() - waitsSinceNs > patienceNs;
    }

    private boolean isAnswered()
    {
        return !isAsked() || isOverdue();
    }

    private boolean isFree()
    {
        return !slots.hasAbandoned(shard) || isOverdue();
    }

    @Override
    public long begin()
    {
        final long lease = held.begin();
        if (lease == HeldLease.NONE)
        {
            final long sinceNs = held.nowNs();
            try
            {
                return await();
            }
            finally
            {
                counters.add(Counters.LEASE_WAIT_NS, held.nowNs() - sinceNs);
            }
        }
        if (!isAsked() && held.restNs() < renewNs && rpc.hasRoom(shard))
        {
            ask();
        }
        return lease;
    }

    private long await()
    {
        for (int attempts = 0; true; attempts++)
        {
            if (!isAsked())
            {
                if (!isWaiting)
                {
                    beginWaiting();
                }
                loop.awaitUntil(isFree);
                failIf(slots.hasAbandoned(shard));
                rpc.makeRoom(shard);
                ask();
            }
            loop.awaitUntil(isAnswered);
            failIf(isAsked());
            final long lease = held.begin();
            if (lease != HeldLease.NONE)
            {
                return lease;
            }
            // Refused, or the answer took as long as a lease.
            loop.checkDeadline();
            Pause.after(attempts);
        }
    }

    /** The leader has taken too long, if it still owes an answer. */
    private void failIf(final boolean owesAnswer)
    {
        if (owesAnswer)
        {
            throw loop.lost("leader does not answer requests: milliseconds=" +
                TimeUnit.NANOSECONDS.toMillis(held.nowNs() - waitsSinceNs));
        }
    }

    private void beginWaiting()
    {
        isWaiting = true;
        waitsSinceNs = held.nowNs();
    }

    private void ask()
    {
        // The lookup that began to wait may be over for long.
        beginWaiting();
        requestId = held.beforeRequest();
        rpc.askLease(shard);
        counters.increment(Counters.LEASE_REQUESTS);
    }

    private void answered()
    {
        requestId = 0;
        isWaiting = false;
    }

    @Override
    public void onGranted(final long life, final long term)
    {
        final long answered = requestId;
        answered();
        held.onGrant(answered, life, term);
    }

    @Override
    public void onRefused()
    {
        answered();
    }

    @Override
    public boolean isStillHeld(final long lease)
    {
        final boolean isHeld = held.isStillHeld(lease);
        if (!isHeld)
        {
            counters.increment(Counters.LEASE_RESTARTS);
        }
        return isHeld;
    }
}
