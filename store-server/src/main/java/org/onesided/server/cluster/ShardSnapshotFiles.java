package org.onesided.server.cluster;

import java.io.IOException;
import java.nio.file.Path;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;

/**
 * A shard's snapshots, for the log that sends them to other members. Thread-safe.
 */
public final class ShardSnapshotFiles implements SnapshotFiles
{
    private final SnapshotStore store;
    private Newest newest;

    /**
     * @param store of the shard.
     */
    public ShardSnapshotFiles(final SnapshotStore store)
    {
        this.store = store;
    }

    @Override
    public synchronized Newest newest() throws IOException
    {
        final long index = store.newestIndex();
        if (index < 0)
        {
            return null;
        }
        if (newest == null || newest.index() != index)
        {
            final Path file = store.file(index);
            try (SnapshotReader reader = new SnapshotReader(file))
            {
                newest = new Newest(file, reader.header().term(), index);
            }
            catch (final SnapshotException e)
            {
                throw new IOException(e.getMessage(), e);
            }
        }
        return newest;
    }

    @Override
    public synchronized void adopt(final Path file) throws IOException
    {
        try
        {
            store.adopt(file);
        }
        catch (final SnapshotException e)
        {
            throw new IOException(e.getMessage(), e);
        }
    }
}
