package org.onesided.server.data;

import java.nio.file.Path;
import java.util.Locale;
import org.onesided.server.log.SyncMode;

/**
 * Where a server keeps its table on disk, and how.
 *
 * @param directory   of the table; null for a table that is in memory only.
 * @param sync        when a write is acknowledged.
 * @param snapshotLog bytes that a shard's log grows by until the shard writes a snapshot.
 * @param discardTail whether to start from a log that cannot be read to its end, without the rest of it.
 * @param onReadBack  hears how far the table is read back at the start.
 */
public record DataOptions(
    Path directory, SyncMode sync, long snapshotLog, boolean discardTail, ReadBackListener onReadBack)
{
    /** Least of {@link #snapshotLog}. */
    public static final long MIN_SNAPSHOT_LOG = 16L << 20;
    /** Default of {@link #snapshotLog}. */
    public static final long DEFAULT_SNAPSHOT_LOG = 256L << 20;
    /** A table that is in memory only. */
    public static final DataOptions NONE =
        new DataOptions(null, SyncMode.ALWAYS, DEFAULT_SNAPSHOT_LOG, false, (bytes, length) -> {});

    /**
     * Options as a whole.
     *
     * @param directory   of the table; null for a table that is in memory only.
     * @param sync        when a write is acknowledged.
     * @param snapshotLog bytes that a shard's log grows by until the shard writes a snapshot.
     * @param discardTail whether to start from a log that cannot be read to its end, without the rest of it.
     * @param onReadBack  hears how far the table is read back at the start.
     * @throws IllegalArgumentException if the length is out of its range, or something is wanted of a table that is in
     *                                  memory only.
     */
    public DataOptions
    {
        if (snapshotLog < MIN_SNAPSHOT_LOG)
        {
            throw new IllegalArgumentException("a snapshot follows after at least " + MIN_SNAPSHOT_LOG +
                " bytes of log: snapshotLog=" + snapshotLog);
        }
    }

    /**
     * @param path directory of a table that outlives the server's process; an empty or missing one for a new table.
     * @return options for a table there.
     */
    public static DataOptions in(final Path path)
    {
        return NONE.directory(path);
    }

    /**
     * @return whether the table outlives the server's process.
     */
    public boolean isStored()
    {
        return directory != null;
    }

    /**
     * @param path directory of the table.
     * @return the same options with that directory.
     */
    public DataOptions directory(final Path path)
    {
        return new DataOptions(path, sync, snapshotLog, discardTail, onReadBack);
    }

    /**
     * @param mode when a write is acknowledged.
     * @return the same options with that mode.
     */
    public DataOptions sync(final SyncMode mode)
    {
        return new DataOptions(directory, mode, snapshotLog, discardTail, onReadBack);
    }

    /**
     * @param bytes that a shard's log grows by until the shard writes a snapshot.
     * @return the same options with that length.
     */
    public DataOptions snapshotLog(final long bytes)
    {
        return new DataOptions(directory, sync, bytes, discardTail, onReadBack);
    }

    /**
     * @param discard whether to start from a log that cannot be read to its end, without the rest of it.
     * @return the same options with that.
     */
    public DataOptions discardTail(final boolean discard)
    {
        return new DataOptions(directory, sync, snapshotLog, discard, onReadBack);
    }

    /**
     * @param listener hears how far the table is read back at the start. If it throws, the start fails.
     * @return the same options with that.
     */
    public DataOptions onReadBack(final ReadBackListener listener)
    {
        return new DataOptions(directory, sync, snapshotLog, discardTail, listener);
    }

    /**
     * @param text always or interval.
     * @return the mode.
     * @throws IllegalArgumentException if it is neither.
     */
    public static SyncMode sync(final String text)
    {
        return switch (text.toLowerCase(Locale.ROOT))
        {
            case "always" -> SyncMode.ALWAYS;
            case "interval" -> SyncMode.INTERVAL;
            default -> throw new IllegalArgumentException("must be always or interval: sync=" + text);
        };
    }
}
