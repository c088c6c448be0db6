package org.onesided.server.rescue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.server.data.BlankDirectory;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.DirectoryLayout;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.files.LogCopy;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.snapshot.SnapshotWriter;
import org.onesided.server.snapshot.WriterPace;

/**
 * Makes another directory from that of a surviving member: a table of a server that is alone, with all entries that the
 * member has. The table is a new one, with an id, a server life and a session key of its own: what clients and other
 * members remember of the former one must not be taken for this, which may lack what they were told. It keeps the
 * seeds, by which the records have their places. Not thread-safe.
 */
public final class Rescue
{
    /** Items between two looks at a writer that may be behind. */
    private static final int LOOK = 64;

    private final Survivor survivor;
    private final Path directory;
    private final TableIdentity identity;

    /**
     * @param survivor  that was read, and is open.
     * @param directory missing or empty, see {@link #check}.
     */
    public Rescue(final Survivor survivor, final Path directory)
    {
        this.survivor = survivor;
        this.directory = directory;
        identity = TableIdentity.drawCopy(survivor.identity().hashSeed(), survivor.identity().checkSeed());
    }

    /**
     * Checks where the table is to go, before the long way there.
     *
     * @param member    directory of the survivor.
     * @param directory to make.
     * @throws RescueException if it holds something, cannot be written, or is within the survivor's.
     */
    public static void check(final Path member, final Path directory)
    {
        if (real(directory).startsWith(real(member)))
        {
            throw new RescueException("the member's directory stays as it is, name another one that is missing or " +
                "empty: member=" + member + " path=" + directory);
        }
        try
        {
            BlankDirectory.open(directory).close();
        }
        catch (final DataDirectoryException e)
        {
            throw new RescueException(e.getMessage(), e);
        }
    }

    /** Without links in whatever of the path is there. */
    private static Path real(final Path path)
    {
        final Path whole = path.toAbsolutePath().normalize();
        Path there = whole;
        while (there.getParent() != null && !Files.exists(there))
        {
            there = there.getParent();
        }
        try
        {
            return there.toRealPath().resolve(there.relativize(whole)).normalize();
        }
        catch (final IOException e)
        {
            throw new RescueException("path cannot be read: path=" + path + " cause=" + e, e);
        }
    }

    /**
     * Makes the directory. If that fails or is interrupted, it holds no table.
     *
     * @return id of the new table.
     * @throws RescueException if the directory cannot be used or written, or the survivor's cannot be read.
     */
    public long run()
    {
        try (DataDirectory made = DataDirectory.create(
            DataOptions.in(directory), survivor.partitions().size(), identity, this::fill))
        {
            made.markClean();
            return identity.tableId();
        }
        catch (final DataDirectoryException e)
        {
            throw new RescueException(e.getMessage(), e);
        }
    }

    private void fill() throws IOException
    {
        boolean isDone = false;
        try
        {
            for (final SurvivingPartition partition : survivor.partitions())
            {
                if (partition.header() != null)
                {
                    copySnapshot(partition);
                }
                final Path log =
                    RaftLogs.directory(new DirectoryLayout(directory).raft(), identity.tableId(), partition.number());
                DiskFiles.createDirectories(log);
                LogCopy.write(partition.log(), partition.snapshotTerm(), partition.snapshotIndex(), log);
            }
            isDone = true;
        }
        catch (final SnapshotException e)
        {
            throw new RescueException("snapshot cannot be copied: " + e.getMessage(), e);
        }
        finally
        {
            if (!isDone)
            {
                // The directory was empty, so what is in it is of this.
                DiskFiles.deleteTree(new DirectoryLayout(directory).snapshots());
                DiskFiles.deleteTree(new DirectoryLayout(directory).raft());
            }
        }
    }

    private void copySnapshot(final SurvivingPartition partition) throws IOException
    {
        final int number = partition.number();
        final int count = survivor.partitions().size();
        final SnapshotStore store =
            new SnapshotStore(new DirectoryLayout(directory).snapshots(number), identity.tableId(), number, count);
        final SnapshotHeader old = partition.header();
        final SnapshotWriter writer = store.create(new SnapshotHeader(
            identity.tableId(), number, count, old.term(), old.index(), old.timeMs(), old.versionCounter(),
            old.bucketCount(), old.records(), old.recordBytes(), old.createdMs()));
        boolean isDone = false;
        long items = 0;
        try (SnapshotReader reader = new SnapshotReader(partition.snapshot()))
        {
            for (SnapshotReader.Item item = reader.next(); item != SnapshotReader.Item.END; item = reader.next())
            {
                copy(reader, item, writer);
                if (item == SnapshotReader.Item.VALUE_PART || ++items % LOOK == 0)
                {
                    WriterPace.awaitRoom(writer);
                }
            }
            writer.finish();
            WriterPace.awaitDone(writer);
            isDone = true;
        }
        finally
        {
            if (!isDone)
            {
                WriterPace.abort(writer);
            }
        }
    }

    /** Sessions, too: the entries behind the snapshot may hold requests that were answered before it. */
    private static void copy(final SnapshotReader reader, final SnapshotReader.Item item, final SnapshotWriter writer)
    {
        switch (item)
        {
            case SESSION ->
            {
                final UnsafeBuffer image = new UnsafeBuffer(reader.valueAddress(), reader.valueLength());
                writer.session(image, 0, image.capacity());
            }
            case RECORD -> writer.record(
                reader.keyAddress(), reader.keyLength(), reader.valueAddress(), reader.valueLength(),
                reader.version(), reader.expiry());
            case LONG_RECORD -> writer.longRecord(
                reader.keyAddress(), reader.keyLength(), reader.valueLength(), reader.version(), reader.expiry());
            default -> writer.valuePart(reader.valueAddress(), reader.partLength());
        }
    }
}
