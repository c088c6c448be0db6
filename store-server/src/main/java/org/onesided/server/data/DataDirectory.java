package org.onesided.server.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.onesided.server.disk.DiskFiles;

/**
 * The directory of a table that outlives the server's process, open for one server. Only the server's user may enter
 * it. {@link DirectoryLayout} says what is where.
 *
 * <p>The table's server life stays over restarts. A new one is drawn if writes may have been lost: the last server
 * acknowledged writes before they were on the disk, it did not stop cleanly, and the operating system was started
 * since.
 *
 * <p>Thread-safe.
 */
public final class DataDirectory implements AutoCloseable
{
    private final DirectoryLayout layout;
    private final DirectoryLock lock;
    private final boolean isNew;
    private final boolean isMaybeBehind;
    private final boolean isReserveUsed;
    private boolean isMade;
    private TableFile table;

    private DataDirectory(
        final DirectoryLayout layout,
        final DirectoryLock lock,
        final TableFile table,
        final boolean isNew,
        final boolean isMaybeBehind,
        final boolean isReserveUsed)
    {
        this.layout = layout;
        this.lock = lock;
        this.table = table;
        this.isNew = isNew;
        this.isMaybeBehind = isMaybeBehind;
        this.isReserveUsed = isReserveUsed;
    }

    /**
     * Opens a table's directory; a missing or empty one is made that of a new table. Only the directory itself is made,
     * not those that it is in.
     *
     * @param options with the path, and when writes are acknowledged.
     * @param shards  of the table.
     * @return the directory, which no other server can use until it is closed.
     * @throws DataDirectoryException if it is in use, damaged, not writable, of a newer format, of a table with another
     *                                number of shards, holds something else, or would be in a directory that is
     *                                missing. Then nothing in it was changed.
     */
    public static DataDirectory open(final DataOptions options, final int shards)
    {
        return open(options, shards, null, BootId.now());
    }

    /**
     * Makes a missing or empty directory that of a given table.
     *
     * @param options  with the path, and when writes are acknowledged.
     * @param shards   of the table.
     * @param identity of the table.
     * @param filling  puts the table's snapshots into the directory; before that is done, it holds no table.
     * @return as {@link #open}.
     * @throws DataDirectoryException as {@link #open}, or if it holds a table already.
     */
    public static DataDirectory create(
        final DataOptions options, final int shards, final TableIdentity identity, final Filling filling)
    {
        return open(options, shards, identity, BootId.now(), filling);
    }

    /**
     * Puts files into a new directory.
     */
    @FunctionalInterface
    public interface Filling
    {
        /**
         * @throws IOException if the files cannot be written.
         */
        void run() throws IOException;
    }

    /** With the boot id of the operating system. */
    static DataDirectory open(
        final DataOptions options, final int shards, final TableIdentity wanted, final UUID bootId)
    {
        return open(options, shards, wanted, bootId, () -> {});
    }

    private static DataDirectory open(
        final DataOptions options,
        final int shards,
        final TableIdentity wanted,
        final UUID bootId,
        final Filling filling)
    {
        final Path path = options.directory();
        final DirectoryAccess access = new DirectoryAccess(path);
        try
        {
            if (wanted != null)
            {
                access.checkNew();
            }
            if (!access.isNew())
            {
                // Once more when it is locked, but what is wrong with it now is not touched.
                TableOnDisk.read(path).checkShards(path, shards);
            }
            final boolean isMade = access.tryMake();
            final DirectoryLock lock = access.lock();
            boolean isOpen = false;
            try
            {
                final DataDirectory directory = opened(options, shards, wanted, bootId, lock, filling);
                directory.isMade = isMade;
                isOpen = true;
                return directory;
            }
            finally
            {
                if (!isOpen)
                {
                    if (isMade)
                    {
                        access.remove();
                    }
                    lock.close();
                }
            }
        }
        catch (final IOException e)
        {
            throw access.unusable(e);
        }
    }

