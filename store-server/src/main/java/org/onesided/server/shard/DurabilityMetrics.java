package org.onesided.server.shard;

/**
 * How a shard's table stands on disk. Each number is exact; together they are no snapshot of one moment.
 *
 * @param appliedIndex     of the log's entry that was applied last; -1 for none.
 * @param takesWrites      whether the log does.
 * @param logFailures      how often it has stopped doing so, since the start.
 * @param logBytes         of the log's files.
 * @param snapshotIndex    of the log's last entry in the newest snapshot; -1 if there is none.
 * @param snapshotBytes    of the newest snapshot; 0 if there is none.
 * @param snapshotAgeMs    since the newest snapshot was begun, in milliseconds; -1 if there is none.
 * @param snapshotProgress which part of the table is in the snapshot that is being written, from 0 to 1; -1 if none is.
 * @param snapshotFailures snapshots that could not be written, since the start.
 * @param sessions         that the log knows.
 */
public record DurabilityMetrics(
    long appliedIndex,
    boolean takesWrites,
    long logFailures,
    long logBytes,
    long snapshotIndex,
    long snapshotBytes,
    long snapshotAgeMs,
    double snapshotProgress,
    long snapshotFailures,
    long sessions)
{
}
