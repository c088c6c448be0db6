package org.onesided.server.shard.snapshot;

import java.util.concurrent.TimeUnit;

/**
 * Tells when a shard's next snapshot is due: when the log has grown, by bytes or by entries, when a client asks for
 * one, or when one has failed a while ago. Requests while one is written share the one behind it, and that one keeps a
 * pause, so that no client can keep the shard and its disk busy with snapshots. Also tells when a log without snapshots
 * has grown too long. Belongs to the shard's thread.
 */
public final class SnapshotPace
{
    /** After a snapshot that failed. */
    static final long RETRY_NS = TimeUnit.SECONDS.toNanos(30);
    /** Between a snapshot and the next one that was asked for: as long as the first took, within these bounds. */
    static final long LEAST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    static final long MOST_PAUSE_NS = TimeUnit.SECONDS.toNanos(30);
    /** {@link #restNs}: nobody knows. */
    static final long NEVER = Long.MAX_VALUE;

    private final long snapshotLog;
    private final long snapshotEntries;
    private long loggedBytes;
    private long loggedEntries;
    private boolean isRequested;
    private boolean hasFailed;
    /** Entries behind the newest snapshot, and whether one has failed since. */
    private long entriesBehind;
    private boolean isFailing;
    private boolean hasEnded;
    private long beganNs;
    private long endedNs;
    private long pauseNs;

    /**
     * @param snapshotLog     bytes of log after which a snapshot is due.
     * @param snapshotEntries entries of log after which a snapshot is due.
     */
    public SnapshotPace(final long snapshotLog, final long snapshotEntries)
    {
        this.snapshotLog = snapshotLog;
        this.snapshotEntries = snapshotEntries;
    }

    /** The log has grown by an entry. */
    void logged(final long bytes)
    {
        loggedBytes += bytes;
        loggedEntries++;
        entriesBehind++;
    }

    /**
     * Whether the log must not get longer before there is a snapshot: one has failed, and twice as many entries are
     * behind the newest as there would be otherwise. Each takes memory, also those of the newest but one.
     */
    boolean isOverdue()
    {
        return isFailing && entriesBehind / 2 >= snapshotEntries;
    }

    /** Whether the snapshot that is being written should be finished soon: half as many entries have come meanwhile. */
    boolean isLate()
    {
        return loggedBytes >= snapshotLog / 2 || loggedEntries >= snapshotEntries / 2 || isOverdue();
    }

    /** Entries behind the newest snapshot. */
    long entriesBehind()
    {
        return entriesBehind;
    }

    /** A client asks for a snapshot of what is in the table now. */
    void request()
    {
        isRequested = true;
    }

    boolean isDue(final long nowNs)
    {
        return !hasFailed && (loggedBytes >= snapshotLog || loggedEntries >= snapshotEntries) || restNs(nowNs) == 0;
    }

    /** Nanoseconds until a snapshot is due if the log does not grow; {@link #NEVER} if none will be. */
    long restNs(final long nowNs)
    {
        final long requestNs = !isRequested ? NEVER : hasEnded ? rest(pauseNs, nowNs) : 0;
        return Math.min(requestNs, hasFailed ? rest(RETRY_NS, nowNs) : NEVER);
    }

    private long rest(final long waitNs, final long nowNs)
    {
        return Math.max(0, waitNs - (nowNs - endedNs));
    }

    /** There is nothing to be written that the last snapshot does not contain. */
    void skip()
    {
        loggedBytes = 0;
        loggedEntries = 0;
        isRequested = false;
        hasFailed = false;
    }

    void begin(final long nowNs)
    {
        skip();
        beganNs = nowNs;
    }

    void end(final long nowNs)
    {
        isFailing = false;
        entriesBehind = loggedEntries;
        pause(nowNs);
    }

    private void pause(final long nowNs)
    {
        hasEnded = true;
        endedNs = nowNs;
        pauseNs = Math.max(LEAST_PAUSE_NS, Math.min(MOST_PAUSE_NS, endedNs - beganNs));
    }

    void fail(final long nowNs)
    {
        pause(nowNs);
        hasFailed = true;
        isFailing = true;
    }
}
