package org.onesided.server.rescue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;
import org.onesided.server.raft.files.LogTail;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;

/**
 * What a member has of one partition, all of which was read.
 *
 * @param number   of the partition, from 0.
 * @param snapshot the newest good one; null without one.
 * @param header   of that; null without one.
 * @param log      behind it.
 * @param lastMs   time of the last write, in milliseconds since 1970; -1 if it is not known.
 */
public record SurvivingPartition(
    int number, @Nullable Path snapshot, @Nullable SnapshotHeader header, LogReport log, long lastMs)
{
    /** A snapshot that is good. */
    private record Good(Path file, SnapshotHeader header)
    {
    }

    /**
     * Reads all of a partition.
     *
     * @param directory     of the member.
     * @param tableId       names the table.
     * @param number        of the partition, from 0.
     * @param partitions    of the table.
     * @param isTailDropped whether a damaged log counts up to the damage.
     * @return what is there.
     * @throws RescueException if the log is damaged, or nothing is there.
     * @throws IOException     if files cannot be read.
     */
    static SurvivingPartition read(
        final Path directory,
        final long tableId,
        final int number,
        final int partitions,
        final boolean isTailDropped) throws IOException
    {
        final Path logDirectory = RaftLogs.directory(DataDirectory.raft(directory), tableId, number);
        final List<Path> files = new ArrayList<>(SnapshotStore.files(DataDirectory.snapshots(directory, number)));
        files.addAll(RaftLogs.exchangedSnapshots(logDirectory));
        final List<String> problems = new ArrayList<>();
        final Good good = newest(files, tableId, number, partitions, problems);
        final LogReport log = log(logDirectory, good, number, isTailDropped, problems);
        if (good == null && log.entries() == 0)
        {
            throw new RescueException("this member has nothing of a partition, as it was still being added, or has " +
                "lost it, rescue another member: partition=" + number + " path=" + directory + last(problems));
        }
        final long lastMs = LogTail.timeMs(log);
        return new SurvivingPartition(number, good == null ? null : good.file(), good == null ? null : good.header(),
            log, lastMs >= 0 || good == null ? lastMs : good.header().timeMs());
    }

    private static Good newest(
        final List<Path> files,
        final long tableId,
        final int number,
        final int partitions,
        final List<String> problems)
    {
        final List<Good> opened = new ArrayList<>();
        for (final Path file : files)
        {
            try (SnapshotReader reader = new SnapshotReader(file))
            {
                reader.checkOwner(tableId, number, partitions);
                opened.add(new Good(file, reader.header()));
            }
            catch (final SnapshotException e)
            {
                problems.add(e.getMessage());
            }
        }
        // Whichever was sent is here by another name, too.
        opened.sort(Comparator.comparingLong((Good each) -> each.header().index()).reversed());
        for (final Good each : opened)
        {
            try
            {
                SnapshotReader.verify(each.file(), (bytes) -> {});
                return each;
            }
            catch (final SnapshotException e)
            {
                problems.add(e.getMessage());
            }
        }
        return null;
    }

    private static LogReport log(
        final Path logDirectory,
        final Good good,
        final int number,
        final boolean isTailDropped,
        final List<String> problems) throws IOException
    {
        try
        {
            return LogFiles.check(logDirectory, good == null ? -1 : good.header().index(), isTailDropped);
        }
        catch (final LogDamageException e)
        {
            throw new RescueException("this member's log of a partition is not good, rescue another member, or what " +
                "is before the damage with --discard-tail, if the damage is at the end: partition=" + number +
                " cause: " + e.getMessage() + last(problems), e);
        }
    }

    private static String last(final List<String> problems)
    {
        return problems.isEmpty() ? "" : "; and " + problems.get(problems.size() - 1);
    }

    /**
     * @return index of the last entry in the snapshot, -1 without one.
     */
    public long snapshotIndex()
    {
        return header == null ? -1 : header.index();
    }

    long snapshotTerm()
    {
        return header == null ? 0 : header.term();
    }

    /**
     * @return index of the last entry that is there, in the log or the snapshot.
     */
    public long lastIndex()
    {
        return Math.max(snapshotIndex(), log.lastIndex());
    }

    /**
     * @return its term.
     */
    public long lastTerm()
    {
        return Math.max(snapshotTerm(), log.lastTerm());
    }
}
