package org.onesided.server.raft;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Watches the room of the file system that holds the logs. Belongs to one thread.
 */
final class DiskRoom
{
    /** A log that is opened begins a segment, and Ratis writes small files. */
    private static final long LEAST_ROOM = 4L << 20;

    private final Path directory;
    private final FileStore store;
    private final long leastBytes;
    private long freeBytes;

    /**
     * @param directory  whose file system is watched.
     * @param leastBytes that must be free.
     * @throws IOException if the file system cannot be found.
     */
    DiskRoom(final Path directory, final long leastBytes) throws IOException
    {
        this.directory = directory;
        this.leastBytes = leastBytes;
        store = Files.getFileStore(directory);
        look();
    }

    /** Asks the file system. */
    void look()
    {
        try
        {
            freeBytes = store.getUsableSpace();
        }
        catch (final IOException e)
        {
            // The log will notice by itself if it cannot write.
            freeBytes = Long.MAX_VALUE;
        }
    }

    boolean isNearlyFull()
    {
        return freeBytes < leastBytes;
    }

    /** Whether even small entries have to stop: half of the room that must be free is gone. */
    boolean isScarce()
    {
        return freeBytes < leastBytes / 2;
    }

    /** Whether there is a quarter more than needed, so that logs do not stop and go on in turn. */
    boolean hasRoom()
    {
        return freeBytes >= Math.max(leastBytes + leastBytes / 4, LEAST_ROOM);
    }

    @Override
    public String toString()
    {
        return "the disk is nearly full: path=" + directory + ", free=" + (freeBytes >> 20) + "MiB, needed=" +
            (leastBytes >> 20) + "MiB";
    }
}
