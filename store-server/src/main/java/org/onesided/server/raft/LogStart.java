package org.onesided.server.raft;

/**
 * Where a shard's log begins to hand over, and how it wakes the shard.
 *
 * @param term   of the last entry in the shard's newest good snapshot, or 0 without one.
 * @param index  of that entry, or {@link #NO_SNAPSHOT}.
 * @param wakeUp runs on a thread of the log when there is something to poll again: then poll until nothing is left,
 *               since what comes meanwhile wakes nobody. It must not block.
 */
public record LogStart(long term, long index, Runnable wakeUp)
{
    /** Index of a shard without a snapshot: the log is handed over from its first entry. */
    public static final long NO_SNAPSHOT = -1;

    /**
     * @param wakeUp runs on a thread of the log, as told above.
     * @return start of a shard that has no snapshot.
     */
    public static LogStart withoutSnapshot(final Runnable wakeUp)
    {
        return new LogStart(0, NO_SNAPSHOT, wakeUp);
    }
}
