package org.onesided.server.data;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.onesided.server.disk.DiskFiles;

/**
 * Keeps a directory from being used by two servers at a time. The system ends a lock when its process ends, however
 * that happens. Thread-safe.
 */
final class DirectoryLock implements AutoCloseable
{
    /**
     * Directories that servers of this process use. To open and close the file of a lock once more in the same process
     * would end that lock.
     */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();
    /** Longest text of the file: a process id. */
    private static final int MAX_LENGTH = 64;

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(final Path directory, final FileChannel channel)
    {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Locks a directory.
     *
     * @param path of the directory, which is there.
     * @param file of the lock, made if it is not there.
     * @throws DataDirectoryException if a live server uses it.
     * @throws IOException            if the file cannot be written.
     */
    static DirectoryLock take(final Path path, final Path file) throws IOException
    {
        final Path directory = path.toRealPath();
        if (!OPEN.add(directory))
        {
            throw inUse(path, Long.toString(ProcessHandle.current().pid()));
        }
        FileChannel channel = null;
        boolean isTaken = false;
        try
        {
            channel = DiskFiles.open(file);
            final FileLock lock = channel.tryLock();
            if (lock == null)
            {
                throw inUse(path, holder(file));
            }
            // Written over and then cut: that takes no block of a full disk.
            DiskFiles.writeAll(
                channel, ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(US_ASCII)));
            channel.truncate(channel.position());
            isTaken = true;
            return new DirectoryLock(directory, channel);
        }
        finally
        {
            if (!isTaken)
            {
                if (channel != null)
                {
                    channel.close();
                }
                OPEN.remove(directory);
            }
        }
    }

    private static DataDirectoryException inUse(final Path path, final String pid)
    {
        return new DataDirectoryException(
            "data directory is in use by a running server, stop that first: path=" + path + " pid=" + pid);
    }

    /** Process that holds the lock, as far as its file says. */
    private static String holder(final Path file)
    {
        try
        {
            final String text = Files.size(file) > MAX_LENGTH ? "" : Files.readString(file, US_ASCII).strip();
            return text.matches("\\d+") ? text : "unknown";
        }
        catch (final IOException e)
        {
            return "unknown";
        }
    }

    @Override
    public void close()
    {
        try
        {
            // This ends the lock, too.
            channel.close();
        }
        catch (final IOException ignored)
        {
            // Nothing was to be written any more, and the lock ends with the process at the latest.
        }
        finally
        {
            OPEN.remove(directory);
        }
    }
}
