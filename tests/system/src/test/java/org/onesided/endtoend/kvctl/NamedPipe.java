package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A named pipe that a program reads. Its writer neither waits for the program to open it, nor for one that has ended.
 */
final class NamedPipe implements AutoCloseable
{
    private final Path path;
    private final RandomAccessFile opened;
    private final OutputStream output;

    private NamedPipe(final Path path) throws IOException
    {
        this.path = path;
        // For reading, too, which nobody needs to wait for.
        opened = new RandomAccessFile(path.toFile(), "rw");
        output = Files.newOutputStream(path);
    }

    static NamedPipe make(final Path path) throws IOException, InterruptedException
    {
        assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
        return new NamedPipe(path);
    }

    Path path()
    {
        return path;
    }

    /** From the program's end on, writing fails. */
    void isReadBy(final Program program)
    {
        program.onExit(this::release);
    }

    /** Not buffered, so that nothing is left to be written to a pipe that nobody reads any more. */
    void write(final String text) throws IOException
    {
        output.write(text.getBytes(UTF_8));
    }

    /** Ends what the program reads. */
    void end() throws IOException
    {
        close();
    }

    @Override
    public void close() throws IOException
    {
        release();
        output.close();
    }

    private void release()
    {
        try
        {
            opened.close();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
