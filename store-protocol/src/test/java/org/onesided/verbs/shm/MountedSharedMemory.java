package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.onesided.verbs.posix.Posix;

/**
 * A file system that a test mounts, and that the device shm of this process uses until {@link #close}. A test that may
 * not mount one is skipped.
 */
public final class MountedSharedMemory implements AutoCloseable
{
    private final Path directory;
    private final String before = System.getProperty(ContextPaths.BASE_PROPERTY);

    private MountedSharedMemory(final Path directory)
    {
        this.directory = directory;
        System.setProperty(ContextPaths.BASE_PROPERTY, directory.toString());
    }

    /**
     * @param directory where to mount it.
     * @param options   of a tmpfs.
     * @return the file system.
     * @throws IOException if there is no program that mounts.
     */
    public static MountedSharedMemory at(final Path directory, final String options) throws IOException
    {
        assumeTrue(Posix.userId() == 0, "only root can mount a file system");
        assumeTrue(
            run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString()) == 0, "cannot mount");
        return new MountedSharedMemory(directory);
    }

    /**
     * @return where it is mounted.
     */
    public Path directory()
    {
        return directory;
    }

    /**
     * @return whether there is anything in it.
     * @throws IOException if it cannot be listed.
     */
    public boolean isUsed() throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.findAny().isPresent();
        }
    }

    /**
     * Changes options while the file system is in use.
     *
     * @param options of a tmpfs.
     * @throws IOException if there is no program that mounts.
     */
    public void remount(final String options) throws IOException
    {
        assertEquals(0, run("mount", "-o", "remount," + options, directory.toString()));
    }

    @Override
    public void close() throws IOException
    {
        if (before == null)
        {
            System.clearProperty(ContextPaths.BASE_PROPERTY);
        }
        else
        {
            System.setProperty(ContextPaths.BASE_PROPERTY, before);
        }
        assertEquals(0, run("umount", directory.toString()));
    }

    private static int run(final String... command) throws IOException
    {
        try
        {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted: command=" + command[0], e);
        }
    }
}
