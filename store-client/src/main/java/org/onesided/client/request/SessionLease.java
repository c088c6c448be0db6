package org.onesided.client.request;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.Counters;
import org.onesided.client.session.ReadLease;
import org.onesided.waiting.Pause;

/**
 * Asks the leader of a session's shard for leases, over one attachment, for all of the client's sessions that READ the
 * same memory. One of them asks for the next lease in time, without waiting for the answer; only a lookup that finds no
 * lease waits. One request of the session is under way at a time. A leader that gives no answer for
 * {@link HeldLease#patienceNs} costs the attachment, so that the session looks for the leader again. Not thread-safe,
 * apart from what is shared.
 */
final class SessionLease implements ReadLease, LeaseRequest.Listener
{
    /** Time between two looks at what another session has asked for. */
    private static final long LOOK_NS = 1_000_000;

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
    private final BooleanSupplier isSettled = this::isHeld;
    /** The request that is under way, or null. */
    private HeldLease.Request request;
    /** Whether a lease is asked for, or is to be when the shard has answered the requests before. */
    private boolean isWaiting;
    /** Since when, by the clock of leases. */
    private long waitsSinceNs;

    /**
     * @param held     of the memory that the session is attached to, shared with other sessions.
     * @param slots    of the session.
     * @param shard    whose leader grants them.
     * @param counters of the session.
     */
    SessionLease(
        final HeldLease held,
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
        renewNs = held.leaseNs() / 2;
        patienceNs = HeldLease.patienceNs(held.leaseNs());
        rpc.lease().listen(this);
    }

    private boolean isAsked()
    {
        return request != null;
    }

    private boolean isHeld()
    {
        return held.begin() != HeldLease.NONE;
    }

    private boolean isOverdue()
    {
        return isWaiting && held.nowNs() - waitsSinceNs > patienceNs;
    }

    private boolean isAnswered()
    {
        return !isAsked() || isHeld() || isOverdue();
    }

    private boolean isFree()
    {
        return !slots.hasAbandoned(shard) || isOverdue();
    }

    @Override
    public long begin()
    {
        // Once for both questions: reading the clock is a part of a lookup's time that can be felt.
        final long nowNs = held.nowNs();
        final long lease = held.begin(nowNs);
        if (lease == HeldLease.NONE)
        {
            try
            {
                return await();
            }
            finally
            {
                counters.add(Counters.LEASE_WAIT_NS, held.nowNs() - nowNs);
            }
        }
        if (!isAsked())
        {
            // A lookup that gave up while it waited has left it so.
            isWaiting = false;
            if (held.restNs(nowNs) < renewNs && rpc.hasRoom(shard))
            {
                tryAsk();
            }
        }
        return lease;
    }

    private long await()
    {
        for (int attempts = 0; true; attempts++)
        {
            // In this order: a grant lets others ask when the lease is held.
            if (!isAsked() && held.mayAsk() && !isHeld())
            {
                askInTime();
            }
            loop.awaitUntil(isAnswered);
            final long lease = held.begin();
            if (lease != HeldLease.NONE)
            {
                isWaiting = isAsked();
                return lease;
            }
            failIf(isAsked() && isOverdue());
            // Refused, or the answer took as long as a lease, or another session asks.
            loop.checkDeadline();
            if (held.mayAsk())
            {
                Pause.after(attempts);
            }
            else
            {
                Pause.until(System.nanoTime() + LOOK_NS, LOOK_NS, isSettled);
            }
        }
    }

    private void askInTime()
    {
        if (!isWaiting)
        {
            beginWaiting();
        }
        loop.awaitUntil(isFree);
        failIf(slots.hasAbandoned(shard));
        rpc.makeRoom(shard);
        tryAsk();
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

    /** Asks, unless another session has just done so. */
    private void tryAsk()
    {
        request = held.tryAsk();
        if (request != null)
        {
            // The lookup that began to wait may be over for long.
            beginWaiting();
            // The answer needs a receive.
            rpc.releaseAnswer();
            rpc.lease().ask(shard);
            counters.increment(Counters.LEASE_REQUESTS);
        }
        else
        {
            isWaiting = false;
        }
    }

    private HeldLease.Request answered()
    {
        final HeldLease.Request answered = request;
        request = null;
        isWaiting = false;
        return answered;
    }

    @Override
    public void onGranted(final long life, final long term)
    {
        held.onGrant(answered(), life, term);
    }

    @Override
    public void onRefused()
    {
        held.onRefused(answered());
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
