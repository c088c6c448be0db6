package org.onesided.server.shard;

import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayQueue;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.queue.QueuePairLife;
import org.onesided.server.queue.ReceiveQueue;
import org.onesided.server.queue.SendQueue;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.verbs.CompletionStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
final class SessionRequests implements PullOwner, RoomOwner, AppliedListener
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SessionRequests.class);

    private final QueuePairLife life;
    private final ShardSession session;
    private final boolean isReader;
    private final SendQueue sends;
    private final PullQueue pulls;
    private final boolean canRead;
    private final Workbench workbench;
    private final LoggedShard log;
    private final Answers answers;
    private final RequestExecutor executor;
    private final ShardCounters counters;
    /** Receives of waiting requests, in order of arrival. */
    private final IntArrayQueue backlog = new IntArrayQueue(-1);
    /** Receives of requests whose answer is now remembered. */
    private final IntArrayQueue answerable = new IntArrayQueue(-1);
    /** Held puts that wait for room. */
    private final HeldRequests roomless = new HeldRequests();
    /** Writes in the log; null if there is none. */
    private final LoggedRequests logged;
    private final Questions questions;
    /** Held requests by receive, including those of pulls; null where none has waited yet. */
    private final Request[] held;

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
    SessionRequests(
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
        this.canRead = canRead;
        this.workbench = workbench;
        this.counters = counters;
        answers = new Answers(life, session, geometry, receives, sends, workbench, counters);
        executor = workbench.executor();
        held = new Request[geometry.credits()];
        log = workbench.log();
        session.listener(this);
        logged = log == null ? null :
            new LoggedRequests(session, answers, workbench, counters, this::hold, answerable, this::goOn);
        questions = new Questions(session, answers, executor, log, logged);
    }

    @Override
    public ShardSession session()
    {
        return session;
    }

    /** Takes a request. The caller may reuse the object afterwards. */
    void onArrived(final Request request)
    {
        if (!backlog.isEmpty() || !process(request))
        {
            hold(request);
            backlog.addInt(request.receive());
            counters.add(ShardCounters.WAITING, 1);
        }
    }

    /** All sends and READs up to {@code number} have completed. */
    void onSent(final long number)
    {
        final boolean isRead = pulls.isRead(number);
        sends.onCompletion(number, isRead);
        if (isRead)
        {
            final Pull pull = pulls.onReadCompleted();
            if (pull.isWhole())
            {
                workbench.publications().add(this, pull);
            }
        }
        goOn();
    }

    /** A send or READ has failed, and the queue pair with it. */
    void onSendFailed(final long number, final int status)
    {
        if (pulls.isRead(number))
        {
            counters.increment(ShardCounters.PULL_FAILURES);
            if (isRefusal(status))
            {
                // The device would refuse the READ again. The client learns that when it resumes and sends the request
                // again.
                final long requestId = pulls.oldest().requestId;
                final int length = executor.refuse(requestId, Status.PULL_FAILED, workbench.answer());
                session.window().done(requestId, workbench.answer(), length);
            }
        }
    }

    private static boolean isRefusal(final int status)
    {
        return status == CompletionStatus.REM_ACCESS_ERR || status == CompletionStatus.REM_INV_REQ_ERR ||
            status == CompletionStatus.REM_OP_ERR;
    }

    @Override
    public void onAnswer(final Pull pull, final DirectBuffer answer, final int length)
    {
        session.window().done(pull.requestId, answer, length);
    }

    /** Sends the remembered answer to the requests that wait for it. */
    @Override
    public void onDone(final Pull pull)
    {
        pulls.remove(pull);
        counters.took(RequestKind.PUT_LARGE, held[pull.waiter(0)].arrivedNs());
        for (int i = 0; i < pull.waiterCount(); i++)
        {
            answerable.addInt(pull.waiter(i));
        }
        goOn();
    }

    @Override
    public void onError(final RuntimeException e)
    {
        life.fail(e);
    }

    @Override
    public Outcome retry(final Request request)
    {
        final boolean isPull = request.isPull();
        if (life.isEnding() || !sends.canAnswer() || isPull && !hasRoomFor(request.largeValueLength()))
        {
            return Outcome.NOT_NOW;
        }
        if (tryRefuseAsFollower(request))
        {
            return Outcome.DONE;
        }
        if (!(isPull ? putLarge(request) : write(request)))
        {
            final boolean waitsForIndex = log == null ? executor.waitsForIndex() : log.writes().waitsForSlot();
            return !isPull && waitsForIndex ? Outcome.NO_INDEX : Outcome.NO_ROOM;
        }
        onRoomlessDone(request);
        return Outcome.DONE;
    }

    @Override
    public boolean giveUp(final Request request)
    {
        if (life.isEnding() || !sends.canAnswer())
        {
            return false;
        }
        if (tryRefuseAsFollower(request))
        {
            return true;
        }
        answers.giveUp(request, log == null ? executor.roomlessStatus() : log.writes().refusal(request));
        onRoomlessDone(request);
        return true;
    }

    /** Whether this member has stopped to log writes while one waited for room: the next leader may have some. */
    private boolean tryRefuseAsFollower(final Request request)
    {
        if (logged == null || !logged.tryRefuseAsFollower(request))
        {
            return false;
        }
        session.window().forget(request.requestId());
        onRoomlessDone(request);
        return true;
    }

    private void onRoomlessDone(final Request request)
    {
        roomless.remove(request);
        goOn();
    }

    /** Whether a value is being pulled, or on its way to the table or the log. */
    boolean isPulling()
    {
        return !pulls.isLogged();
    }

    /** Drops the waiting requests, because the queue pair has ended. They are executed only if they are sent again. */
    void dropWaiting()
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
        workbench.room().remove(this);
        for (Request request = roomless.takeAny(); request != null; request = roomless.takeAny())
        {
            if (session.window().state(request.requestId()) == RequestWindow.State.IN_PROGRESS)
            {
                session.window().forget(request.requestId());
            }
        }
    }

    /**
     * Ends incomplete pulls. Their missing parts no longer arrive, even if the queue pair could not be destroyed.
     *
     * @param isDestroyed whether it was.
     */
    void endPulls(final boolean isDestroyed)
    {
        for (int i = pulls.active().size() - 1; i >= 0; i--)
        {
            final Pull pull = pulls.active().get(i);
            if (!pull.isWhole())
            {
                pulls.remove(pull);
                if (session.window().state(pull.requestId) == RequestWindow.State.IN_PROGRESS)
                {
                    session.window().forget(pull.requestId);
                }
                if (isDestroyed)
                {
                    workbench.publications().abandon(pull);
                }
                else
                {
                    // The device may still write there, so the memory must not be reused.
                    LOGGER.error("memory is lost to a queue pair: session={} bytes={}", session.id(), pull.length);
                }
            }
        }
    }

    /** Keeps a decoded request beyond the poll that received it. */
    private Request hold(final Request request)
    {
        final int receive = request.receive();
        if (held[receive] == null)
        {
            held[receive] = new Request();
        }
        if (held[receive] != request)
        {
            held[receive].copy(request);
        }
        return held[receive];
    }

    private void goOn()
    {
        postReads();
        if (logged != null && !life.isEnding())
        {
            logged.answerLease(sends::canAnswer);
        }
        while (!life.isEnding() && !answerable.isEmpty() && sends.canAnswer())
        {
            answers.remembered(held[answerable.pollInt()]);
        }
        while (!life.isEnding() && answerable.isEmpty() && !backlog.isEmpty() && process(held[backlog.peekInt()]))
        {
            backlog.pollInt();
            counters.add(ShardCounters.WAITING, -1);
        }
    }

    private void postReads()
    {
        if (!life.isEnding())
        {
            pulls.post();
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
                if (pull == null && log != null)
                {
                    logged.await(request);
                }
                else
                {
                    waitFor(pull, request);
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

    private void waitFor(final Pull pull, final Request request)
    {
        if (pull == null)
        {
            life.forfeit("fate of a request is unknown, the server failed over it");
        }
        else
        {
            hold(request);
            pull.addWaiter(request.receive());
        }
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
        if (isReader && !request.kind().isOfReaders())
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
                return write(request) || awaitRoom(request);
            }
            case DELETE ->
            {
                return delete(request) || awaitRoom(request);
            }
            case RELEASE -> answers.once(
                RequestKind.RELEASE, request, executor.release(request, session, workbench.answer()));
            case STAT, SNAPSHOT, GET, TTL, LEASE -> questions.answer(request);
            case PUT_LARGE ->
            {
                return putLarge(request);
            }
            default -> throw new IllegalStateException("kind is not known: kind=" + request.kind());
        }
        return true;
    }

    private boolean delete(final Request request)
    {
        if (log != null)
        {
            return logged.propose(request);
        }
        answers.once(RequestKind.DELETE, request, executor.delete(request, workbench.answer()));
        return true;
    }

    /** Whether a put, increment, append or touch is done, or in the log; if not, there is no room yet. */
    private boolean write(final Request request)
    {
        return log == null ? put(request) : logged.propose(request);
    }

    private boolean put(final Request request)
    {
        final int length = request.isBatch() ?
            executor.batches().execute(request, session.window(), workbench.answer()) :
            request.isComputed() ? executor.compute(request, workbench.answer()) :
            request.kind() == RequestKind.TOUCH ? executor.touch(request, workbench.answer()) :
            executor.put(request, workbench.answer());
        if (length == RequestExecutor.WAIT)
        {
            return false;
        }
        answers.once(request.kind(), request, length);
        return true;
    }

    /**
     * Queues a put in the shard's {@link RoomQueue}, which executes it later. Always true: this call is done with it.
     */
    private boolean awaitRoom(final Request request)
    {
        session.window().begin(request.requestId());
        hold(request);
        final Request waiting = held[request.receive()];
        roomless.add(waiting);
        workbench.room().add(this, waiting);
        return true;
    }

    @Override
    public long neededLength(final Request request)
    {
        if (log != null)
        {
            return log.writes().needed(request);
        }
        final long valueLength = request.isPull() ? request.largeValueLength() :
            request.isComputed() ? executor.computedLength() :
            request.kind() == RequestKind.TOUCH ? RecordDescriptor.MAX_KEY_LENGTH : request.valueLength();
        return RecordDescriptor.length(request.keyLength(), valueLength, RecordDescriptor.EXPIRY_FLAG);
    }

    /** Whether the session may have a value pulled: what its former queue pairs have left in the log comes first. */
    private boolean hasRoomFor(final long length)
    {
        return pulls.hasRoomFor(length) && (log == null || !log.pulls().concern(this));
    }

    private boolean putLarge(final Request request)
    {
        final long length = request.largeValueLength();
        if (length > RecordDescriptor.MAX_VALUE_LENGTH || !executor.isForThisShard(request))
        {
            return answers.refuse(RequestKind.PUT_LARGE, request, Status.INVALID);
        }
        if (!canRead || log != null && !log.writes().areTaken())
        {
            return answers.refuse(
                RequestKind.PUT_LARGE, request, canRead ? Status.STORAGE_FAILED : Status.PULL_FAILED);
        }
        if (!hasRoomFor(length))
        {
            return false;
        }
        // Saves the pull. The condition counts when the value is published. With several members, that is the only time
        // when it may be answered: another one may lead, and this one not know it yet.
        final int conflict = log != null && log.sessions().isReplicated() ?
            RequestExecutor.HOLDS : executor.compare(request, workbench.answer());
        if (conflict != RequestExecutor.HOLDS)
        {
            answers.once(RequestKind.PUT_LARGE, request, conflict);
            return true;
        }
        final Status logStatus = log == null ? Status.OK : log.writes().check(session, request);
        if (logStatus == Status.BUSY)
        {
            return !roomless.contains(request) && awaitRoom(request);
        }
        if (logStatus != Status.OK)
        {
            return answers.refuse(RequestKind.PUT_LARGE, request, logStatus);
        }
        final Publications publications = workbench.publications();
        final Pull pull = publications.reserve(request);
        if (pull == null && publications.reserveStatus() == Status.BUSY)
        {
            return !roomless.contains(request) && awaitRoom(request);
        }
        if (pull == null)
        {
            return answers.refuse(RequestKind.PUT_LARGE, request, publications.reserveStatus());
        }

        counters.executed(RequestKind.PUT_LARGE);
        session.window().begin(pull.requestId);
        if (log != null)
        {
            log.writes().onReserved(session, request);
        }
        hold(request);
        pull.addWaiter(request.receive());
        pulls.add(pull);
        if (pull.isWhole())
        {
            publications.add(this, pull);
        }
        postReads();
        return true;
    }
}
