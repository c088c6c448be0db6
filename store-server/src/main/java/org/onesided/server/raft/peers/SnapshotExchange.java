package org.onesided.server.raft.peers;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.onesided.server.log.SnapshotFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a shard's snapshots from one member to another. Ratis sends files out of the folder {@value #FOLDER} of
 * the group, and lets what it has received take the place of that folder. So the newest snapshot has a second name
 * there, a hard link; and what has come is moved away, to the other snapshots, before anything else uses it.
 * Thread-safe.
 */
public final class SnapshotExchange
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SnapshotExchange.class);
    private static final String FOLDER = "sm";
    private static final String PREFIX = "snapshot-";
    private static final int KEPT = 2;

    private final Path folder;
    private final SnapshotFiles snapshots;
    private Sent latest;

    /**
     * @param group     directory of the group.
     * @param snapshots of the shard.
     */
    public SnapshotExchange(final Path group, final SnapshotFiles snapshots)
    {
        folder = group.resolve(FOLDER);
        this.snapshots = snapshots;
    }

    /**
     * @return the newest snapshot, to be sent; null without one, or if it cannot be read.
     */
    public synchronized SnapshotInfo latest()
    {
        try
        {
            final SnapshotFiles.Newest newest = snapshots.newest();
            if (newest == null)
            {
                return null;
            }
            if (latest == null || latest.last.getIndex() != newest.index() || latest.files.isEmpty())
            {
                latest = link(newest);
            }
            return latest;
        }
        catch (final IOException e)
        {
            LOGGER.warn("snapshot cannot be sent to other members: folder={} cause={}", folder, e.toString());
            return latest;
        }
    }

    private Sent link(final SnapshotFiles.Newest newest) throws IOException
    {
        final TermIndex last = TermIndex.valueOf(newest.term(), newest.index());
        if (!Files.isDirectory(folder))
        {
            // Ratis makes it, and asks before. Nothing is sent that early.
            return new Sent(last, List.of());
        }
        final Path link = folder.resolve(PREFIX + newest.index());
        try
        {
            Files.createLink(link, newest.file());
        }
        catch (final FileAlreadyExistsException e)
        {
            // By this process, or by one before it.
            LOGGER.debug("snapshot has its link already: link={}", link);
        }
        final List<Long> indexes = indexes();
        // The one before may be on its way.
        for (final Long old : indexes.subList(0, Math.max(0, indexes.size() - KEPT)))
        {
            Files.deleteIfExists(folder.resolve(PREFIX + old));
        }
        // Without a digest: Ratis computes it while it sends.
        return new Sent(last, List.of(new FileInfo(link, null)));
    }

    /**
     * Snapshots that were sent or have come, whether they were adopted or not. Ratis must not run.
     *
     * @param group directory of the group.
     * @return the files, the newest first.
     * @throws IOException if they cannot be listed.
     */
    public static List<Path> files(final Path group) throws IOException
    {
        final Path folder = group.resolve(FOLDER);
        final List<Path> files = new ArrayList<>();
        indexes(folder).forEach((index) -> files.add(0, folder.resolve(PREFIX + index)));
        return files;
    }

    private List<Long> indexes() throws IOException
    {
        return indexes(folder);
    }

    /** Indexes of the snapshots in the folder, in ascending order. */
    private static List<Long> indexes(final Path folder) throws IOException
    {
        final List<Long> indexes = new ArrayList<>();
        if (Files.isDirectory(folder))
        {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*"))
            {
                for (final Path file : files)
                {
                    final String number = file.getFileName().toString().substring(PREFIX.length());
                    if (number.matches("\\d{1,18}"))
                    {
                        indexes.add(Long.parseLong(number));
                    }
                }
            }
            indexes.sort(null);
        }
        return indexes;
    }

    /**
     * Makes a snapshot that has come from a leader the newest one, if there is one in the folder.
     *
     * @return the last entry in it, or null if none has come.
     * @throws IOException if it is damaged or cannot be moved.
     */
    public synchronized TermIndex adopt() throws IOException
    {
        final List<Long> indexes = indexes();
        final SnapshotFiles.Newest before = snapshots.newest();
        final long newest = indexes.isEmpty() ? -1 : indexes.get(indexes.size() - 1);
        if (newest < 0 || before != null && newest <= before.index())
        {
            return null;
        }
        latest = null;
        snapshots.adopt(folder.resolve(PREFIX + newest));
        final SnapshotFiles.Newest adopted = snapshots.newest();
        if (adopted == null || adopted.index() != newest)
        {
            throw new IOException("snapshot from the leader is another than its name says: folder=" + folder +
                " name=" + newest);
        }
        return TermIndex.valueOf(adopted.term(), adopted.index());
    }

    /**
     * Adopts what a process has left that ended between receiving a snapshot and adopting it. To be called before the
     * snapshots are read and the log is opened.
     *
     * @throws IOException if files cannot be read or moved.
     */
    public synchronized void adoptLeft() throws IOException
    {
        try
        {
            final TermIndex adopted = adopt();
            if (adopted != null)
            {
                LOGGER.info("snapshot from the leader was left, and is adopted: folder={} last={}", folder, adopted);
            }
        }
        catch (final IOException e)
        {
            // It was not forced to the disk yet. If it is needed, the check of the log says so.
            LOGGER.warn("snapshot from the leader was left, and is not good: folder={} cause={}", folder, e.toString());
            for (final Long index : indexes())
            {
                Files.deleteIfExists(folder.resolve(PREFIX + index));
            }
        }
    }

    private record Sent(TermIndex last, List<FileInfo> files) implements SnapshotInfo
    {
        @Override
        public TermIndex getTermIndex()
        {
            return last;
        }

        @Override
        public List<FileInfo> getFiles()
        {
            return files;
        }
    }
}
