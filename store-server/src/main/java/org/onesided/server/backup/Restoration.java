package org.onesided.server.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.DirectoryLayout;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.snapshot.SnapshotWriter;
import org.onesided.server.snapshot.WriterPace;

/**
 * Makes a data directory from a backup. The table in it is a new one, with an id, a server life and a session key of
 * its own: versions that the former table gave after the backup must not be taken for those of this one. It keeps the
 * seeds, since a table loads fastest in the order of its hashes, which is that of the backup. Its logs begin behind the
 * snapshots that this writes. If the new table has another number of shards, each record goes to the shard that its
 * hash belongs to. Not thread-safe.
 */
public final class Restoration
{
    /** Of an entry before the first one in the logs. */
    private static final long TERM = 1;
    private static final long INDEX = 1;
    /** Records between two looks at a writer that may be behind. */
    private static final int LOOK = 64;

    private final BackupReader backup;
    private final Path directory;
    private final int shards;
    private final LongConsumer progress;
    private final TableIdentity identity;
    private final KeyHash keyHash;
    /** Of the backup's shards: their headers, and their own states. */
    private final List<SnapshotHeader> headers = new ArrayList<>();
    private final List<UnsafeBuffer> images = new ArrayList<>();
    private final List<SnapshotWriter> writers = new ArrayList<>();
    private SnapshotWriter longTarget;
    private long records;

    /**
     * @param backup    that was verified.
     * @param directory missing or empty.
     * @param shards    of the new table; 0 for as many as the former one has.
     * @param progress  hears how many bytes of the backup were read.
     */
    public Restoration(
        final BackupReader backup, final Path directory, final int shards, final LongConsumer progress)
    {
        this.backup = backup;
        this.directory = directory;
        this.shards = shards == 0 ? backup.header().shards() : shards;
        this.progress = progress;
        identity = TableIdentity.drawCopy(backup.header().hashSeed(), backup.header().checkSeed());
        keyHash = new KeyHash(identity.hashSeed());
    }

    /**
     * Makes the directory. If that fails or is interrupted, it holds no table.
     *
     * @return how many records the table has.
     * @throws BackupException if the directory cannot be used or written, or the backup cannot be read.
     */
    public long run()
    {
        try (DataDirectory made = DataDirectory.create(DataOptions.in(directory), shards, identity, this::fill))
        {
            made.markClean();
            return records;
        }
        catch (final DataDirectoryException e)
        {
            throw new BackupException(e.getMessage(), e);
        }
    }

    private void fill() throws IOException
    {
        boolean isDone = false;
        try
        {
            for (int i = 0; i < backup.header().shards(); i++)
            {
                readStart(i);
            }
            for (int i = 0; i < shards; i++)
            {
                final SnapshotStore store =
                    new SnapshotStore(new DirectoryLayout(directory).snapshots(i), identity.tableId(), i, shards);
                final SnapshotWriter writer = store.create(header(i));
                writers.add(writer);
                final UnsafeBuffer image = images.get(shards == images.size() ? i : 0);
                writer.session(image, 0, image.capacity());
            }
            for (int i = 0; i < headers.size(); i++)
            {
                copy(i);
            }
            writers.forEach(SnapshotWriter::finish);
            for (final SnapshotWriter writer : writers)
            {
                WriterPace.awaitDone(writer);
            }
            isDone = true;
        }
        catch (final SnapshotException e)
        {
            throw new BackupException("backup cannot be restored: " + e.getMessage(), e);
        }
        finally
        {
            if (!isDone)
            {
                giveUp();
            }
        }
    }

    /** The first session is the shard's own. Others would be none of a new table. */
    private void readStart(final int shard)
    {
        try (SnapshotReader reader = backup.snapshot(shard))
        {
            headers.add(reader.header());
            if (reader.next() != SnapshotReader.Item.SESSION)
            {
                throw new BackupException("backup lacks the state of a shard, it cannot be restored: shard=" + shard);
            }
            final byte[] image = new byte[reader.valueLength()];
            new UnsafeBuffer(reader.valueAddress(), image.length).getBytes(0, image);
            images.add(new UnsafeBuffer(image));
        }
    }

    /** With other shards, a new one goes on from the greatest version and the latest time of all. */
    private SnapshotHeader header(final int shard)
    {
        final boolean isSame = shards == headers.size();
        final List<SnapshotHeader> of = isSame ? headers.subList(shard, shard + 1) : headers;
        final int parts = isSame ? 1 : shards;
        return new SnapshotHeader(
            identity.tableId(), shard, shards, TERM, INDEX,
            of.stream().mapToLong(SnapshotHeader::timeMs).max().orElse(0),
            of.stream().mapToLong(SnapshotHeader::versionCounter).max().orElse(0),
            of.stream().mapToLong(SnapshotHeader::bucketCount).sum() / parts,
            of.stream().mapToLong(SnapshotHeader::records).sum() / parts,
            of.stream().mapToLong(SnapshotHeader::recordBytes).sum() / parts,
            backup.header().createdMs());
    }

    private void copy(final int shard) throws IOException
    {
        try (SnapshotReader reader = backup.snapshot(shard))
        {
            final long start = backup.start(shard);
            for (SnapshotReader.Item item = reader.next(); item != SnapshotReader.Item.END; item = reader.next())
            {
                if (item != SnapshotReader.Item.SESSION)
                {
                    copy(reader, item);
                }
                progress.accept(start + reader.position());
            }
        }
    }

    private void copy(final SnapshotReader reader, final SnapshotReader.Item item) throws IOException
    {
        switch (item)
        {
            case RECORD ->
            {
                final SnapshotWriter writer = target(reader);
                writer.record(
                    reader.keyAddress(), reader.keyLength(), reader.valueAddress(), reader.valueLength(),
                    reader.version(), reader.expiry());
                if (++records % LOOK == 0)
                {
                    WriterPace.awaitRoom(writer);
                }
            }
            case LONG_RECORD ->
            {
                longTarget = target(reader);
                longTarget.longRecord(
                    reader.keyAddress(), reader.keyLength(), reader.valueLength(), reader.version(), reader.expiry());
                records++;
            }
            default ->
            {
                longTarget.valuePart(reader.valueAddress(), reader.partLength());
                WriterPace.awaitRoom(longTarget);
            }
        }
    }

    private SnapshotWriter target(final SnapshotReader reader)
    {
        return writers.get(KeyHash.shard(keyHash.hash(reader.keyAddress(), reader.keyLength()), shards));
    }

    /** The directory was empty, so what is in it is of this. */
    private void giveUp() throws IOException
    {
        writers.forEach(WriterPace::abort);
        DiskFiles.deleteTree(new DirectoryLayout(directory).snapshots());
    }
}
