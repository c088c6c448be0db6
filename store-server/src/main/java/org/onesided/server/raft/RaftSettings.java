package org.onesided.server.raft;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.onesided.server.log.ShardLog;
import org.onesided.server.log.SyncMode;
import org.onesided.server.raft.peers.PeerSettings;

/**
 * Every setting of Ratis that differs from its default, and some that must stay what they are.
 */
final class RaftSettings
{
    /** Most entries that were proposed and are not handed over: what one fdatasync may serve. */
    static final int MOST_PROPOSED = 256;
    /** Most bytes of such entries. */
    static final int MOST_PROPOSED_BYTES = 8 << 20;

    /** Longest entry with what Ratis adds. Its reader cannot read a longer one again from a preallocated file. */
    private static final int MOST_ENTRY_BYTES = 1 << 20;
    /** Bytes of zeros that Ratis writes ahead: without them, each fdatasync would write the file's length too. */
    private static final int PREALLOCATED_BYTES = 1 << 20;

    private RaftSettings()
    {
    }

    static RaftProperties create(final RaftLogOptions options)
    {
        final RaftProperties properties = new RaftProperties();
        properties.set(RaftConfigKeys.Rpc.TYPE_KEY, NoTransport.class.getName());
        files(properties, options);
        memory(properties);
        leadership(properties);
        snapshots(properties);
        if (options.peers() != null)
        {
            PeerSettings.apply(properties, options.peers());
        }
        return properties;
    }

    /** Sets the directory of the groups that are added from now on. */
    static void directory(final RaftProperties properties, final Path directory)
    {
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
    }

    private static void files(final RaftProperties properties, final RaftLogOptions options)
    {
        // The default flush syncs before an entry counts. Unsafe-flush counts first and syncs behind.
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, options.sync() == SyncMode.INTERVAL);
        // It would count entries that were written during a sync, and so are not on the disk.
        RaftServerConfigKeys.Log.setAsyncFlushEnabled(properties, false);
        // The other policy drops all that follows a flipped bit.
        RaftServerConfigKeys.Log.setCorruptionPolicy(properties,
            RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        // Would write an entry of its own after each one, to say what is committed. In a group of one, all is.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        // Only whole segments are purged: short ones give disk space back soon.
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(options.segmentLength()));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(PREALLOCATED_BYTES));
        // A sync for each batch, but not before all that waits is written.
        RaftServerConfigKeys.Log.setForceSyncNum(properties, MOST_PROPOSED);
        // Purge what we say, when we say it.
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, 0);
        // A failed start on a full disk is found by ourselves.
        RaftServerConfigKeys.setStorageFreeSpaceMin(properties, SizeInBytes.valueOf(0));
    }

    private static void memory(final RaftProperties properties)
    {
        // The write buffer is direct memory of each group, 8 MiB by default. It must hold the longest entry.
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf(MOST_ENTRY_BYTES));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(MOST_ENTRY_BYTES + (64 << 10)));
        // Ratis waits, with its locks held, when this queue is full: we stop proposing long before that.
        RaftServerConfigKeys.Log.setQueueElementLimit(properties, 4 * MOST_PROPOSED);
        RaftServerConfigKeys.Log.setQueueByteLimit(properties,
            SizeInBytes.valueOf(4L * (MOST_PROPOSED_BYTES + ShardLog.MAX_ENTRY_LENGTH)));
        RaftServerConfigKeys.Write.setElementLimit(properties, 2 * MOST_PROPOSED);
        RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf(4L * MOST_PROPOSED_BYTES));
        // Entries of closed segments are kept for members that lag. There are none.
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 1);
        // The answers for clients that ask again. Ours never do: the shard has windows of its own.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, milliseconds(100));
        RaftServerConfigKeys.Read.ReadAfterWriteConsistent.setWriteIndexCacheExpiryTime(properties, milliseconds(1000));
    }

    private static void leadership(final RaftProperties properties)
    {
        // Nobody else can lead, so the first election need not wait for anybody.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, milliseconds(1));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, milliseconds(2));
        // Also how often a leader without work wakes up.
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, milliseconds(500));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, milliseconds(1000));
        // A process that was stopped for a minute would close the group; for ten seconds, it would step down.
        final TimeDuration never = TimeDuration.valueOf(3650, TimeUnit.DAYS);
        RaftServerConfigKeys.setCloseThreshold(properties, never);
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, never);
        RaftServerConfigKeys.setSleepDeviationThreshold(properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
    }

    private static void snapshots(final RaftProperties properties)
    {
        // The shard takes snapshots, and says what may be purged.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
    }

    private static TimeDuration milliseconds(final long time)
    {
        return TimeDuration.valueOf(time, TimeUnit.MILLISECONDS);
    }
}
