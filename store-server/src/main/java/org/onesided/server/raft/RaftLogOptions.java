package org.onesided.server.raft;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.log.SyncMode;
import org.onesided.server.raft.peers.Peers;
import org.onesided.server.raft.peers.SnapshotExchange;

/**
 * How {@link RaftLogs} keeps logs. Not thread-safe.
 */
public final class RaftLogOptions
{
    /** Default length of a segment. A log's disk use exceeds what is not purged by no more than this. */
    public static final int DEFAULT_SEGMENT_LENGTH = 8 << 20;
    /** Least length of a segment: an entry of the maximum length fits. */
    public static final int MIN_SEGMENT_LENGTH = 2 << 20;

    private static final long LEAST_RESERVE = 64L << 20;

    private final Path directory;
    private final long tableId;
    private SyncMode sync = SyncMode.ALWAYS;
    private boolean discardTail;
    private int segmentLength = DEFAULT_SEGMENT_LENGTH;
    private long reserveBytes = -1;
    private LongConsumer onChecked = (bytes) -> {};
    private Peers peers;
    private IntFunction<SnapshotFiles> snapshots;
    private MembersListener onMembers;

    /**
     * @param directory holds the files of all logs, and nothing else. It is made if it is missing.
     * @param tableId   of the table. The logs of another table are not found under it.
     */
    public RaftLogOptions(final Path directory, final long tableId)
    {
        this.directory = Objects.requireNonNull(directory, "directory");
        this.tableId = tableId;
    }

    /**
     * @param mode when an entry counts as committed; {@link SyncMode#ALWAYS} unless set.
     * @return this.
     */
    public RaftLogOptions sync(final SyncMode mode)
    {
        sync = Objects.requireNonNull(mode, "mode");
        return this;
    }

    /**
     * @param discard whether a log that cannot be read to its end is cut at its first bad entry.
     * @return this.
     */
    public RaftLogOptions discardTail(final boolean discard)
    {
        discardTail = discard;
        return this;
    }

    /**
     * @param bytes of a segment, at least {@link #MIN_SEGMENT_LENGTH}.
     * @return this.
     */
    public RaftLogOptions segmentLength(final int bytes)
    {
        if (bytes < MIN_SEGMENT_LENGTH)
        {
            throw new IllegalArgumentException("a segment must hold the longest entry: segmentLength=" + bytes);
        }
        segmentLength = bytes;
        return this;
    }

    /**
     * @param bytes that must be free in the file system for the logs to take entries. Unless set: 64 MiB, or two
     *              segments per shard if these are more.
     * @return this.
     */
    public RaftLogOptions reserveBytes(final long bytes)
    {
        if (bytes < 0)
        {
            throw new IllegalArgumentException("reserveBytes must not be negative: reserveBytes=" + bytes);
        }
        reserveBytes = bytes;
        return this;
    }

    /**
     * @param listener hears how many bytes of the logs were read and checked, each time some more were.
     * @return this.
     */
    public RaftLogOptions onChecked(final LongConsumer listener)
    {
        onChecked = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /**
     * Makes each log one of several members, on several servers. Without this call, this server is the only one.
     *
     * @param members   this server's and the others'.
     * @param snapshots gives those of a shard, by its number.
     * @return this.
     */
    public RaftLogOptions peers(final Peers members, final IntFunction<SnapshotFiles> snapshots)
    {
        peers = Objects.requireNonNull(members, "members");
        this.snapshots = Objects.requireNonNull(snapshots, "snapshots");
        return this;
    }

    /**
     * @param listener hears who keeps the logs, if they have several members.
     * @return this.
     */
    public RaftLogOptions onMembers(final MembersListener listener)
    {
        onMembers = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /** Null for none. */
    MembersListener onMembers()
    {
        return onMembers;
    }

    /**
     * @throws IllegalArgumentException if the options are of no use together.
     */
    void check()
    {
        if (peers != null && (sync != SyncMode.ALWAYS || discardTail))
        {
            throw new IllegalArgumentException("a log with several members keeps what it has promised to others, so " +
                "it syncs always and discards nothing: sync=" + sync + " discardTail=" + discardTail);
        }
    }

    /** Null if this server is the only member. */
    Peers peers()
    {
        return peers;
    }

    /** Null if this server is the only member. */
    SnapshotExchange exchange(final int shard, final Path group)
    {
        return peers == null ? null : new SnapshotExchange(group, snapshots.apply(shard));
    }

    Path directory()
    {
        return directory;
    }

    long tableId()
    {
        return tableId;
    }

    LongConsumer onChecked()
    {
        return onChecked;
    }

    SyncMode sync()
    {
        return sync;
    }

    boolean discardTail()
    {
        return discardTail;
    }

    int segmentLength()
    {
        return segmentLength;
    }

    long leastFreeBytes(final int shards)
    {
        return reserveBytes >= 0 ? reserveBytes : Math.max(LEAST_RESERVE, 2L * segmentLength * shards);
    }
}
