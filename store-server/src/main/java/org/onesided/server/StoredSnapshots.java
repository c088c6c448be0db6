package org.onesided.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;

/**
 * The snapshots of the shards. The newest of each is read back first, and the log goes on from it. Belongs to the
 * thread that starts the server.
 */
final class StoredSnapshots implements AutoCloseable
{
    private final List<SnapshotStore> stores = new ArrayList<>();
    /** Null where a shard has none. */
    private final List<SnapshotReader> newest = new ArrayList<>();

    /**
     * Opens the newest of each shard.
     *
     * @param directory    of the table.
     * @param shards       of the table.
     * @param logDirectory of each.
     * @param membership   in a cluster; null if the server is alone.
     * @param readBack     expects what is to be read.
     * @throws org.onesided.server.snapshot.SnapshotException if no snapshot of a shard is good.
     */
    void open(
        final DataDirectory directory,
        final int shards,
        final IntFunction<Path> logDirectory,
        final Membership membership,
        final ReadBack readBack) throws IOException
    {
        for (int i = 0; i < shards; i++)
        {
            stores.add(new SnapshotStore(directory.layout().snapshots(i), directory.identity().tableId(), i, shards));
            if (membership != null)
            {
                RaftLogs.adoptSnapshot(logDirectory.apply(i), membership.snapshots(i, stores.get(i)));
            }
            readBack.expect(2 * (stores.get(i).newestBytes() + LogFiles.bytes(logDirectory.apply(i))));
        }
        for (int i = 0; i < shards; i++)
        {
            final SnapshotStore store = stores.get(i);
            final long expected = 2 * store.newestBytes();
            final long before = readBack.bytes();
            final WholeLog log = new WholeLog(logDirectory.apply(i));
            final SnapshotReader reader = store.openNewest(readBack::addAndTell, log::isWholeUpTo);
            newest.add(reader);
            readBack.expect(readBack.bytes() - before + (reader == null ? 0 : reader.size()) - expected);
        }
    }

    SnapshotStore store(final int shard)
    {
        return stores.get(shard);
    }

    /** The newest of a shard; null if it has none. */
    SnapshotReader newest(final int shard)
    {
        return newest.get(shard);
    }

    /** Those that a shard has read are closed already. */
    @Override
    public void close()
    {
        newest.stream().filter(Objects::nonNull).forEach(SnapshotReader::close);
    }
}
