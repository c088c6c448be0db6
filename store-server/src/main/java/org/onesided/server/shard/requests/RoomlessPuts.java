package org.onesided.server.shard.requests;

import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.queue.QueuePairLife;
import org.onesided.server.queue.SendQueue;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.logged.LoggedShard;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.shard.session.ShardSession;

/**
 * The writes of one queue pair that found no room, but may find some later: they wait in the shard's {@link RoomQueue},
 * which tries them again, or gives them up. Belongs to the shard's thread.
 */
final class RoomlessPuts implements RoomOwner
{
    private final QueuePairLife life;
    private final ShardSession session;
    private final SendQueue sends;
    private final Workbench workbench;
    private final RequestExecutor executor;
    private final LoggedShard log;
    private final Answers answers;
    private final LoggedRequests logged;
    private final SessionWrites writes;
    private final PulledPuts pulled;
    private final KeptRequests kept;
    private final HeldRequests waiting;
    private final Runnable onDone;

    /**
     * @param life      of the queue pair.
     * @param session   whose requests these are.
     * @param sends     of the queue pair.
     * @param workbench of the shard.
     * @param answers   of the queue pair.
     * @param logged    requests of the queue pair that wait for the log; null if there is none.
     * @param writes    carries out those whose messages hold all of them.
     * @param pulled    carries out the others.
     * @param kept      requests of the queue pair.
     * @param waiting   is kept up to date: the requests that wait for room.
     * @param onDone    is run each time that one waits no more.
     */
    RoomlessPuts(
        final QueuePairLife life,
        final ShardSession session,
        final SendQueue sends,
        final Workbench workbench,
        final Answers answers,
        final LoggedRequests logged,
        final SessionWrites writes,
        final PulledPuts pulled,
        final KeptRequests kept,
        final HeldRequests waiting,
        final Runnable onDone)
    {
        this.life = life;
        this.session = session;
        this.sends = sends;
        this.workbench = workbench;
        this.answers = answers;
        this.logged = logged;
        this.writes = writes;
        this.pulled = pulled;
        this.kept = kept;
        this.waiting = waiting;
        this.onDone = onDone;
        executor = workbench.executor();
        log = workbench.log();
    }

    /** Queues a write that was tried just now. */
    void add(final Request request)
    {
        session.window().begin(request.requestId());
        final Request held = kept.keep(request);
        waiting.add(held);
        workbench.room().add(this, held);
    }

    @Override
    public Outcome retry(final Request request)
    {
        final boolean isPull = request.isPull();
        if (life.isEnding() || !sends.canAnswer() || isPull && !pulled.hasRoomFor(request.block().largeValueLength()))
        {
            return Outcome.NOT_NOW;
        }
        if (tryRefuseAsFollower(request))
        {
            return Outcome.DONE;
        }
        final boolean isTaken = isPull ? pulled.tryPut(request) == Outcome.DONE : writes.write(request);
        if (!isTaken)
        {
            final boolean waitsForIndex = log == null ? executor.waitsForIndex() : log.writes().waitsForSlot();
            return !isPull && waitsForIndex ? Outcome.NO_INDEX : Outcome.NO_ROOM;
        }
        remove(request);
        return Outcome.DONE;
    }

    @Override
    public long neededLength(final Request request)
    {
        if (log != null)
        {
            return log.writes().needed(request);
        }
        final long valueLength = request.isPull() ? request.block().largeValueLength() :
            request.isComputed() ? executor.computedLength() :
            request.kind() == RequestKind.TOUCH ? RecordDescriptor.MAX_KEY_LENGTH : request.valueLength();
        return RecordDescriptor.length(request.keyLength(), valueLength, RecordDescriptor.EXPIRY_FLAG);
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
        remove(request);
        return true;
    }

    @Override
    public void onError(final RuntimeException e)
    {
        life.fail(e);
    }

    /** Whether this member has stopped to log writes while one waited for room: the next leader may have some. */
    private boolean tryRefuseAsFollower(final Request request)
    {
        if (logged == null || !logged.tryRefuseAsFollower(request))
        {
            return false;
        }
        session.window().forget(request.requestId());
        remove(request);
        return true;
    }

    private void remove(final Request request)
    {
        waiting.remove(request);
        onDone.run();
    }

    /** Drops all, because the queue pair has ended. They are executed only if they are sent again. */
    void drop()
    {
        workbench.room().remove(this);
        for (Request request = waiting.takeAny(); request != null; request = waiting.takeAny())
        {
            if (session.window().state(request.requestId()) == RequestWindow.State.IN_PROGRESS)
            {
                session.window().forget(request.requestId());
            }
        }
    }
}
