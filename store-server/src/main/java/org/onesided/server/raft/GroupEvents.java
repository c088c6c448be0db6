package org.onesided.server.raft;

import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * What a group's state machine tells the shard's log, and asks it. Called by Ratis' threads.
 */
interface GroupEvents
{
    /**
     * This member leads, and has handed over what its log had.
     *
     * @param term  in which it leads.
     * @param index of Ratis' entry that begins the term.
     */
    void onLeader(long term, long index);

    /** This member leads no more. */
    void onDeposed();

    /**
     * A leader is known.
     *
     * @param member that leads; this one may be it, but is not ready yet.
     */
    void onLeaderKnown(RaftPeerId member);

    /**
     * A snapshot of the leader has taken the place of entries.
     *
     * @param index of the last entry in it.
     */
    void onInstalled(long index);

    /**
     * The log could not be written.
     *
     * @param cause of that.
     */
    void onFailed(Throwable cause);

    /** Whether the shard's thread is inside Ratis. Once the log is not open any more, it comes out and stays out. */
    boolean isProposing();

    /** The present term of the group; 0 while it is being opened. */
    long term();

    /** Ratis' log, or null while the group is being opened. */
    RaftLog raftLog();
}
