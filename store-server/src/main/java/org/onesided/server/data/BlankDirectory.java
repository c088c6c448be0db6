package org.onesided.server.data;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A data directory that holds no table yet, and that no other server can use until it is closed. It can be made that of
 * a member of a cluster. Not thread-safe.
 */
public final class BlankDirectory implements AutoCloseable
{
    private final Path path;
    private final DirectoryAccess access;
    private final DirectoryLock lock;
    private final boolean isMade;
    private boolean isFormed;

    private BlankDirectory(
        final Path path, final DirectoryAccess access, final DirectoryLock lock, final boolean isMade)
    {
        this.path = path;
        this.access = access;
        this.lock = lock;
        this.isMade = isMade;
    }

    /**
     * Takes a directory; a missing one is made, but not those that it is in.
     *
     * @param path of the directory.
     * @return the directory, to be closed by the caller.
     * @throws DataDirectoryException if it holds a table or something else, is in use, not writable, or would be in a
     *                                directory that is missing. Then nothing in it was changed.
     */
    public static BlankDirectory open(final Path path)
    {
        final DirectoryAccess access = new DirectoryAccess(path);
        try
        {
            access.checkNew();
            final boolean isMade = access.tryMake();
            final BlankDirectory directory = new BlankDirectory(path, access, access.lock(), isMade);
            boolean isOpen = false;
            try
            {
                // Once more when it is locked: another server may have been faster.
                access.checkNew();
                isOpen = true;
                return directory;
            }
            finally
            {
                if (!isOpen)
                {
                    directory.lock.close();
                }
            }
        }
        catch (final IOException e)
        {
            throw access.unusable(e);
        }
    }

    /**
     * Makes it the directory of a member of a cluster, durably. A crash leaves it blank, or whole.
     *
     * @param identity    of the table, the same for all members.
     * @param shards      of the table.
     * @param description of the cluster.
     * @throws DataDirectoryException if it cannot be written. Then it is blank, or whole.
     * @throws IllegalStateException  if it was formed already.
     */
    public void form(final TableIdentity identity, final int shards, final ClusterDescription description)
    {
        if (isFormed)
        {
            throw new IllegalStateException("the directory is that of a member already: path=" + path);
        }
        try
        {
            // A member syncs always. What is opened has nothing to close but the lock.
            DataDirectory.opened(
                DataOptions.in(path), shards, identity, BootId.now(), lock,
                () -> ClusterFile.write(path, description));
            isFormed = true;
        }
        catch (final IOException e)
        {
            throw access.unusable(e);
        }
    }

    /** Lets servers use the directory. One that was made, and holds no table, is removed. */
    @Override
    public void close()
    {
        if (isMade && !TableOnDisk.isIn(path))
        {
            access.remove();
        }
        lock.close();
    }
}
