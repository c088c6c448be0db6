package org.onesided.server.rescue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onesided.server.data.DirectoryLayout;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;
import org.onesided.server.raft.files.LogTail;
import org.onesided.server.snapshot.SnapshotHeader;

/**
 * What a member has of one partition, all of which was read.
 *
 * @param number   of the partition, from 0.
 * @param snapshot the newest good one; null without one.
 * @param header   of that; null without one.
 * @param log      behind it.
 * @param lastMs   time of the last write, in milliseconds since 1970; -1 if it is not known.
 * @param leftOut  what is not in it: files that are not good, and entries that are dropped; a line each.
 */
public record SurvivingPartition(
    int number, @Nullable Path snapshot, @Nullable SnapshotHeader header, LogReport log, long lastMs,
    List<String> leftOut)
{
    /**
     * Reads all of a partition.
     *
     * @param directory     of the member.
     * @param tableId       names the table.
     * @param number        of the partition, from 0.
     * @param partitions    of the table.
     * @param isSpread      whether members keep some partitions only, so that this one may have nothing of it.
     * @param isTailDropped whether a damaged log counts up to the damage.
     * @return what is there.
     * @throws RescueException if the log is damaged, or nothing, or not all is there that must be.
     * @throws IOException     if files cannot be read.
     */
    static SurvivingPartition read(
        final Path directory,
        final long tableId,
        final int number,
        final int partitions,
        final boolean isSpread,
        final boolean isTailDropped) throws IOException
    {
        final Path logDirectory = RaftLogs.directory(new DirectoryLayout(directory).raft(), tableId, number);
        final SurvivingSnapshots snapshots = SurvivingSnapshots.find(
            new DirectoryLayout(directory).snapshots(number), logDirectory, tableId, number, partitions);
        final SnapshotHeader header = snapshots.header();
        final LogReport whole = log(logDirectory, header, number, isTailDropped, snapshots);
        final boolean isNothing = header == null && whole.entries() == 0;
        if (isNothing && !isSpread)
        {
            throw new RescueException("this member has nothing of a partition, as it was still being added, or has " +
                "lost it, rescue another member: partition=" + number + " path=" + directory + last(snapshots));
        }
        final List<String> leftOut = new ArrayList<>(snapshots.problems());
        leftOut.addAll(whole.losses());
        final LogReport log = ofLeaders(whole, header, leftOut);
        if (isNothing)
        {
            leftOut.add("all of it: this member does not keep the partition, or has lost it, rescue another one that " +
                "does, too");
        }
        final String lost = lost(log, whole, header, snapshots);
        if (lost != null && !isTailDropped)
        {
            throw new RescueException("this member has lost some of a partition, rescue another member, or what is " +
                "left with --discard-tail: partition=" + number + " path=" + directory + " cause: " + lost);
        }
        if (lost != null)
        {
            leftOut.add(lost);
        }
        final long lastMs = LogTail.timeMs(log);
        return new SurvivingPartition(number, snapshots.file(), header, log,
            lastMs >= 0 || header == null ? lastMs : header.timeMs(), List.copyOf(leftOut));
    }

    private static LogReport log(
        final Path logDirectory,
        final SnapshotHeader header,
        final int number,
        final boolean isTailDropped,
        final SurvivingSnapshots snapshots) throws IOException
    {
        try
        {
            return LogFiles.check(logDirectory, header == null ? -1 : header.index(), isTailDropped);
        }
        catch (final LogDamageException e)
        {
            throw new RescueException("this member's log of a partition is not good, rescue another member, or what " +
                "is before the damage with --discard-tail, if the damage is at the end: partition=" + number +
                " cause: " + e.getMessage() + last(snapshots), e);
        }
    }

    /**
     * A snapshot that another member sent replaces the log, and a crash may come in between. Terms never fall in a log,
     * so one that ends in a lower term than the snapshot's does not continue it.
     */
    private static LogReport ofLeaders(
        final LogReport whole, final SnapshotHeader header, final List<String> leftOut)
    {
        if (header == null || whole.lastIndex() <= header.index() || whole.lastTerm() >= header.term())
        {
            return whole;
        }
        leftOut.add("entries of a leader that was deposed, behind a snapshot of a later one: directory=" +
            whole.directory() + ", index=" + whole.lastIndex() + ", term=" + whole.lastTerm() + ", snapshot=" +
            header.index() + ", term of that=" + header.term());
        return whole.emptied();
    }

    /** Why entries must have been there that are not; or null. */
    private static String lost(
        final LogReport log, final LogReport whole, final SnapshotHeader header, final SurvivingSnapshots snapshots)
        throws IOException
    {
        if (snapshots.newestIndex() > Math.max(log.lastIndex(), header == null ? -1 : header.index()))
        {
            return "the newest snapshot is not good, and the log does not reach its end: snapshot=" +
                snapshots.newestIndex() + last(snapshots);
        }
        try
        {
            // As a start does: whoever has voted in a term less than that of the entries has lost files.
            LogFiles.checkVotes(whole, header == null ? 0 : header.term());
            return null;
        }
        catch (final LogDamageException e)
        {
            return "the record of votes is missing, or older than the entries, so files of the log are lost: " +
                "directory=" + whole.directory();
        }
    }

    private static String last(final SurvivingSnapshots snapshots)
    {
        final List<String> problems = snapshots.problems();
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
        return log.lastIndex() > snapshotIndex() ? log.lastTerm() : snapshotTerm();
    }

    /**
     * @return whether there is nothing of it.
     */
    boolean isNothing()
    {
        return header == null && log.entries() == 0;
    }
}
