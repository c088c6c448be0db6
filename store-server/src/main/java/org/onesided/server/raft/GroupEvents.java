package org.onesided.server.raft;

import org.apache.ratis.server.raftlog.RaftLog;

/**
 * What a group's state machine tells the shard's log, and asks it. Called by Ratis' threads.
 */
interface GroupEvents
{
    /** The group leads, and has handed over what its log had. */
    void onLeader();

    /**
     * The log could not be written.
     *
     * @param cause of that.
     */
    void onFailed(Throwable cause);

    /** Whether the shard's thread is inside Ratis. Once the log is not open any more, it comes out and stays out. */
    boolean isProposing();

    /** Ratis' log, or null while the group is being opened. */
    RaftLog raftLog();
}
