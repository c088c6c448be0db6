package org.onesided.server.raft.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * The files of one log. {@link #check} only reads; {@link #repair} changes what a crash has left. Ratis must not run.
 */
public final class LogFiles
{
    /** Name of the only member of the group. It is stored, so it never changes. */
    public static final String MEMBER = RaftMeta.MEMBER;

    static final String CURRENT = "current";

    private LogFiles()
    {
    }

    /**
     * Reads all entries of a log, and decides about the end of its open segment.
     *
     * @param directory     of the log. If it is missing, the log is empty.
     * @param snapshotIndex of the last entry in the snapshot that the log continues, or -1 without one.
     * @param discardTail   whether the open segment is cut at its first bad entry, damaged or not.
     * @return what is in the log, and what has to be repaired before Ratis starts.
     * @throws LogDamageException if the log is damaged, or does not continue the snapshot.
     * @throws IOException        if a file cannot be read.
     */
    public static LogReport check(final Path directory, final long snapshotIndex, final boolean discardTail)
        throws IOException
    {
        return check(directory, snapshotIndex, discardTail, (bytes) -> {});
    }

    /**
     * As {@link #check(Path, long, boolean)}, and tells how far it is.
     *
     * @param directory     of the log.
     * @param snapshotIndex of the last entry in the snapshot that the log continues, or -1 without one.
     * @param discardTail   whether the open segment is cut at its first bad entry, damaged or not.
     * @param onChecked     hears how many bytes were read, after each segment.
     * @return what is in the log, and what has to be repaired before Ratis starts.
     * @throws LogDamageException if the log is damaged, or does not continue the snapshot.
     * @throws IOException        if a file cannot be read.
     */
    public static LogReport check(
        final Path directory, final long snapshotIndex, final boolean discardTail, final LongConsumer onChecked)
        throws IOException
    {
        return new LogCheck(directory, directory.resolve(CURRENT), snapshotIndex, discardTail, onChecked).run();
    }

    /**
     * Makes the changes that a check has found to be necessary, and syncs all files of the log and their directories:
     * Ratis does not sync what it finds.
     *
     * @param report       of the check.
     * @param snapshotTerm of the last entry in the snapshot, or 0 without one.
     * @throws IOException if a file cannot be changed.
     */
    public static void repair(final LogReport report, final long snapshotTerm) throws IOException
    {
        for (final Repair repair : report.repairs())
        {
            repair.run();
        }
        final Path current = report.directory().resolve(CURRENT);
        if (!Files.isDirectory(current))
        {
            return;
        }
        final long term = term(report, snapshotTerm);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(current))
        {
            // Ratis fills an empty directory by itself.
            if (files.iterator().hasNext() && RaftMeta.term(current) < term)
            {
                RaftMeta.write(current, term);
            }
        }
        force(report.directory());
    }

    private static long term(final LogReport report, final long snapshotTerm)
    {
        return Math.max(report.lastTerm(), snapshotTerm);
    }

    /**
     * Checks that a member of a group of several knows how it has voted. To be called before {@link #repair}, which
     * would write that anew.
     *
     * @param report       of {@link #check}.
     * @param snapshotTerm of the newest snapshot's last entry, 0 without one.
     * @throws LogDamageException if it does not know: it might vote twice.
     * @throws IOException        if files cannot be read.
     */
    public static void checkVotes(final LogReport report, final long snapshotTerm) throws IOException
    {
        final Path current = report.directory().resolve(CURRENT);
        final long term = term(report, snapshotTerm);
        if (term > 0 && RaftMeta.term(current) < term)
        {
            throw new LogDamageException("the record of votes is missing, older than the log, or cannot be read, let " +
                "this server join with an empty directory: directory=" + current + " term=" + term);
        }
    }

    /**
     * Syncs all files of a log and their directories. Ratis may run.
     *
     * @param directory of the log.
     * @throws IOException if the file system fails.
     */
    public static void force(final Path directory) throws IOException
    {
        final Path current = directory.resolve(CURRENT);
        while (Files.isDirectory(current) && !tryForce(current))
        {
            // A segment was closed, which renames it: once more, so that none is left out.
            continue;
        }
        if (Files.isDirectory(directory))
        {
            forceDirectory(directory);
        }
    }

    private static boolean tryForce(final Path current) throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(current))
        {
            for (final Path file : files)
            {
                if (Segment.of(file) != null)
                {
                    SyncedFiles.force(file);
                }
            }
        }
        catch (final NoSuchFileException e)
        {
            return false;
        }
        forceDirectory(current);
        return true;
    }

    /**
     * @param directory of a log. Ratis may run.
     * @return bytes of its files.
     * @throws IOException if they cannot be listed, or one has been deleted meanwhile.
     */
    public static long bytes(final Path directory) throws IOException
    {
        final Path current = directory.resolve(CURRENT);
        if (!Files.isDirectory(current))
        {
            return 0;
        }
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(current))
        {
            for (final Path file : files)
            {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    /**
     * Syncs a directory: the names in it.
     *
     * @param directory to sync.
     * @throws IOException if the file system fails.
     */
    public static void forceDirectory(final Path directory) throws IOException
    {
        SyncedFiles.force(directory);
    }
}
