package org.onesided.server.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.snapshot.SnapshotException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a shard's snapshots. It keeps two: if the newer one is damaged, the one before serves, so the log
 * behind that must stay, too ({@link #oldestIndex}). Thread-safe, but for {@link #openNewest}.
 */
public final class SnapshotStore
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SnapshotStore.class);
    private static final int KEPT = 2;
    private static final String PREFIX = "snapshot-";
    private static final String DAMAGED = ".damaged";
    private static final int DIGITS = 19;

    /** A file that was good when it was written, or read. */
    private record Kept(Path path, long bytes, long createdMs)
    {
    }

    private final Path directory;
    private final long tableId;
    private final int shard;
    private final int shards;
    /** By index. Of those that were there at the start only the names are known. */
    private final TreeMap<Long, Kept> kept = new TreeMap<>();

    /**
     * Opens a directory, which is made if it is not there. What a crash has left half written is removed.
     *
     * @param directory of the shard's snapshots.
     * @param tableId   names the table.
     * @param shard     number of the shard, from 0.
     * @param shards    of the table.
     * @throws SnapshotException if the directory cannot be made or read.
     */
    public SnapshotStore(final Path directory, final long tableId, final int shard, final int shards)
    {
        this.directory = directory;
        this.tableId = tableId;
        this.shard = shard;
        this.shards = shards;
        try
        {
            DiskFiles.createDirectories(directory);
            for (final Path file : list(directory))
            {
                if (DiskFiles.isTemporary(file))
                {
                    Files.delete(file);
                }
                else if (index(file) >= 0)
                {
                    kept.put(index(file), new Kept(file, Files.size(file), 0));
                }
            }
        }
        catch (final IOException e)
        {
            throw unusable(e);
        }
    }

    /**
     * @param directory of a shard's snapshots.
     * @return its whole snapshots, the newest first; temporary and damaged ones are left out.
     * @throws IOException if it cannot be read.
     */
    public static List<Path> files(final Path directory) throws IOException
    {
        return list(directory).stream()
            .filter((file) -> index(file) >= 0)
            .sorted(Comparator.comparingLong(SnapshotStore::index).reversed())
            .toList();
    }

    private static List<Path> list(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.toList();
        }
    }

    /**
     * @param directory of a shard's snapshots.
     * @return index of the newest snapshot that is or was there, by the names of the files, those of damaged ones
     *         included; -1 if there are none.
     * @throws IOException if it cannot be read.
     */
    public static long newestIndex(final Path directory) throws IOException
    {
        return list(directory).stream().mapToLong((file) ->
        {
            final String name = file.getFileName().toString();
            return indexIn(name.endsWith(DAMAGED) ? name.substring(0, name.length() - DAMAGED.length()) : name);
        }).max().orElse(-1);
    }

    private static long index(final Path file)
    {
        return indexIn(file.getFileName().toString());
    }

    /** Index in a snapshot's name; -1 if it is not one. */
    private static long indexIn(final String name)
    {
        return name.matches(PREFIX + "\\d{" + DIGITS + "}") ? Long.parseLong(name.substring(PREFIX.length())) : -1;
    }

    /**
     * Begins a snapshot. When it is done, only this one and the newest before it stay.
     *
     * @param header says what it is of.
     * @return where it goes.
     * @throws IllegalArgumentException if it is not of this shard, or its index is negative.
     */
    public SnapshotWriter create(final SnapshotHeader header)
    {
        if (header.tableId() != tableId || header.shard() != shard || header.shards() != shards || header.index() < 0)
        {
            throw new IllegalArgumentException("a snapshot must be of the store's shard: " + header);
        }
        final Path path = file(header.index());
        return new SnapshotWriter(path, header, (bytes) -> onDone(header, path, bytes));
    }

    /**
     * @param index of the last entry in a snapshot.
     * @return where the snapshot is, or would be.
     */
    public Path file(final long index)
    {
        return directory.resolve(String.format("%s%0" + DIGITS + "d", PREFIX, index));
    }

    /**
     * Takes a snapshot over that was written elsewhere: checks all of it, forces it to the disk and moves it here. All
     * others go, as the log between them and this one may be missing.
     *
     * @param file in the same file system.
     * @throws SnapshotException if it is damaged, or of another shard.
     * @throws IOException       if it cannot be forced or moved.
     */
    public void adopt(final Path file) throws IOException
    {
        final SnapshotHeader header = SnapshotReader.verify(file, (bytes) -> {});
        try (SnapshotReader reader = new SnapshotReader(file))
        {
            reader.checkOwner(tableId, shard, shards);
        }
        DiskFiles.force(file);
        final Path path = file(header.index());
        Files.move(file, path, StandardCopyOption.ATOMIC_MOVE);
        DiskFiles.forceDirectory(directory);
        synchronized (this)
        {
            kept.values().stream().map(Kept::path).filter((old) -> !old.equals(path)).forEach(this::remove);
            kept.clear();
            kept.put(header.index(), new Kept(path, Files.size(path), header.createdMs()));
        }
    }

    private synchronized void onDone(final SnapshotHeader header, final Path path, final long bytes)
    {
        kept.put(header.index(), new Kept(path, bytes, header.createdMs()));
        while (kept.size() > KEPT)
        {
            remove(kept.pollFirstEntry().getValue().path());
        }
        try
        {
            list(directory).stream().filter((file) -> file.toString().endsWith(DAMAGED)).forEach(this::remove);
        }
        catch (final IOException e)
        {
            LOGGER.warn("old snapshots cannot be looked for: directory={} cause={}", directory, e.toString());
        }
    }

    private void remove(final Path file)
    {
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException e)
        {
            LOGGER.warn("old snapshot cannot be removed: file={} cause={}", file, e.toString());
        }
    }

    /**
     * Finds the newest good snapshot: each is read as a whole. If one is damaged, the one before it is tried; a line in
     * the log tells of it. If none is good, the log alone serves, as long as it holds all that they contained. Damaged
     * ones are set aside, and removed after the next snapshot.
     *
     * @param onChecked hears how many bytes were read, each time some more were.
     * @param log       of the shard.
     * @return reads it from its beginning; null if the log alone is the whole state.
     * @throws SnapshotException if there are or were some, none is good, and the log alone does not serve; or if one is
     *                           of a newer format, or of something else.
     */
    public SnapshotReader openNewest(final LongConsumer onChecked, final LogRange log)
    {
        final List<Path> bad = new ArrayList<>();
        SnapshotException last = null;
        for (final Path file : newestFirst())
        {
            try
            {
                final SnapshotReader reader = open(file, onChecked);
                bad.forEach(this::setAside);
                return reader;
            }
            catch (final SnapshotException e)
            {
                if (!e.isOfThisFile())
                {
                    throw e;
                }
                LOGGER.warn("snapshot is not good, trying the one before it: {}", e.getMessage());
                bad.add(file);
                last = e;
            }
        }
        startWithout(bad, last, log);
        return null;
    }

    /** Without a snapshot, the log is taken for the whole state: so it has to hold all of that. */
    private void startWithout(final List<Path> bad, final SnapshotException last, final LogRange log)
    {
        final long newest;
        try
        {
            newest = newestIndex(directory);
        }
        catch (final IOException e)
        {
            throw unusable(e);
        }
        if (newest < 0)
        {
            return;
        }
        if (!log.isWholeUpTo(newest))
        {
            throw new SnapshotException(last == null ? Reason.DAMAGED : last.reason(),
                "no snapshot is good, and the log does not hold all entries from the first one on, restore a backup: " +
                "directory=" + directory + " index=" + newest + (last == null ? "" : " last: " + last.getMessage()),
                last);
        }
        LOGGER.warn("no snapshot is good, starting from the log alone: directory={} index={}", directory, newest);
        bad.forEach(this::setAside);
    }

    private synchronized List<Path> newestFirst()
    {
        return kept.descendingMap().values().stream().map(Kept::path).toList();
    }

    private SnapshotException unusable(final IOException e)
    {
        return new SnapshotException(Reason.UNREADABLE,
            "directory of snapshots cannot be used: directory=" + directory + " cause=" + e, e);
    }

    private SnapshotReader open(final Path path, final LongConsumer onChecked)
    {
        final SnapshotHeader header = SnapshotReader.verify(path, onChecked);
        final SnapshotReader reader = new SnapshotReader(path);
        boolean isGood = false;
        try
        {
            reader.checkOwner(tableId, shard, shards);
            if (header.index() != index(path))
            {
                throw new SnapshotException(Reason.DAMAGED,
                    "snapshot has the name of another: file=" + path + " index=" + header.index());
            }
            synchronized (this)
            {
                kept.put(header.index(), new Kept(path, reader.size(), header.createdMs()));
            }
            isGood = true;
            return reader;
        }
        finally
        {
            if (!isGood)
            {
                reader.close();
            }
        }
    }

    private synchronized void setAside(final Path file)
    {
        kept.remove(index(file));
        try
        {
            Files.move(file, file.resolveSibling(file.getFileName() + DAMAGED));
        }
        catch (final IOException e)
        {
            LOGGER.warn("snapshot cannot be set aside: file={} cause={}", file, e.toString());
        }
    }

    /**
     * @return index of the newest snapshot; -1 if there is none.
     */
    public synchronized long newestIndex()
    {
        return kept.isEmpty() ? -1 : kept.lastKey();
    }

    /**
     * @return index of the oldest snapshot that is kept: entries of the log up to this one may go. -1 if there are
     *         fewer than two snapshots: then the log is what a damaged snapshot is replaced by.
     */
    public synchronized long oldestIndex()
    {
        return kept.size() < KEPT ? -1 : kept.firstKey();
    }

    /**
     * @return bytes of the newest snapshot; 0 if there is none.
     */
    public synchronized long newestBytes()
    {
        return kept.isEmpty() ? 0 : kept.lastEntry().getValue().bytes();
    }

    /**
     * @return when the newest snapshot was begun, in milliseconds since 1970; 0 if there is none, or its file was not
     *         read yet.
     */
    public synchronized long newestCreatedMs()
    {
        return kept.isEmpty() ? 0 : kept.lastEntry().getValue().createdMs();
    }

    /**
     * @return bytes of all snapshots that are kept.
     */
    public synchronized long diskBytes()
    {
        return kept.values().stream().mapToLong(Kept::bytes).sum();
    }
}
