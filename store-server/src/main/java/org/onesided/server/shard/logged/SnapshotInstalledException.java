package org.onesided.server.shard.logged;

/**
 * A snapshot of the leader has taken the place of what a follower lacked. The shard ends: its memory cannot go forward
 * to that state before the eyes of clients that may READ it. Another shard begins in new memory with that snapshot, and
 * takes over the log.
 */
public final class SnapshotInstalledException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    SnapshotInstalledException(final long index)
    {
        super("a snapshot of the leader has come, and the shard has to begin anew with it: index=" + index);
    }
}
