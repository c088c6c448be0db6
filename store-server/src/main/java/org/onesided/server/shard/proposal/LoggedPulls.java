package org.onesided.server.shard.proposal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.log.ShardLog;
import org.onesided.server.shard.execution.Pull;
import org.onesided.server.shard.execution.PullOwner;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.session.AppliedListener;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.table.ShardTable;

/**
 * Large values that were pulled, on their way through the log: their pieces are proposed, as fast as the log takes
 * them, then their requests, and then they wait to be applied. All the while the value is in its place in the heap,
 * where nobody sees it, and does not move. If a committed request before it gets no room for that reason, the value
 * waits in memory of its own. Belongs to the shard's thread.
 */
public final class LoggedPulls
{
    /** A shorter rest of an entry is left to others. */
    private static final int MIN_PIECE_LENGTH = 16 << 10;
    private static final int MAX_PIECE_LENGTH = ShardLog.MAX_ENTRY_LENGTH - (4 << 10);

    private record Name(long session, long requestId)
    {
    }

    private record Logged(PullOwner owner, long session, Pull pull)
    {
        boolean isBegun()
        {
            return pull.proposed() > 0;
        }
    }

    private final ShardTable table;
    private final RequestExecutor executor;
    private final Proposals proposals;
    private final LoggedRoom room;
    private final UnsafeBuffer answer;
    private final Consumer<ShardSession> open;
    /** Of the first of those that are not proposed: others, and a snapshot, wait for it. */
    private final MemoryWait slotWait;
    private final Map<Name, Logged> all = new HashMap<>();
    /** Values of which pieces are to be proposed. */
    private final ArrayDeque<Logged> unproposed = new ArrayDeque<>();
    private boolean isHeldBack;

    /**
     * @param table     of the shard.
     * @param executor  of the shard.
     * @param proposals to its log.
     * @param room      that requests take.
     * @param answer    where answers are written.
     * @param open      has the log told of a session before its first write.
     * @param slotWait  of a value that finds no slot.
     */
    public LoggedPulls(
        final ShardTable table,
        final RequestExecutor executor,
        final Proposals proposals,
        final LoggedRoom room,
        final UnsafeBuffer answer,
        final Consumer<ShardSession> open,
        final MemoryWait slotWait)
    {
        this.open = open;
        this.slotWait = slotWait;
        this.room = room;
        this.answer = answer;
        this.table = table;
        this.executor = executor;
        this.proposals = proposals;
    }

    /**
     * Takes a value that is whole, and whose code is computed.
     *
     * @param owner told of what becomes of it.
     * @param pull  of the value.
     */
    public void add(final PullOwner owner, final Pull pull)
    {
        final Logged logged = new Logged(owner, owner.session().id(), pull);
        pull.onLogging();
        all.put(new Name(logged.session, pull.requestId()), logged);
        unproposed.add(logged);
    }

    /**
     * @return whether no value is partly in the log: each is in it whole and applied, or not at all.
     */
    public boolean isEmpty()
    {
        return all.size() == unproposed.size() && (unproposed.isEmpty() || !unproposed.peek().isBegun());
    }

    /**
     * @param session number of a session.
     * @return whether it has values here.
     */
    public boolean concern(final long session)
    {
        return !all.isEmpty() && all.keySet().stream().anyMatch((name) -> name.session == session);
    }

    /**
     * @param present owner of a session's pulls over its present queue pair.
     * @return whether the session has values here that came over a former one.
     */
    public boolean concern(final PullOwner present)
    {
        return !all.isEmpty() && all.values().stream().anyMatch(
            (logged) -> logged.owner.session() == present.session() && logged.owner != present);
    }

    /**
     * @param session number of a session.
     * @param keyHash of a key.
     * @return whether the session has a value here for a key of that hash.
     */
    public boolean concern(final long session, final long keyHash)
    {
        return !all.isEmpty() && all.values().stream().anyMatch(
            (logged) -> logged.session == session && logged.pull.keyHash() == keyHash);
    }

    /**
     * Tells whether to begin with no further value.
     *
     * @param isWanted whether none is to begin.
     */
    public void holdBack(final boolean isWanted)
    {
        isHeldBack = isWanted;
    }

    /**
     * Goes on proposing.
     *
     * @return how many pieces were proposed.
     */
    public int step()
    {
        int count = 0;
        while (proposals.isOpen() && proposals.hasRoom() && !unproposed.isEmpty())
        {
            final Logged logged = unproposed.peek();
            if (isHeldBack && !logged.isBegun())
            {
                return count;
            }
            if (!propose(logged))
            {
                return count;
            }
            count++;
        }
        return count;
    }

