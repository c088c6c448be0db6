package org.onesided.server.shard.requests;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.logged.LoggedShard;
import org.onesided.server.shard.session.ShardSession;

/**
 * Answers the requests of one queue pair that change nothing, and that may be asked again. Belongs to the shard's
 * thread.
 */
final class Questions
{
    private final ShardSession session;
    private final Answers answers;
    private final RequestExecutor executor;
    private final LoggedShard log;
    private final LoggedRequests logged;

    /**
     * @param session  whose requests these are.
     * @param answers  of the queue pair.
     * @param executor of the shard.
     * @param log      of the shard, or null.
     * @param logged   requests of the queue pair that wait for the log; null if there is none.
     */
    Questions(
        final ShardSession session,
        final Answers answers,
        final RequestExecutor executor,
        final LoggedShard log,
        final LoggedRequests logged)
    {
        this.session = session;
        this.answers = answers;
        this.executor = executor;
        this.log = log;
        this.logged = logged;
    }

    /** Answers a request, now or when what it waits for is there. */
    void answer(final Request request)
    {
        switch (request.kind())
        {
            case STAT -> stat(request);
            case SNAPSHOT ->
            {
                if (log != null)
                {
                    log.snapshots().request();
                }
                stat(request);
            }
            case GET -> get(request);
            case TTL ->
            {
                session.window().passed(request.requestId());
                answers.fromBuffer(RequestKind.TTL, request, executor.ttl(request, answers.buffer()));
            }
            case LEASE -> lease(request);
            default -> throw new IllegalArgumentException("request changes the table: kind=" + request.kind());
        }
    }

    /** Refuses what a client wants that may look up only. Of a snapshot it is told the counters. */
    void refuseReader(final Request request)
    {
        if (request.kind() == RequestKind.SNAPSHOT)
        {
            stat(request, Status.READ_ONLY);
        }
        else
        {
            answers.refuse(request.kind(), request, Status.READ_ONLY);
        }
    }

    private void stat(final Request request)
    {
        stat(request, Status.OK);
    }

    private void stat(final Request request, final Status status)
    {
        session.window().passed(request.requestId());
        answers.fromBuffer(request.kind(), request, executor.stat(
            request, answers.buffer(), log == null ? null : log.metrics(), status));
    }

    private void get(final Request request)
    {
        final UnsafeBuffer answer = answers.buffer();
        final long borrowCount = session.borrowCount();
        final int length = executor.get(request, session, answer);
        if (session.borrowCount() != borrowCount)
        {
            session.window().done(request.requestId(), answer, length);
        }
        else
        {
            session.window().passed(request.requestId());
        }
        answers.fromBuffer(RequestKind.GET, request, length);
    }

    private void lease(final Request request)
    {
        session.window().passed(request.requestId());
        if (logged == null)
        {
            answers.refuseForNow(request, Status.INVALID);
        }
        else
        {
            logged.requestLease(request);
        }
    }
}
