package org.onesided.server.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is deleted to start on a full disk: opening a log writes a vote and the first entry of a term. Without
 * that, no lookup could be answered before somebody makes room.
 */
final class Reserve
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Reserve.class);
    private static final String NAME = "reserve";
    /** Ratis writes a mebibyte ahead; the rest is for its small files. */
    private static final long BYTES_PER_SHARD = 2L << 20;
    private static final int CHUNK = 64 << 10;

    private final Path file;
    private final long bytes;

    Reserve(final Path directory, final int shards)
    {
        file = directory.resolve(NAME);
        bytes = BYTES_PER_SHARD * shards;
    }

    /** Gives the file's room back if there is not enough beside it. */
    void release() throws IOException
    {
        if (Files.getFileStore(file.getParent()).getUsableSpace() < bytes && Files.deleteIfExists(file))
        {
            LOGGER.warn("disk is full, the reserve is used to start: file={} bytes={}", file, bytes);
        }
    }

    /** Makes the file if it is missing. Called while there is more room than is needed. */
    void make()
    {
        if (Files.exists(file))
        {
            return;
        }
        final Path unfinished = file.resolveSibling(NAME + ".new");
        try
        {
            write(unfinished);
            Files.move(unfinished, file);
        }
        catch (final IOException e)
        {
            // The next start may have to wait for room. The logs themselves tell of a disk that fails.
            LOGGER.debug("the reserve could not be written: file={}", file, e);
        }
    }

    private void write(final Path target) throws IOException
    {
        try (FileChannel channel = FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
        {
            final ByteBuffer zeros = ByteBuffer.allocate(CHUNK);
            for (long at = 0; at < bytes;)
            {
                zeros.clear();
                at += channel.write(zeros, at);
            }
            channel.force(true);
        }
    }
}
