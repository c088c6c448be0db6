package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * What the disk itself takes: appends the bytes of a put to a file whose blocks are there, and forces each append with
 * {@code fdatasync}.
 */
final class ForcedFile implements AutoCloseable
{
    private static final int LENGTH = 32 << 20;
    private static final int CHUNK = 1 << 20;

    private final FileChannel channel;
    private final ByteBuffer bytes;
    private long position;

    private ForcedFile(final FileChannel channel, final int appended)
    {
        this.channel = channel;
        bytes = ByteBuffer.allocateDirect(appended);
    }

    /**
     * @param path     of the file, which is new.
     * @param appended bytes of each append.
     */
    static ForcedFile create(final Path path, final int appended) throws IOException
    {
        final ForcedFile file = new ForcedFile(
            FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), appended);
        boolean isReady = false;
        try
        {
            for (long at = 0; at < LENGTH; at += CHUNK)
            {
                writeAll(file.channel, ByteBuffer.allocate(CHUNK), at);
            }
            file.channel.force(true);
            isReady = true;
            return file;
        }
        finally
        {
            if (!isReady)
            {
                file.close();
            }
        }
    }

    Turn measure(final long millis) throws IOException
    {
        return Crowd.run(List.of(this::append), 1, millis);
    }

    private void append() throws IOException
    {
        if (position + bytes.capacity() > LENGTH)
        {
            position = 0;
        }
        writeAll(channel, bytes.clear(), position);
        position += bytes.capacity();
        channel.force(false);
    }

    private static void writeAll(final FileChannel channel, final ByteBuffer from, final long at) throws IOException
    {
        long end = at;
        while (from.hasRemaining())
        {
            end += channel.write(from, end);
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
