package org.onesided.client.request;

import java.util.function.BooleanSupplier;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.ReadLease;
import org.onesided.waiting.Pause;

/**
 * Asks the leader of a session's shard for leases, over one attachment. It asks for the next one in time, without
 * waiting for the answer; only a lookup that finds no lease waits. One request is under way at a time. Not thread-safe.
 */
final class SessionLease implements ReadLease, Rpc.LeaseListener
{
    private final HeldLease held;
    private final int shard;
    private final Rpc rpc;
    private final CompletionLoop loop;
    /** The next lease is asked for when no more than this is left, in nanoseconds. */
    private final long renewNs;
    private final BooleanSupplier isAnswered = () -> !isAsked();
    /** The request that is under way, or 0. */
    private long requestId;

    /**
     * @param held    of the attachment.
     * @param leaseNs length of a lease in nanoseconds.
     * @param shard   whose leader grants them.
     */
    SessionLease(
        final HeldLease held, final long leaseNs, final int shard, final Rpc rpc, final CompletionLoop loop)
    {
        this.held = held;
        this.shard = shard;
        this.rpc = rpc;
        this.loop = loop;
        renewNs = leaseNs / 2;
        rpc.onLeases(this);
    }

    private boolean isAsked()
    {
        return requestId != 0;
    }

    @Override
    public long begin()
    {
        final long lease = held.begin();
        if (lease == HeldLease.NONE)
        {
            return await();
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
                rpc.makeRoom(shard);
                ask();
            }
            loop.awaitUntil(isAnswered);
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

    private void ask()
    {
        requestId = held.beforeRequest();
        rpc.askLease(shard);
    }

    @Override
    public void onGranted(final long life, final long term)
    {
        final long answered = requestId;
        requestId = 0;
        held.onGrant(answered, life, term);
    }

    @Override
    public void onRefused()
    {
        requestId = 0;
    }

    @Override
    public boolean isStillHeld(final long lease)
    {
        return held.isStillHeld(lease);
    }
}
