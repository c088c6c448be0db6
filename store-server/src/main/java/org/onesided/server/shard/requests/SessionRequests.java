package org.onesided.server.shard.requests;

import org.agrona.collections.IntArrayQueue;
import org.onesided.server.queue.QueuePairLife;
import org.onesided.server.queue.ReceiveQueue;
import org.onesided.server.queue.SendQueue;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Pull;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.logged.LoggedShard;
import org.onesided.server.shard.session.AppliedListener;
import org.onesided.server.shard.session.ShardSession;

/**
 * The requests that come over one queue pair, from their arrival to their answer. Belongs to the shard's thread.
 *
 * <p><strong>Order.</strong> Requests take effect in the order of their arrival, except that others overtake a large
 * value while it is pulled. Whatever the session asks for <em>the same key</em> meanwhile waits until the large value
 * is published: had it been executed at once, the pull would take effect after it, and a session that does not wait
 * for answers would find its later put undone by its earlier one. Requests of other sessions for that key do not
 * wait: each is concurrent with the pull, so either order is linearizable, and the pull takes effect at one
 * moment, when it is published, with a version of that moment. What waits holds its receive and keeps those behind it
 * waiting, too; since it waits for pulls and sends only, which depend on no later request, it never waits in a circle.
 *
 * <p>A put, increment or append that finds no room, but may find some later, waits in the shard's {@link RoomQueue},
 * for a bounded time. Others overtake it as they overtake a large value. It was not executed meanwhile: if the queue
 * pair ends, the client may send it again over another.
 */
public final class SessionRequests implements AppliedListener
{
    private final QueuePairLife life;
    private final ShardSession session;
    private final boolean isReader;
    private final SendQueue sends;
    private final PullQueue pulls;
    private final Workbench workbench;
    private final LoggedShard log;
    private final Answers answers;
    private final RequestExecutor executor;
    private final ShardCounters counters;
    /** Receives of waiting requests, in order of arrival. */
    private final IntArrayQueue backlog = new IntArrayQueue(-1);
    /** Receives of requests whose answer is now remembered. */
    private final IntArrayQueue answerable = new IntArrayQueue(-1);
    /** Writes that wait for room. */
    private final HeldRequests roomless = new HeldRequests();
    private final KeptRequests kept;
    /** Writes in the log; null if there is none. */
    private final LoggedRequests logged;
    private final Questions questions;
    private final SessionWrites writes;
    private final PulledPuts pulled;
    private final RoomlessPuts roomlessPuts;

    /**
     * @param life      of the queue pair.
     * @param session   whose requests these are.
     * @param isReader  whether the client may look up only.
     * @param geometry  of the shard's sessions.
     * @param receives  of the queue pair.
     * @param sends     of the queue pair.
     * @param pulls     of the queue pair.
     * @param canRead   whether the peer answers READs.
     * @param workbench of the shard.
     * @param counters  of the shard.
     */
    public SessionRequests(
        final QueuePairLife life,
        final ShardSession session,
        final boolean isReader,
        final SessionGeometry geometry,
        final ReceiveQueue receives,
        final SendQueue sends,
        final PullQueue pulls,
        final boolean canRead,
        final Workbench workbench,
        final ShardCounters counters)
    {
        this.life = life;
        this.session = session;
        this.isReader = isReader;
        this.sends = sends;
        this.pulls = pulls;
        this.workbench = workbench;
        this.counters = counters;
        answers = new Answers(life, session, geometry, receives, sends, workbench, counters);
        executor = workbench.executor();
        log = workbench.log();
        kept = new KeptRequests(geometry.credits());
        session.listener(this);
        logged = log == null ? null :
            new LoggedRequests(session, answers, workbench, counters, kept, answerable, this::goOn);
        questions = new Questions(session, answers, executor, log, logged);
        writes = new SessionWrites(session, workbench, answers, logged);
        pulled = new PulledPuts(
            life, session, pulls, canRead, workbench, counters, answers, kept, answerable, this::goOn);
        roomlessPuts = new RoomlessPuts(
            life, session, sends, workbench, answers, logged, writes, pulled, kept, roomless, this::goOn);
    }

    /**
     * @return puts whose values are pulled.
     */
    public PulledPuts pulled()
    {
        return pulled;
    }

    /**
     * Takes a request. The caller may reuse the object afterwards.
     *
     * @param request that arrived.
     */
    public void onArrived(final Request request)
    {
        if (!backlog.isEmpty() || !process(request))
        {
            kept.keep(request);
            backlog.addInt(request.receive());
            counters.add(ShardCounters.WAITING, 1);
        }
    }

    /**
     * Sends and READs have completed.
     *
     * @param number of the last of them.
     */
    public void onSent(final long number)
    {
        final boolean isRead = pulls.isRead(number);
        sends.onCompletion(number, isRead);
        if (isRead)
        {
            pulled.onReadCompleted();
        }
        goOn();
    }

