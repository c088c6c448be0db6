package org.onesided.server.shard.logged;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.onesided.server.log.ShardLog;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.reign.Replication;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;

/**
 * What makes a shard's table outlive its process.
 *
 * @param log         of the shard; its owner closes it.
 * @param time        that the table was made with.
 * @param life        random number, by which the shard knows its own entries.
 * @param isDurable   whether what the log hands over is on this server's disk.
 * @param replication of the log to other servers; null if there is none.
 * @param defaultTtlMs of keys whose puts say nothing about it, in milliseconds; 0 for ever.
 * @param memoryShare bytes of memory that the shard may use.
 * @param indexBytes  of the shard's index, now.
 * @param snapshots   of the shard.
 * @param newest      reads the newest of them, from which the log goes on; null if there is none. The shard closes it.
 * @param snapshotLog bytes of log behind which a snapshot is due.
 * @param snapshotEntries of log behind which a snapshot is due.
 * @param onReadBack  hears how many bytes of snapshot and log were read back, each time some more were.
 * @param onRecovered is run on the shard's thread when all of the log was read back.
 */
public record ShardDurability(
    ShardLog log,
    LoggedTime time,
    long life,
    boolean isDurable,
    Replication replication,
    long defaultTtlMs,
    long memoryShare,
    LongSupplier indexBytes,
    SnapshotStore snapshots,
    SnapshotReader newest,
    long snapshotLog,
    long snapshotEntries,
    LongConsumer onReadBack,
    Runnable onRecovered)
{
    /** Whether other servers have the same log. */
    boolean isReplicated()
    {
        return replication != null;
    }
}
