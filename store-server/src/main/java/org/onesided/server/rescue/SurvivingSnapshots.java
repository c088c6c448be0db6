package org.onesided.server.rescue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;

/**
 * The snapshots that a member has of one partition.
 *
 * @param file        the newest good one; null without one.
 * @param header      of that; null without one.
 * @param newestIndex of the last entry in the newest one, good or not; -1 if there is none.
 * @param problems    of those that are not good; a line each.
 */
record SurvivingSnapshots(
    @Nullable Path file, @Nullable SnapshotHeader header, long newestIndex, List<String> problems)
{
    /** A snapshot that can be opened. */
    private record Opened(Path file, SnapshotHeader header)
    {
    }

    static SurvivingSnapshots find(
        final Path directory, final Path logDirectory, final long tableId, final int number, final int partitions)
        throws IOException
    {
        final List<Path> files = new ArrayList<>(SnapshotStore.files(directory));
        // Whichever was sent is here by another name, too.
        files.addAll(RaftLogs.exchangedSnapshots(logDirectory));
        // Those that a start has found to be damaged, too.
        long newestIndex = SnapshotStore.newestIndex(directory);
        final List<String> problems = new ArrayList<>();
        final List<Opened> opened = new ArrayList<>();
        for (final Path file : files)
        {
            newestIndex = Math.max(newestIndex, index(file));
            try (SnapshotReader reader = new SnapshotReader(file))
            {
                reader.checkOwner(tableId, number, partitions);
                opened.add(new Opened(file, reader.header()));
            }
            catch (final SnapshotException e)
            {
                problems.add(e.getMessage());
            }
        }
        final Opened good = newest(opened, problems);
        return good == null ? new SurvivingSnapshots(null, null, newestIndex, List.copyOf(problems)) :
            new SurvivingSnapshots(good.file(), good.header(), newestIndex, List.copyOf(problems));
    }

    private static Opened newest(final List<Opened> opened, final List<String> problems)
    {
        opened.sort(Comparator.comparingLong((Opened each) -> each.header().index()).reversed());
        for (final Opened each : opened)
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

    /** By the name, which ends with it. */
    private static long index(final Path file)
    {
        final String name = file.getFileName().toString();
        return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
    }
}
