package org.onesided.server.shard.requests;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.queue.Postings;
import org.onesided.server.queue.QueuePairLife;
import org.onesided.server.queue.ReceiveQueue;
import org.onesided.server.queue.SendQueue;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.shard.session.ShardSession;

/**
 * Answers the requests of one queue pair, and remembers the answers in the session's window. Belongs to the shard's
 * thread.
 */
final class Answers
{
    private final QueuePairLife life;
    private final ShardSession session;
    private final SessionGeometry geometry;
    private final ReceiveQueue receives;
    private final SendQueue sends;
    private final Workbench workbench;
    private final Postings postings;
    private final RequestExecutor executor;
    private final ShardCounters counters;

    Answers(
        final QueuePairLife life,
        final ShardSession session,
        final SessionGeometry geometry,
        final ReceiveQueue receives,
        final SendQueue sends,
        final Workbench workbench,
        final ShardCounters counters)
    {
        this.life = life;
        this.session = session;
        this.geometry = geometry;
        this.receives = receives;
        this.sends = sends;
        this.workbench = workbench;
        this.counters = counters;
        postings = workbench.postings();
        executor = workbench.executor();
    }

    /** Room for an answer of any length, which {@link #fromBuffer} sends without a copy. */
    UnsafeBuffer buffer()
    {
        workbench.largeAnswer().wrap(sends.buffer(), geometry.messageLength());
        return workbench.largeAnswer();
    }

    /** Sends the answer in {@link #buffer}. */
    void fromBuffer(final RequestKind kind, final Request request, final int length)
    {
        receives.add(postings.receive(life), request.receive());
        sends.sendBuffer(length);
        counters.add(ShardCounters.BYTES_SENT, length);
        done(kind, request);
    }

    /** Remembers and sends the answer in the workbench. */
    void once(final RequestKind kind, final Request request, final int length)
    {
        if (request.isBatch())
        {
            executor.batches().remember(request, session.window());
        }
        else
        {
            session.window().done(request.requestId(), workbench.answer(), length);
        }
        answer(request, length);
        done(kind, request);
    }

    /** Answers with a status only, what is left of a batch with one for each put. Always true: the request is done. */
    boolean refuse(final RequestKind kind, final Request request, final Status status)
    {
        once(kind, request, request.isBatch() ?
            executor.batches().refuse(request, status, session.window(), workbench.answer()) :
            executor.refuse(request.requestId(), status, workbench.answer()));
        return true;
    }

    /** Refuses a write that has waited for room for too long; those behind it in a batch are still tried. */
    void giveUp(final Request request, final Status status)
    {
        if (request.isBatch())
        {
            once(request.kind(), request,
                executor.batches().giveUp(request, status, session.window(), workbench.answer()));
        }
        else
        {
            refuse(request.kind(), request, status);
        }
    }

    /** Answers that another member leads, and remembers nothing. */
    void notLeading(final Request request, final long term, final long leader)
    {
        answer(request, executor.notLeading(request.requestId(), term, leader, workbench.answer()));
    }

    /** Grants a lease. Nothing is remembered: a client that lost the answer asks again. */
    void leaseGranted(final Request request, final long region, final long term)
    {
        answer(request, executor.leaseGranted(request.requestId(), region, term, workbench.answer()));
        done(RequestKind.LEASE, request);
    }

    /** Refuses what is safe to ask again, and remembers nothing. */
    void refuseForNow(final Request request, final Status status)
    {
        answer(request, executor.refuse(request.requestId(), status, workbench.answer()));
    }

    /** Ends the queue pair. */
    void lose(final String reason)
    {
        life.lose(reason);
    }

    /** Sends a remembered answer to a request that was sent again. */
    void again(final Request request)
    {
        counters.increment(ShardCounters.RESENT);
        remembered(request);
    }

    /** Sends the answer of a request that waited for it. */
    void remembered(final Request request)
    {
        final RequestWindow window = session.window();
        final long requestId = request.requestId();
        answer(request, window.isBatch(requestId) ?
            executor.batches().again(requestId, window, workbench.answer()) :
            window.answer(requestId, workbench.answer()));
    }

    private void done(final RequestKind kind, final Request request)
    {
        counters.executed(kind);
        counters.took(kind, request.arrivedNs());
    }

    /** Reposts the receive first, because the answer gives the client its credit back. */
    private void answer(final Request request, final int length)
    {
        receives.add(postings.receive(life), request.receive());
        sends.sendCopy(workbench.answer().addressOffset(), length);
        counters.add(ShardCounters.BYTES_SENT, length);
    }
}
