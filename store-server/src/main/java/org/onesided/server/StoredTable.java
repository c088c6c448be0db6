package org.onesided.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterFile;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.server.data.DirectoryLayout;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.data.TableOnDisk;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;

/**
 * What is in a data directory that no server uses.
 *
 * @param path       of the directory.
 * @param tableId    names the table.
 * @param serverLife that clients know.
 * @param shards     of the table, in their order.
 * @param cluster    that keeps the table; null for the table of a server that is alone.
 */
public record StoredTable(
    Path path, long tableId, long serverLife, List<StoredShard> shards, @Nullable ClusterDescription cluster)
{
    /**
     * A shard.
     *
     * @param number     of the shard, from 0.
     * @param snapshots  the newest first.
     * @param firstIndex of the log, -1 if it is empty.
     * @param lastIndex  of the log, -1 if it is empty.
     * @param logBytes   of good entries.
     * @param findings   what the next start puts right by itself, a line each.
     * @param problem    why the next start will be refused, in one line; null if it will not.
     */
    public record StoredShard(
        int number,
        List<StoredSnapshot> snapshots,
        long firstIndex,
        long lastIndex,
        long logBytes,
        List<String> findings,
        @Nullable String problem)
    {
    }

    /**
     * A snapshot.
     *
     * @param file      that holds it.
     * @param bytes     of the file.
     * @param index     of the last entry of the log that it contains.
     * @param records   in it.
     * @param createdMs when it was begun, in milliseconds since 1970.
     * @param problem   why it is no good, in one line; null if it is good. Then the other numbers are 0.
     */
    public record StoredSnapshot(
        Path file, long bytes, long index, long records, long createdMs, @Nullable String problem)
    {
    }

    /**
     * Reads all files of a directory, compares all checksums, and changes nothing.
     *
     * @param path of the directory.
     * @return what is in it, and what is wrong with it.
     * @throws ServerException if it holds no table, a server uses it, or it cannot be read.
     */
    public static StoredTable verify(final Path path)
    {
        return read(path, true);
    }

    /**
     * As {@link #verify}, but of snapshots only the headers are read.
     *
     * @param path of the directory.
     * @return what is in it.
     * @throws ServerException if it holds no table, a server uses it, or it cannot be read.
     */
    public static StoredTable info(final Path path)
    {
        return read(path, false);
    }

    private static StoredTable read(final Path path, final boolean isWhole)
    {
        Runnable release = () -> {};
        try
        {
            release = TableOnDisk.hold(path);
            final TableIdentity identity = TableOnDisk.identity(path);
            final int count = TableOnDisk.shards(path);
            final List<StoredShard> shards = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                shards.add(shard(path, identity, i, isWhole));
            }
            return new StoredTable(
                path, identity.tableId(), identity.serverLife(), List.copyOf(shards), ClusterFile.read(path));
        }
        catch (final DataDirectoryException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
        catch (final IOException e)
        {
            throw new ServerException("data directory cannot be read: path=" + path + " cause=" + e, e);
        }
        finally
        {
            release.run();
        }
    }

    private static StoredShard shard(
        final Path path, final TableIdentity identity, final int number, final boolean isWhole) throws IOException
    {
        final List<StoredSnapshot> snapshots = new ArrayList<>();
        for (final Path file : SnapshotStore.files(new DirectoryLayout(path).snapshots(number)))
        {
            snapshots.add(snapshot(file, isWhole));
        }
        final StoredSnapshot good =
            snapshots.stream().filter((each) -> each.problem() == null).findFirst().orElse(null);
        final Path logDirectory = RaftLogs.directory(new DirectoryLayout(path).raft(), identity.tableId(), number);
        final long newest = SnapshotStore.newestIndex(new DirectoryLayout(path).snapshots(number));
        if (good == null && newest >= 0 && !new WholeLog(logDirectory).isWholeUpTo(newest))
        {
            return new StoredShard(number, snapshots, -1, -1, 0, List.of(),
                "no snapshot is good, and the log does not hold all entries from the first one on" +
                (snapshots.isEmpty() ? "" : ": " + snapshots.get(0).problem()));
        }
        try
        {
            final LogReport log = LogFiles.check(logDirectory, good == null ? -1 : good.index(), false);
            return new StoredShard(
                number, snapshots, log.firstIndex(), log.lastIndex(), log.bytes(), log.findings(), null);
        }
        catch (final LogDamageException e)
        {
            return new StoredShard(number, snapshots, -1, -1, 0, List.of(), e.getMessage());
        }
    }

    private static StoredSnapshot snapshot(final Path file, final boolean isWhole)
    {
        try (SnapshotReader reader = new SnapshotReader(file))
        {
            final SnapshotHeader header = isWhole ? SnapshotReader.verify(file, (bytes) -> {}) : reader.header();
            return new StoredSnapshot(
                file, reader.size(), header.index(), header.records(), header.createdMs(), null);
        }
        catch (final SnapshotException e)
        {
            return new StoredSnapshot(file, 0, 0, 0, 0, e.getMessage());
        }
    }
}
