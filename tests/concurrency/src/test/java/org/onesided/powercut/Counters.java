package org.onesided.powercut;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Counts on a raw disk, each in a block of its own, written without the page cache. Each belongs to one thread.
 */
final class Counters implements AutoCloseable
{
    static final int BLOCK_LENGTH = 4096;

    private final FileChannel file;
    private final ByteBuffer[] blocks;

    /**
     * @param path  of the disk.
     * @param count how many.
     */
    Counters(final Path path, final int count) throws IOException
    {
        file = FileChannel.open(path, StandardOpenOption.WRITE, direct());
        blocks = new ByteBuffer[count];
        for (int i = 0; i < count; i++)
        {
            blocks[i] = ByteBuffer.allocateDirect(2 * BLOCK_LENGTH).alignedSlice(BLOCK_LENGTH).limit(BLOCK_LENGTH);
            write(i, 0);
        }
    }

    /** The option of the JDK that leaves the page cache out. By its name, since the compiler warns of its class. */
    private static OpenOption direct() throws IOException
    {
        try
        {
            return Arrays.stream(Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
                .filter(option -> option.toString().equals("DIRECT")).map(OpenOption.class::cast)
                .findFirst().orElseThrow();
        }
        catch (final ClassNotFoundException e)
        {
            throw new IOException(e);
        }
    }

    /** Writes a count. When this returns, the disk has it, perhaps in its cache. */
    void write(final int counter, final long count)
    {
        final ByteBuffer block = blocks[counter];
        block.clear().limit(BLOCK_LENGTH).putLong(0, count);
        try
        {
            if (file.write(block, (long)counter * BLOCK_LENGTH) != BLOCK_LENGTH)
            {
                throw new IOException("short write: counter=" + counter);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a count from another disk, on which the counts begin at an offset. */
    static long read(final FileChannel disk, final long offset, final int counter) throws IOException
    {
        final ByteBuffer block = ByteBuffer.allocate(Long.BYTES);
        disk.read(block, offset + (long)counter * BLOCK_LENGTH);
        return block.getLong(0);
    }

    @Override
    public void close() throws IOException
    {
        file.close();
    }
}
