package org.onesided.server.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads which table a directory holds, whether a server uses it or not. Thread-safe.
 */
public final class TableOnDisk
{
    private TableOnDisk()
    {
    }

    /**
     * @param path of a directory, which may be missing.
     * @return whether there is a table in it.
     */
    public static boolean isIn(final Path path)
    {
        return Files.exists(new DirectoryLayout(path).table());
    }

    /**
     * Reads which table it is.
     *
     * @param path of the directory.
     * @return its table.
     * @throws DataDirectoryException if it holds none, is damaged, or of a newer format.
     */
    public static TableIdentity identity(final Path path)
    {
        return known(path).identity();
    }

    /**
     * Reads how many shards the table has.
     *
     * @param path of the directory.
     * @return number of shards.
     * @throws DataDirectoryException if it holds no table, is damaged, or of a newer format.
     */
    public static int shards(final Path path)
    {
        return known(path).shards();
    }

    /**
     * Keeps servers from using the table's directory, without changing anything but its lock.
     *
     * @param path of the directory.
     * @return ends that.
     * @throws DataDirectoryException if it holds no table, or a server uses it.
     */
    public static Runnable hold(final Path path)
    {
        known(path);
        try
        {
            return DirectoryLock.take(path, new DirectoryLayout(path).lock())::close;
        }
        catch (final IOException e)
        {
            throw new DataDirectoryException(
                "data directory cannot be locked: path=" + path + DirectoryAccess.user() + " cause=" + e, e);
        }
    }

    static TableFile read(final Path path) throws IOException
    {
        final Path file = new DirectoryLayout(path).table();
        return TableFile.decode(Files.readAllBytes(file), file);
    }

    private static TableFile known(final Path path)
    {
        try
        {
            if (!isIn(path))
            {
                throw new DataDirectoryException("directory holds no table: path=" + path);
            }
            return read(path);
        }
        catch (final IOException e)
        {
            throw new DataDirectoryException(
                "data directory cannot be read: path=" + path + DirectoryAccess.user() + " cause=" + e, e);
        }
    }
}
