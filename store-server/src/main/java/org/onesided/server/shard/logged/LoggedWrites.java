package org.onesided.server.shard.logged;

import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.proposal.LoggedRoom;
import org.onesided.server.shard.proposal.Proposals;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.shard.snapshot.ShardSnapshots;
import org.onesided.server.table.ShardTable;

/**
 * The way of requests into a shard's log: tells whether a write may be proposed now, or why not, and proposes it.
 * Belongs to the shard's thread.
 */
public final class LoggedWrites
{
    private final ShardTable table;
    private final Proposals proposals;
    private final LoggedSessions sessions;
    private final ProposedSessions proposedSessions;
    private final LoggedRoom room;
    private final ShardSnapshots snapshots;

    /**
     * @param table            of the shard.
     * @param proposals        to its log.
     * @param sessions         that the log knows.
     * @param proposedSessions opens sessions before their first write.
     * @param room             that requests take.
     * @param snapshots        without which the log must not get longer.
     */
    LoggedWrites(
        final ShardTable table,
        final Proposals proposals,
        final LoggedSessions sessions,
        final ProposedSessions proposedSessions,
        final LoggedRoom room,
        final ShardSnapshots snapshots)
    {
        this.table = table;
        this.proposals = proposals;
        this.sessions = sessions;
        this.proposedSessions = proposedSessions;
        this.room = room;
        this.snapshots = snapshots;
    }

    /**
     * @return whether the log is open: then what is on its way comes.
     */
    public boolean isOpen()
    {
        return proposals.isOpen();
    }

    /**
     * @return whether writes are taken. Other members of a log may have snapshots, and take the lead.
     */
    public boolean areTaken()
    {
        return proposals.isOpen() && (sessions.isReplicated() || !snapshots.isOverdue());
    }

    /**
     * Tells whether a request may be proposed now.
     *
     * @param session that asks.
     * @param request a write.
     * @return OK, STORAGE_FAILED, or as {@link LoggedRoom#check}.
     */
    public Status check(final ShardSession session, final Request request)
    {
        // What comes behind the end of its session could not be applied.
        final boolean isTaken = areTaken() && !(session.isEnded() && sessions.isReplicated());
        return !isTaken ? Status.STORAGE_FAILED : proposals.isFull() ? Status.BUSY :
            room.check(session.id(), request);
    }

    /**
     * Proposes a write, whose message is copied.
     *
     * @param session of the request.
     * @param request that is proposed.
     */
    public void propose(final ShardSession session, final Request request)
    {
        proposedSessions.open(session);
        room.propose(session.id(), request);
        proposals.addWrite(session.id(), request.message());
    }

    /**
     * A value that is to be pulled has its place in the heap.
     *
     * @param session of the request.
     * @param request whose value that is.
     */
    public void onReserved(final ShardSession session, final Request request)
    {
        room.onReserved(session.id(), request);
        proposedSessions.open(session);
    }

    /**
     * @param request that has waited.
     * @return why it has got no room.
     */
    public Status refusal(final Request request)
    {
        // What is BUSY waits for the log only.
        final boolean isLate = proposals.isFull() || !areTaken();
        final Status status = isLate ? Status.BUSY : room.refusal(request);
        return status == Status.BUSY ? Status.STORAGE_FAILED : status == Status.OK ? table.roomlessStatus() : status;
    }

    /**
     * @return whether the last {@link #check} was BUSY for want of a slot in the index, and not of room in the heap.
     */
    public boolean waitsForSlot()
    {
        return !proposals.isFull() && room.waitsForSlot();
    }

    /**
     * @param request that waits for room.
     * @return bytes that it needs.
     */
    public long needed(final Request request)
    {
        return room.needed(request);
    }
}
