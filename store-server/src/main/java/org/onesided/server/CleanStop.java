package org.onesided.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.verbs.ThreadEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of an orderly stop: all is forced to the disk, the data directory is marked as clean, and its lock ends. A
 * disk that does not answer holds up a thread that nobody waits for any longer. The lock stays as long as that thread
 * may still write the mark, as another server may use the directory then.
 */
final class CleanStop
{
    /** How long a stop waits for the disk. */
    static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOGGER = LoggerFactory.getLogger(CleanStop.class);

    private CleanStop()
    {
    }

    /** Writes the mark. */
    @FunctionalInterface
    interface Mark
    {
        void write() throws IOException;
    }

    /**
     * Writes the mark, and then releases the directory, whatever comes of it.
     *
     * @param path      of the directory.
     * @param mark      to be written.
     * @param release   ends the lock.
     * @param longestNs how long to wait for both, in nanoseconds.
     */
    static void run(final Path path, final Mark mark, final Runnable release, final long longestNs)
    {
        final Thread thread = new Thread(() -> write(path, mark, release), "store-clean-stop");
        // The process may end without it.
        thread.setDaemon(true);
        thread.start();
        final String stuck = ThreadEnd.await(thread, longestNs);
        if (stuck != null)
        {
            LOGGER.warn("stop is not marked as clean, the disk does not answer: path={} {}", path, stuck);
        }
    }

    private static void write(final Path path, final Mark mark, final Runnable release)
    {
        try
        {
            mark.write();
        }
        catch (final IOException | DataDirectoryException e)
        {
            LOGGER.warn("stop is not marked as clean: path={} cause={}", path, e.toString());
        }
        finally
        {
            release.run();
        }
    }
}