    /** Opens a directory that is locked. A new one holds no table until all else that belongs to it is written. */
    static DataDirectory opened(
        final DataOptions options,
        final int shards,
        final TableIdentity wanted,
        final UUID bootId,
        final DirectoryLock lock,
        final Filling filling) throws IOException
    {
        final Path path = options.directory();
        final DirectoryAccess access = new DirectoryAccess(path);
        access.closeToOthers();
        final boolean isReserveUsed = access.tryUseReserve();
        final boolean isNew = access.isNew();
        final TableFile found = isNew ?
            new TableFile(wanted == null ? TableIdentity.draw() : wanted, shards, bootId, options.sync(), true) :
            TableOnDisk.read(path);
        found.checkShards(path, shards);
        final boolean isMaybeBehind = found.isMaybeBehind(bootId);
        final TableIdentity identity = isMaybeBehind ? found.identity().withNewLife() : found.identity();
        final DataDirectory directory = new DataDirectory(
            new DirectoryLayout(path), lock, found.with(identity).used(bootId, options.sync(), false), isNew,
            isMaybeBehind, isReserveUsed);
        if (isNew)
        {
            access.removeCluster();
        }
        filling.run();
        directory.write();
        for (int i = 0; i < shards; i++)
        {
            DiskFiles.createDirectories(directory.layout.snapshots(i));
        }
        DiskFiles.createDirectories(directory.layout.raft());
        return directory;
    }

    /**
     * @return bytes that are free for the server's files; -1 if the file system does not tell. Thread-safe.
     */
    public long freeBytes()
    {
        try
        {
            return Files.getFileStore(layout.path()).getUsableSpace();
        }
        catch (final IOException e)
        {
            return -1;
        }
    }

    private void write() throws IOException
    {
        DiskFiles.replace(layout.table(), table.encode());
    }

    private void change(final TableFile changed)
    {
        table = changed;
        try
        {
            write();
        }
        catch (final IOException e)
        {
            throw new DataDirectoryException(
                "data directory cannot be written: path=" + layout.path() + " cause=" + e, e);
        }
    }

    /**
     * @return what is where in it.
     */
    public DirectoryLayout layout()
    {
        return layout;
    }

    /**
     * @return path of the directory.
     */
    public Path path()
    {
        return layout.path();
    }

    /**
     * @return identity of the table.
     */
    public synchronized TableIdentity identity()
    {
        return table.identity();
    }

    /**
     * @return the cluster that its table belongs to; null if its server is alone.
     * @throws DataDirectoryException if the file that says so is damaged.
     */
    public ClusterDescription cluster()
    {
        return ClusterFile.read(layout.path());
    }

    /**
     * Writes that the cluster has other members, durably.
     *
     * @param description of the cluster that the table belongs to already.
     * @throws DataDirectoryException if it cannot be written.
     */
    public void cluster(final ClusterDescription description)
    {
        ClusterFile.write(layout.path(), description);
    }

    /**
     * @return whether it held no table before it was opened.
     */
    public boolean isNew()
    {
        return isNew;
    }

    /**
     * @return whether acknowledged writes may have been lost when the operating system stopped, so that the table got a
     *         new server life.
     */
    public boolean isMaybeBehind()
    {
        return isMaybeBehind;
    }

    /**
     * @return whether the disk was full, so that the room which the logs had kept was given up.
     */
    public boolean isReserveUsed()
    {
        return isReserveUsed;
    }

    /**
     * Draws a new server life, since acknowledged writes are lost, or may be.
     *
     * @throws DataDirectoryException if it cannot be stored.
     */
    public synchronized void beginNewLife()
    {
        change(table.with(table.identity().withNewLife()));
    }

    /**
     * Says that all that was acknowledged is on the disk, and that nothing more will be.
     *
     * @throws DataDirectoryException if that cannot be stored.
     */
    public synchronized void markClean()
    {
        change(table.used(table.bootId(), table.sync(), true));
    }

    /**
     * Removes the directory if this has made it: the server could not start, so nothing was written to the table. To be
     * called before {@link #close}.
     */
    public synchronized void discard()
    {
        if (isMade)
        {
            new DirectoryAccess(layout.path()).remove();
        }
    }

    /** Lets other servers use the directory. */
    @Override
    public void close()
    {
        lock.close();
    }
}
