package org.onesided.server.shard.requests;

import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayQueue;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.queue.QueuePairLife;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Pull;
import org.onesided.server.shard.execution.PullOwner;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.logged.LoggedShard;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.verbs.CompletionStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The puts of one queue pair whose values the server pulls: from the reservation of their room, by READs and the
 * publication, to the answer. Belongs to the shard's thread.
 */
public final class PulledPuts implements PullOwner
{
    private static final Logger LOGGER = LoggerFactory.getLogger(PulledPuts.class);

    private final QueuePairLife life;
    private final ShardSession session;
    private final PullQueue pulls;
    private final boolean canRead;
    private final Workbench workbench;
    private final RequestExecutor executor;
    private final LoggedShard log;
    private final ShardCounters counters;
    private final Answers answers;
    private final KeptRequests kept;
    private final IntArrayQueue answerable;
    private final Runnable onDone;

    /**
     * @param life       of the queue pair.
     * @param session    whose requests these are.
     * @param pulls      of the queue pair.
     * @param canRead    whether the peer answers READs.
     * @param workbench  of the shard.
     * @param counters   of the shard.
     * @param answers    of the queue pair.
     * @param kept       requests of the queue pair.
     * @param answerable takes receives of requests whose answer is now remembered.
     * @param onDone     is run each time that it has taken some.
     */
    PulledPuts(
        final QueuePairLife life,
        final ShardSession session,
        final PullQueue pulls,
        final boolean canRead,
        final Workbench workbench,
        final ShardCounters counters,
        final Answers answers,
        final KeptRequests kept,
        final IntArrayQueue answerable,
        final Runnable onDone)
    {
        this.life = life;
        this.session = session;
        this.pulls = pulls;
        this.canRead = canRead;
        this.workbench = workbench;
        this.counters = counters;
        this.answers = answers;
        this.kept = kept;
        this.answerable = answerable;
        this.onDone = onDone;
        executor = workbench.executor();
        log = workbench.log();
    }

    @Override
    public ShardSession session()
    {
        return session;
    }

    /** Whether the session may have a value pulled: what its former queue pairs have left in the log comes first. */
    boolean hasRoomFor(final long length)
    {
        return pulls.hasRoomFor(length) && (log == null || !log.pulls().concern(this));
    }

    /**
     * Begins to pull a value, or refuses it.
     *
     * @return {@code DONE}; {@code NO_ROOM} if there may be some later; {@code NOT_NOW} if others of the session come
     *         first.
     */
    RoomOwner.Outcome tryPut(final Request request)
    {
        final long length = request.block().largeValueLength();
        if (length > RecordDescriptor.MAX_VALUE_LENGTH || !executor.isForThisShard(request))
        {
            return refuse(request, Status.INVALID);
        }
        if (!canRead || log != null && !log.writes().areTaken())
        {
            return refuse(request, canRead ? Status.STORAGE_FAILED : Status.PULL_FAILED);
        }
        if (!hasRoomFor(length))
        {
            return RoomOwner.Outcome.NOT_NOW;
        }
        // Saves the pull. The condition counts when the value is published. With several members, that is the only time
        // when it may be answered: another one may lead, and this one not know it yet.
        final int conflict = log != null && log.sessions().isReplicated() ?
            RequestExecutor.HOLDS : executor.compare(request, workbench.answer());
        if (conflict != RequestExecutor.HOLDS)
        {
            answers.once(RequestKind.PUT_LARGE, request, conflict);
            return RoomOwner.Outcome.DONE;
        }
        final Status logStatus = log == null ? Status.OK : log.writes().check(session, request);
        if (logStatus != Status.OK)
        {
            return logStatus == Status.BUSY ? RoomOwner.Outcome.NO_ROOM : refuse(request, logStatus);
        }
        final Publications publications = workbench.publications();
        final Pull pull = publications.reserve(request);
        if (pull == null)
        {
            final Status status = publications.reserveStatus();
            return status == Status.BUSY ? RoomOwner.Outcome.NO_ROOM : refuse(request, status);
        }
        begin(request, pull);
        return RoomOwner.Outcome.DONE;
    }

    private RoomOwner.Outcome refuse(final Request request, final Status status)
    {
        answers.refuse(RequestKind.PUT_LARGE, request, status);
        return RoomOwner.Outcome.DONE;
    }

    private void begin(final Request request, final Pull pull)
    {
        counters.executed(RequestKind.PUT_LARGE);
        session.window().begin(pull.requestId());
        if (log != null)
        {
            log.writes().onReserved(session, request);
        }
        await(pull, request);
        pulls.add(pull);
        if (pull.isWhole())
        {
            workbench.publications().add(this, pull);
        }
        post();
    }

    /** The request is answered when the pull is done. */
    void await(final Pull pull, final Request request)
    {
        kept.keep(request);
        pull.addWaiter(request.receive());
    }

    /** Posts as many READs as may be outstanding. */
    void post()
    {
        if (!life.isEnding())
        {
            pulls.post();
        }
    }

    /** The oldest READ has completed. */
    void onReadCompleted()
    {
        final Pull pull = pulls.onReadCompleted();
        if (pull.isWhole())
        {
            workbench.publications().add(this, pull);
        }
    }

    /** The oldest READ has failed, and the queue pair with it. */
    void onReadFailed(final int status)
    {
        counters.increment(ShardCounters.PULL_FAILURES);
        if (isRefusal(status))
        {
            // The device would refuse the READ again. The client learns that when it resumes and sends the request
            // again.
            final long requestId = pulls.oldest().requestId();
            final int length = executor.refuse(requestId, Status.PULL_FAILED, workbench.answer());
            session.window().done(requestId, workbench.answer(), length);
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
        session.window().done(pull.requestId(), answer, length);
    }

    /** Lets the remembered answer be sent to the requests that wait for it. */
    @Override
    public void onDone(final Pull pull)
    {
        pulls.remove(pull);
        counters.took(RequestKind.PUT_LARGE, kept.at(pull.waiter(0)).arrivedNs());
        for (int i = 0; i < pull.waiterCount(); i++)
        {
            answerable.addInt(pull.waiter(i));
        }
        onDone.run();
    }

    @Override
    public void onError(final RuntimeException e)
    {
        life.fail(e);
    }

    /**
     * @return whether a value is being pulled, or on its way to the table or the log.
     */
    public boolean isPulling()
    {
        return !pulls.isLogged();
    }

    /**
     * Ends incomplete pulls. Their missing parts no longer arrive, even if the queue pair could not be destroyed.
     *
     * @param isDestroyed whether it was.
     */
    public void end(final boolean isDestroyed)
    {
        for (int i = pulls.active().size() - 1; i >= 0; i--)
        {
            final Pull pull = pulls.active().get(i);
            if (!pull.isWhole())
            {
                pulls.remove(pull);
                if (session.window().state(pull.requestId()) == RequestWindow.State.IN_PROGRESS)
                {
                    session.window().forget(pull.requestId());
                }
                if (isDestroyed)
                {
                    workbench.publications().abandon(pull);
                }
                else
                {
                    // The device may still write there, so the memory must not be reused.
                    LOGGER.error("memory is lost to a queue pair: session={} bytes={}", session.id(), pull.length());
                }
            }
        }
    }
}