    /**
     * A send or READ has failed, and the queue pair with it.
     *
     * @param number of the send or READ.
     * @param status of its completion.
     */
    public void onSendFailed(final long number, final int status)
    {
        if (pulls.isRead(number))
        {
            pulled.onReadFailed(status);
        }
    }

    /** Drops the waiting requests, because the queue pair has ended. They are executed only if they are sent again. */
    public void dropWaiting()
    {
        if (session.listener() == this)
        {
            session.listener(null);
        }
        if (logged != null)
        {
            logged.drop();
        }
        counters.add(ShardCounters.WAITING, -backlog.size());
        roomlessPuts.drop();
    }

    private void goOn()
    {
        pulled.post();
        if (logged != null && !life.isEnding())
        {
            logged.answerLease(sends::canAnswer);
        }
        while (!life.isEnding() && !answerable.isEmpty() && sends.canAnswer())
        {
            answers.remembered(kept.at(answerable.pollInt()));
        }
        while (!life.isEnding() && answerable.isEmpty() && !backlog.isEmpty() && process(kept.at(backlog.peekInt())))
        {
            backlog.pollInt();
            counters.add(ShardCounters.WAITING, -1);
        }
    }

    /**
     * @param request that arrived, or was held.
     * @return whether it is done; if not, try again after a completion.
     */
    private boolean process(final Request request)
    {
        if (!sends.canAnswer())
        {
            return false;
        }
        if (!request.isWhole() || request.isBatch() && log != null)
        {
            life.forfeit(request.isWhole() ? "batch to a server with a log" :
                "malformed request: length=" + request.length());
            return true;
        }

        if (logged != null && logged.tryRefuseAsFollower(request))
        {
            return true;
        }
        final long requestId = request.requestId();
        switch (session.window().state(requestId))
        {
            case DONE -> answers.again(request);
            case IN_PROGRESS ->
            {
                if (roomless.include(requestId))
                {
                    return false;
                }
                final Pull pull = pulls.of(requestId);
                if (pull != null)
                {
                    pulled.await(pull, request);
                }
                else if (log != null)
                {
                    logged.await(request);
                }
                else
                {
                    life.forfeit("fate of a request is unknown, the server failed over it");
                }
            }
            case OUTSIDE -> life.forfeit("request id outside the window: requestId=" + requestId);
            case BLOCKED ->
            {
                return false;
            }
            default ->
            {
                return execute(request);
            }
        }
        return true;
    }

    @Override
    public void onApplied(final long requestId)
    {
        logged.onApplied(requestId);
        goOn();
    }

    @Override
    public void onLogFailed()
    {
        logged.onLogFailed();
        goOn();
    }

    @Override
    public void onLogLost()
    {
        logged.onLost();
        goOn();
    }

    /** Whether an earlier write to the same key is still in progress, which the request must not overtake. */
    private boolean isOvertaking(final Request request)
    {
        if (log != null && !log.writes().isOpen())
        {
            // Writes are refused, and lookups do not wait for what may never come: none of it is acknowledged.
            return false;
        }
        if (request.isBatch())
        {
            return !pulls.isEmpty() || !roomless.isEmpty();
        }
        return logged != null && (logged.isOvertaking(request) ||
            request.hasKey() && log.pulls().concern(session.id(), request.keyHash())) ||
            (!pulls.isEmpty() || !roomless.isEmpty()) && request.hasKey() &&
            (pulls.concerns(request.keyHash()) || roomless.concern(request.keyHash()));
    }

    private boolean execute(final Request request)
    {
        if (isReader && !request.isOfReaders())
        {
            // Before anything is done for it: no value is pulled, nothing is logged, no room is made.
            questions.refuseReader(request);
            return true;
        }
        if (isOvertaking(request))
        {
            return false;
        }

        switch (request.kind())
        {
            case PUT, INCREMENT, APPEND, TOUCH ->
            {
                return writes.write(request) || awaitRoom(request);
            }
            case DELETE ->
            {
                return writes.delete(request) || awaitRoom(request);
            }
            case RELEASE -> answers.once(
                RequestKind.RELEASE, request, executor.release(request, session, workbench.answer()));
            case STAT, SNAPSHOT, GET, TTL, LEASE -> questions.answer(request);
            case PUT_LARGE ->
            {
                return switch (pulled.tryPut(request))
                {
                    case DONE -> true;
                    case NO_ROOM -> awaitRoom(request);
                    default -> false;
                };
            }
            default -> throw new IllegalStateException("kind is not known: kind=" + request.kind());
        }
        return true;
    }

    /** Lets a write be executed later. Always true: this call is done with it. */
    private boolean awaitRoom(final Request request)
    {
        roomlessPuts.add(request);
        return true;
    }
}
