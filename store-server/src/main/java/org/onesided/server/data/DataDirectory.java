package org.onesided.server.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onesided.server.disk.DiskFiles;

/**
 * The directory of a table that outlives the server's process. Only the server's user may enter it.
 *
 * <pre>
 *  lock                      held by the server that uses the directory
 *  table                     {@link TableFile}: which table it is
 *  cluster                   {@link ClusterFile}: of which cluster the table is; missing if the server is alone
 *  raft/                     the shards' logs
 *  snapshots/shard-N/        the snapshots of shard N
 *  backup/                   what is being sent to a client that takes a backup
 * </pre>
 *
 * <p>The table's server life stays over restarts. A new one is drawn if writes may have been lost: the last server
 * acknowledged writes before they were on the disk, it did not stop cleanly, and the operating system was started
 * since.
 *
 * <p>Thread-safe.
 */
public final class DataDirectory implements AutoCloseable
{
    private static final String LOCK = "lock";
    private static final String TABLE = "table";
    private static final String RAFT = "raft";
    /** As the logs call it. */
    private static final String RESERVE = "reserve";
    /** Bytes for this class' own files, with room to spare. */
    private static final long LEAST_ROOM = 64 << 10;
    private static final String SNAPSHOTS = "snapshots";
    private static final String BACKUP = "backup";
    /** What a directory may hold that holds no table: what a crash leaves before there is one, and ext4's own. */
    private static final Set<String> HARMLESS = Set.of(
        LOCK, TABLE + ".tmp", ClusterFile.NAME, ClusterFile.NAME + ".tmp", "lost+found");
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    /** Names of a foreign directory that a message gives. */
    private static final int NAMES = 3;

    private final Path path;
    private final DirectoryLock lock;
    private final boolean isNew;
    private final boolean isMaybeBehind;
    private final boolean isReserveUsed;
    private boolean isMade;
    private TableFile table;

