package org.onesided.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file for inputs that are read from files, in memory where that can be.
 */
public final class ScratchFile implements AutoCloseable
{
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path path;

    /**
     * Makes the file.
     */
    public ScratchFile()
    {
        try
        {
            final Path folder = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
            path = Files.createTempFile(folder, "onesided-fuzz", ".tmp");
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @return where it is.
     */
    public Path path()
    {
        return path;
    }

    /**
     * @param content from here on.
     * @throws IOException if it cannot be written.
     */
    public void write(final byte[] content) throws IOException
    {
        Files.write(path, content);
    }

    @Override
    public void close()
    {
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