    /** Whether something was proposed, or refused. */
    private boolean propose(final Logged logged)
    {
        final Pull pull = logged.pull;
        if (!logged.isBegun())
        {
            // What was proposed when the pull began may be lost.
            open.accept(logged.owner.session());
        }
        final int left = pull.length() - pull.proposed();
        if (left > 0)
        {
            final int room = proposals.roomForPart();
            final int length = Math.min(left, room < MIN_PIECE_LENGTH ? MAX_PIECE_LENGTH : room);
            proposals.addPart(
                logged.session, pull.requestId(), pull.proposed(), pull.length(),
                pull.localAddress() + pull.proposed(), length);
            pull.onProposed(length);
        }
        return pull.proposed() < pull.length() || proposeWrite(logged);
    }

    private boolean proposeWrite(final Logged logged)
    {
        final Pull pull = logged.pull;
        final boolean hasSlot = !pull.isAside() && table.longPuts().presentVersion(pull.extent()) != 0 &&
            !room.isLeaving(pull.keyHash());
        final Status status = hasSlot ? Status.OK : room.makeSlot(pull.keyHash());
        if (status == Status.BUSY && slotWait.goOn())
        {
            return false;
        }
        slotWait.end();
        unproposed.remove();
        if (status == Status.OK)
        {
            room.proposePulled(pull.keyHash(), pull.length());
            proposals.addWrite(logged.session, pull.message());
        }
        else
        {
            all.remove(new Name(logged.session, pull.requestId()));
            refuse(logged, status == Status.BUSY ? Status.INDEX_FULL : status);
            final AppliedListener present = logged.owner.session().listener();
            if (present != null)
            {
                // The request may have been sent again over another queue pair.
                present.onApplied(pull.requestId());
            }
        }
        return true;
    }

    /**
     * @param session   number of a session.
     * @param requestId of one of its requests, which was applied.
     * @return the shard's own value of that request, or null.
     */
    public Pull get(final long session, final long requestId)
    {
        final Logged logged = all.get(new Name(session, requestId));
        return logged == null ? null : logged.pull;
    }

    /**
     * Makes a value visible.
     *
     * @param pull    of the value.
     * @param request that put it.
     * @param into    where the answer is written.
     * @return the answer's length, or {@link RequestExecutor#WAIT}.
     */
    public int publish(final Pull pull, final Request request, final UnsafeBuffer into)
    {
        if (pull.isAside())
        {
            return executor.put(request, pull.localAddress(), pull.length(), into);
        }
        // A value that is refused gives its place up, so it must not be tried before there is memory.
        return room.awaitsIndex(request) ? RequestExecutor.WAIT : executor.publish(pull, into);
    }

    /**
     * A value was applied, or refused, and its session's window has the answer.
     *
     * @param session number of the session.
     * @param pull    of the value.
     */
    public void onApplied(final long session, final Pull pull)
    {
        final Logged logged = all.remove(new Name(session, pull.requestId()));
        if (pull.isAside())
        {
            giveUp(pull);
        }
        logged.owner.onDone(pull);
    }

    /**
     * Lets a value give up its place in the heap, so that a request before it gets room: both would wait for ever else.
     *
     * @return whether there was one.
     */
    public boolean giveWay()
    {
        for (final Logged logged : all.values())
        {
            final Pull pull = logged.pull;
            if (!pull.isAside())
            {
                final long aside = UnsafeApi.allocateMemory(pull.length());
                UnsafeApi.copyMemory(pull.localAddress(), aside, pull.length());
                table.reservations().abandon(pull.extent());
                pull.onSetAside(aside);
                room.setAside(pull.length());
                return true;
            }
        }
        return false;
    }

    private void giveUp(final Pull pull)
    {
        if (pull.isAside())
        {
            UnsafeApi.freeMemory(pull.localAddress());
            pull.onAsideFreed();
            room.takeBack(pull.length());
        }
        else
        {
            table.reservations().abandon(pull.extent());
        }
    }

    /** What was proposed is lost. */
    public void onLost()
    {
        final List<Logged> lost = new ArrayList<>(all.values());
        all.clear();
        unproposed.clear();
        slotWait.end();
        lost.forEach((logged) -> refuse(logged, Status.STORAGE_FAILED));
    }

    /**
     * Another member leads, and nothing of what is here will be in the log. It may be in the log by another way, if the
     * client sends it again, so nobody is told that it is not done.
     */
    public void onDeposed()
    {
        final List<Logged> lost = new ArrayList<>(all.values());
        all.clear();
        unproposed.clear();
        slotWait.end();
        lost.forEach((logged) ->
        {
            giveUp(logged.pull);
            final RequestWindow window = logged.owner.session().window();
            if (window.state(logged.pull.requestId()) == RequestWindow.State.IN_PROGRESS)
            {
                window.forget(logged.pull.requestId());
            }
            logged.owner.onDone(logged.pull);
        });
    }

    private void refuse(final Logged logged, final Status status)
    {
        giveUp(logged.pull);
        end(logged, answer, executor.refuse(logged.pull.requestId(), status, answer));
    }

    private static void end(final Logged logged, final DirectBuffer text, final int length)
    {
        logged.owner.onAnswer(logged.pull, text, length);
        logged.owner.onDone(logged.pull);
    }
}
