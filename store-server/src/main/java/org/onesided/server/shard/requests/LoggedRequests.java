package org.onesided.server.shard.requests;

import java.util.function.BooleanSupplier;
import org.agrona.collections.IntArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.logged.LoggedShard;
import org.onesided.server.shard.logged.LoggedWrites;
import org.onesided.server.shard.reign.ShardLeases;
import org.onesided.server.shard.reign.ShardReign;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.shard.session.ShardSession;

/**
 * The writes of one queue pair that are in the log: they hold their receives until they are applied. Belongs to the
 * shard's thread.
 */
final class LoggedRequests implements ShardLeases.Asker
{
    private final LoggedShard log;
    private final LoggedWrites writes;
    private final ShardReign reign;
    private final ShardSession session;
    private final Answers answers;
    private final RequestExecutor executor;
    private final ShardCounters counters;
    private final UnsafeBuffer answer;
    private final KeptRequests kept;
    private final IntArrayQueue answerable;
    /** Writes that were proposed over this queue pair, or sent again over it while they are in the log. */
    private final HeldRequests held = new HeldRequests();
    /** Is run when a lease is granted or refused. */
    private final Runnable onDecided;
    /** That waits for its answer, or null. */
    private Request leaseRequest;
    private boolean isLeaseGranted;
    private boolean isLeaseRefused;
    private long leaseRegion;
    private long leaseTerm;

    /**
     * @param session    whose requests these are.
     * @param answers    of the queue pair.
     * @param workbench  of the shard, which has a log.
     * @param counters   of the shard.
     * @param kept       requests of the queue pair.
     * @param answerable takes receives of requests whose answer is now remembered.
     * @param onDecided  is run when a lease is granted or refused, and {@link #answerLease} is to be called.
     */
    LoggedRequests(
        final ShardSession session,
        final Answers answers,
        final Workbench workbench,
        final ShardCounters counters,
        final KeptRequests kept,
        final IntArrayQueue answerable,
        final Runnable onDecided)
    {
        this.onDecided = onDecided;
        this.session = session;
        this.answers = answers;
        this.counters = counters;
        this.kept = kept;
        this.answerable = answerable;
        log = workbench.log();
        writes = log.writes();
        reign = log.reign();
        executor = workbench.executor();
        answer = workbench.answer();
        log.proposedSessions().open(session);
    }

    /**
     * Tells a client that another member leads, or that this one waits. Nothing is remembered: the request may be in
     * the log, by another way.
     *
     * @return whether this member does not serve, or logs no more writes, so that the request is done.
     */
    boolean tryRefuseAsFollower(final Request request)
    {
        final boolean isServing = reign.leases().isServing() && !(reign.release().isProposed() && request.isLogged());
        if (!isServing)
        {
            answers.notLeading(request, reign.leadership().term(), reign.leadership().leader());
        }
        return !isServing;
    }

    /** Asks for a lease. The answer follows when there is a proof, and takes the place of one that is not out yet. */
    void requestLease(final Request request)
    {
        final Request former = leaseRequest;
        forgetLease();
        if (former != null)
        {
            answers.refuseForNow(former, Status.BUSY);
        }
        if (!log.takesProofs())
        {
            reign.leases().forget(session.id(), this);
            answers.refuseForNow(request, Status.STORAGE_FAILED);
        }
        else if (reign.leases().request(session.id(), request.requestId(), this))
        {
            leaseRequest = kept.keep(request);
        }
        else
        {
            answers.refuseForNow(request, Status.INVALID);
        }
    }

    @Override
    public boolean tryGrant(final long requestId, final long region, final long term)
    {
        final boolean isAwaited = leaseRequest != null && leaseRequest.requestId() == requestId;
        if (isAwaited)
        {
            isLeaseGranted = true;
            leaseRegion = region;
            leaseTerm = term;
            onDecided.run();
        }
        return isAwaited;
    }

    @Override
    public void refuse()
    {
        isLeaseRefused = leaseRequest != null;
        onDecided.run();
    }

    /** Answers a request for a lease that is granted or refused, if the queue pair can take it. */
    void answerLease(final BooleanSupplier canAnswer)
    {
        if ((isLeaseGranted || isLeaseRefused) && canAnswer.getAsBoolean())
        {
            final Request request = leaseRequest;
            final boolean isRefused = isLeaseRefused;
            forgetLease();
            if (isRefused)
            {
                answers.refuseForNow(request, Status.STORAGE_FAILED);
            }
            else
            {
                answers.leaseGranted(request, leaseRegion, leaseTerm);
            }
        }
    }

    private void forgetLease()
    {
        leaseRequest = null;
        isLeaseGranted = false;
        isLeaseRefused = false;
    }

    /** The fate of writes that were proposed is not known if another member leads: the client asks that one. */
    void onLogFailed()
    {
        if (!reign.leases().isServing())
        {
            answers.lose(ShardLeases.NOT_SERVING);
        }
    }

    /** Whether a write was proposed, or refused; if not, it is to be tried again. */
    boolean propose(final Request request)
    {
        final Status status = executor.isForThisShard(request) ? writes.check(session, request) : Status.INVALID;
        if (status == Status.BUSY)
        {
            return false;
        }
        if (status != Status.OK)
        {
            return answers.refuse(request.kind(), request, status);
        }
        session.window().beginLogged(request.requestId());
        await(request);
        writes.propose(session, request);
        return true;
    }

    /** The request's answer follows when it is applied. */
    void await(final Request request)
    {
        held.add(kept.keep(request));
    }

    /** Whether a request must not be executed yet: a write of its key is in the log, which does not order the two. */
    boolean isOvertaking(final Request request)
    {
        return !held.isEmpty() && request.hasKey() && !request.isOrderedByLog() && held.concern(request.keyHash());
    }

    /** A write was applied, and its answer is remembered. */
    void onApplied(final long requestId)
    {
        final Request first = held.take(requestId);
        if (first != null)
        {
            counters.executed(first.kind());
            counters.took(first.kind(), first.arrivedNs());
        }
        for (Request request = first; request != null; request = held.take(requestId))
        {
            answerable.addInt(request.receive());
        }
    }

    /** The writes that were proposed and not applied are not in the log, and never will be; the window knows that. */
    void onLost()
    {
        for (Request request = held.takeAny(); request != null; request = held.takeAny())
        {
            final long requestId = request.requestId();
            if (session.window().state(requestId) == RequestWindow.State.NEW)
            {
                session.window().done(
                    requestId, answer, executor.refuse(requestId, Status.STORAGE_FAILED, answer));
            }
            answerable.addInt(request.receive());
        }
    }

    /** The queue pair has ended. Writes stay in the log. */
    void drop()
    {
        reign.leases().forget(session.id(), this);
        forgetLease();
        while (!held.isEmpty())
        {
            held.takeAny();
        }
    }
}
