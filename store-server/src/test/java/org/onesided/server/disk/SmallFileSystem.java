package org.onesided.server.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system of a few mebibytes, in memory. Mounting it needs root; without, the test is left out. */
public final class SmallFileSystem implements AutoCloseable
{
    private static final int PAGE = 4096;
    private static final int WAIT_S = 30;

    private final Path path;

    private SmallFileSystem(final Path path)
    {
        this.path = path;
    }

    /**
     * @param path    of an empty directory.
     * @param sizeMib mebibytes.
     * @return the file system, which is unmounted when it is closed.
     * @throws IOException if the mount cannot be tried.
     */
    public static SmallFileSystem mount(final Path path, final int sizeMib) throws IOException
    {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=" + sizeMib + "m", "tmpfs", path.toString()),
            "left out: mounting a file system of its own needs root");
        return new SmallFileSystem(path);
    }

    /**
     * Leaves no room at all.
     *
     * @param file that takes the room.
     * @throws IOException if the file cannot be made.
     */
    public void fill(final Path file) throws IOException
    {
        try (OutputStream filler = Files.newOutputStream(file))
        {
            final byte[] page = new byte[PAGE];
            assertThrows(IOException.class, () ->
            {
                while (true)
                {
                    filler.write(page);
                }
            });
        }
        assertEquals(0, Files.getFileStore(path).getUsableSpace());
    }

    @Override
    public void close() throws IOException
    {
        assertTrue(run("umount", path.toString()) || run("umount", "-l", path.toString()));
    }

    private static boolean run(final String... command) throws IOException
    {
        final Process process = new ProcessBuilder(command)
            .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try
        {
            return process.waitFor(WAIT_S, TimeUnit.SECONDS) && process.exitValue() == 0;
        }
        catch (final InterruptedException e)
        {
            throw new IOException("interrupted: command=" + String.join(" ", command), e);
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
