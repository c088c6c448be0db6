package org.onesided.client.types;

/**
 * How a shard's table stands on the server's disk.
 *
 * @param takesWrites      whether its log does: not while the disk is full or has failed.
 * @param appliedIndex     of the log's entry that was applied last; -1 for none.
 * @param logBytes         of the log's files.
 * @param snapshotIndex    of the log's last entry in the newest snapshot; -1 if there is none.
 * @param snapshotBytes    of the newest snapshot; 0 if there is none.
 * @param snapshotAgeMs    since the newest snapshot was begun, in milliseconds; -1 if there is none.
 * @param snapshotPercent  how much of the table is in the snapshot that is being written; -1 if none is.
 * @param snapshotFailures snapshots that could not be written, since the server's start.
 */
public record ShardStorage(
    boolean takesWrites,
    long appliedIndex,
    long logBytes,
    long snapshotIndex,
    long snapshotBytes,
    long snapshotAgeMs,
    int snapshotPercent,
    long snapshotFailures)
{
}
