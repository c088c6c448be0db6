package org.onesided.server.raft;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.onesided.server.log.SyncMode;

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
