package org.onesided.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file for inputs that are read from files, in memory where that can be. It has no name but that of the process's
 * handle, so that nothing of it stays, however the process ends.
 */
public final class ScratchFile implements AutoCloseable
{
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Path HANDLES = Path.of("/proc/self/fd");

    private final FileChannel channel;
    private final Path path;

    /**
     * Makes the file.
     */
    public ScratchFile()
    {
        try
        {
            final Path folder = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
            final Path named = Files.createTempFile(folder, "onesided-fuzz", ".tmp").toRealPath();
            try
            {
                channel = FileChannel.open(named, StandardOpenOption.WRITE);
                path = handle(named);
            }
            finally
            {
                Files.delete(named);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static Path handle(final Path file) throws IOException
    {
        final List<Path> handles;
        try (Stream<Path> all = Files.list(HANDLES))
        {
            handles = all.toList();
        }
        for (final Path handle : handles)
        {
            // The one that listed them is gone.
            if (Files.exists(handle) && Files.isSameFile(handle, file))
            {
                return handle;
            }
        }
        throw new IllegalStateException("no handle of an open file: file=" + file);
    }

    /**
     * @return where it is, for this process.
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
            channel.close();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