    private DataDirectory(
        final Path path,
        final DirectoryLock lock,
        final TableFile table,
        final boolean isNew,
        final boolean isMaybeBehind,
        final boolean isReserveUsed)
    {
        this.path = path;
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
        return open(options, shards, null, bootId());
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
        return open(options, shards, identity, bootId(), filling);
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
        try
        {
            final boolean isNew = isNew(path);
            if (!isNew && wanted != null)
            {
                throw holdsTableAlready(path);
            }
            if (!isNew)
            {
                // Once more when it is locked, but what is wrong with it now is not touched.
                read(path).checkShards(path, shards);
            }
            final boolean isMade = tryMake(path);
            final DirectoryLock lock = lock(path);
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
                        remove(path);
                    }
                    lock.close();
                }
            }
        }
        catch (final IOException e)
        {
            throw unusable(path, e);
        }
    }

    static DataDirectoryException holdsTableAlready(final Path path)
    {
        return new DataDirectoryException(
            "data directory holds a table already, give an empty or missing one: path=" + path);
    }

    static DataDirectoryException unusable(final Path path, final IOException cause)
    {
        return new DataDirectoryException(
            "data directory cannot be used: path=" + path + user() + " cause=" + cause, cause);
    }

    static DirectoryLock lock(final Path path) throws IOException
    {
        if (!Files.isWritable(path))
        {
            throw new DataDirectoryException("data directory is not writable: path=" + path + user());
        }
        return DirectoryLock.take(path, path.resolve(LOCK));
    }

    /** Makes the directory unless it is there. A misspelled path must not become a tree of new directories. */
    static boolean tryMake(final Path path) throws IOException
    {
        if (Files.exists(path))
        {
            return false;
        }
        final Path parent = path.toAbsolutePath().getParent();
        if (parent != null && !Files.exists(parent))
        {
            throw new DataDirectoryException("data directory cannot be made, the directory that it is to be in is " +
                "missing, make that first: path=" + path + " missing=" + parent);
        }
        DiskFiles.createDirectories(path);
        return true;
    }

    /** Removes a directory that was made for nothing. Whatever cannot be removed stays, and is that of a new table. */
    static void remove(final Path path)
    {
        try
        {
            for (final String name : List.of(
                RAFT, SNAPSHOTS, BACKUP, TABLE + ".tmp", TABLE, ClusterFile.NAME + ".tmp", ClusterFile.NAME, LOCK))
            {
                DiskFiles.deleteTree(path.resolve(name));
            }
            Files.deleteIfExists(path);
        }
        catch (final IOException ignored)
        {
            // The next start takes it.
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
        closeToOthers(path);
        final boolean isReserveUsed = useReserve(path);
        final boolean isNew = isNew(path);
        final TableFile found = isNew ?
            new TableFile(wanted == null ? TableIdentity.draw() : wanted, shards, bootId, options.sync(), true) :
            read(path);
        found.checkShards(path, shards);
        final boolean isMaybeBehind = found.isMaybeBehind(bootId);
        final TableIdentity identity = isMaybeBehind ? found.identity().withNewLife() : found.identity();
        final DataDirectory directory = new DataDirectory(
            path, lock, found.with(identity).used(bootId, options.sync(), false), isNew, isMaybeBehind, isReserveUsed);
        if (isNew)
        {
            removeCluster(path);
        }
        filling.run();
        directory.write();
        for (int i = 0; i < shards; i++)
        {
            DiskFiles.createDirectories(directory.snapshots(i));
        }
        DiskFiles.createDirectories(directory.raft());
        return directory;
    }

    /** What was left by a crash while a member was formed must not make another table that of a member. */
    private static void removeCluster(final Path path) throws IOException
    {
        if (Files.deleteIfExists(path.resolve(ClusterFile.NAME)))
        {
            DiskFiles.forceDirectory(path);
        }
    }

    /** On a full disk, a start needs the room that the logs have kept for it. */
    private static boolean useReserve(final Path path) throws IOException
    {
        return Files.getFileStore(path).getUsableSpace() < LEAST_ROOM &&
            Files.deleteIfExists(path.resolve(RAFT).resolve(RESERVE));
    }

    /**
     * @return bytes that are free for the server's files; -1 if the file system does not tell. Thread-safe.
     */
    public long freeBytes()
    {
        try
        {
            return Files.getFileStore(path).getUsableSpace();
        }
        catch (final IOException e)
        {
            return -1;
        }
    }

    /** Whether the path is missing, or an empty directory. */
    static boolean isNew(final Path path) throws IOException
    {
        if (Files.exists(path.resolve(TABLE)))
        {
            return false;
        }
        if (!Files.exists(path))
        {
            return true;
        }
        if (!Files.isDirectory(path))
        {
            throw new DataDirectoryException("data directory is not a directory: path=" + path);
        }
        final Set<String> names;
        try (Stream<Path> files = Files.list(path))
        {
            names = files.map((file) -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
        names.removeAll(HARMLESS);
        if (!names.isEmpty())
        {
            throw new DataDirectoryException("directory holds something else than a table, give an empty or missing " +
                "one: path=" + path + " holds=" + names.stream().limit(NAMES).collect(Collectors.joining(",")));
        }
        return true;
    }

    private static TableFile read(final Path path) throws IOException
    {
        final Path file = path.resolve(TABLE);
        return TableFile.decode(Files.readAllBytes(file), file);
    }

    /**
     * @param path of a directory, which may be missing.
     * @return whether there is a table in it.
     */
    public static boolean holdsTable(final Path path)
    {
        return Files.exists(path.resolve(TABLE));
    }

    /**
     * Reads which table a directory holds, whether a server uses it or not.
     *
     * @param path of the directory.
     * @return its table.
     * @throws DataDirectoryException if it holds none, is damaged, or of a newer format.
     */
    public static TableIdentity identity(final Path path)
    {
        return readTable(path).identity();
    }

    /**
     * Reads how many shards the table in a directory has, whether a server uses it or not.
     *
     * @param path of the directory.
     * @return number of shards.
     * @throws DataDirectoryException if it holds no table, is damaged, or of a newer format.
     */
    public static int shards(final Path path)
    {
        return readTable(path).shards();
    }

    private static TableFile readTable(final Path path)
    {
        try
        {
            if (!Files.exists(path.resolve(TABLE)))
            {
                throw new DataDirectoryException("directory holds no table: path=" + path);
            }
            return read(path);
        }
        catch (final IOException e)
        {
            throw new DataDirectoryException("data directory cannot be read: path=" + path + user() + " cause=" + e, e);
        }
    }

    private static void closeToOthers(final Path path) throws IOException
    {
        final PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (view != null && !view.readAttributes().permissions().equals(DiskFiles.OWNER_ONLY))
        {
            view.setPermissions(DiskFiles.OWNER_ONLY);
        }
    }

    private static String user()
    {
        return " user=" + System.getProperty("user.name");
    }

    static UUID bootId()
    {
        return bootId(BOOT_ID);
    }

    /** Which start of the operating system this is; {@link TableFile#NO_BOOT} if it does not say. */
    static UUID bootId(final Path file)
    {
        try
        {
            return UUID.fromString(Files.readString(file).strip());
        }
        catch (final IOException | IllegalArgumentException e)
        {
            return TableFile.NO_BOOT;
        }
    }

    private void write() throws IOException
    {
        DiskFiles.replace(path.resolve(TABLE), table.encode());
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
            throw new DataDirectoryException("data directory cannot be written: path=" + path + " cause=" + e, e);
        }
    }

    /**
     * @return path of the directory.
     */
    public Path path()
    {
        return path;
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
        return ClusterFile.read(path);
    }

    /**
     * Writes that the cluster has other members, durably.
     *
     * @param description of the cluster that the table belongs to already.
     * @throws DataDirectoryException if it cannot be written.
     */
    public void cluster(final ClusterDescription description)
    {
        ClusterFile.write(path, description);
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
     * Keeps servers from using a table's directory, without changing anything but its lock.
     *
     * @param path of the directory.
     * @return ends that.
     * @throws DataDirectoryException if it holds no table, or a server uses it.
     */
    public static Runnable hold(final Path path)
    {
        readTable(path);
        try
        {
            return DirectoryLock.take(path, path.resolve(LOCK))::close;
        }
        catch (final IOException e)
        {
            throw new DataDirectoryException(
                "data directory cannot be locked: path=" + path + user() + " cause=" + e, e);
        }
    }

    /**
     * @return directory of a backup that is being made.
     */
    public Path backup()
    {
        return path.resolve(BACKUP);
    }

    /**
     * @return directory of the logs.
     */
    public Path raft()
    {
        return raft(path);
    }

    /**
     * @param directory of a table.
     * @return directory of its logs.
     */
    public static Path raft(final Path directory)
    {
        return directory.resolve(RAFT);
    }

    /**
     * @param shard number of a shard, from 0.
     * @return directory of its snapshots.
     */
    public Path snapshots(final int shard)
    {
        return snapshots(path, shard);
    }

    /**
     * @param directory of a table.
     * @param shard     number of a shard, from 0.
     * @return directory of its snapshots.
     */
    public static Path snapshots(final Path directory, final int shard)
    {
        return directory.resolve(SNAPSHOTS).resolve("shard-" + shard);
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
            remove(path);
        }
    }

    /** Lets other servers use the directory. */
    @Override
    public void close()
    {
        lock.close();
    }
}
