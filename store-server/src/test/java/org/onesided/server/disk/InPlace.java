package org.onesided.server.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Changes files a thousand times a second: some file systems sync a file that was emptied first, as
 * {@code Files.write} does.
 */
public final class InPlace
{
    private InPlace()
    {
    }

    /**
     * @param file  to be made or changed.
     * @param bytes all that it is to hold.
     * @throws IOException if it cannot be written.
     */
    public static void write(final Path file, final byte[] bytes) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
        {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining())
            {
                channel.write(buffer, buffer.position());
            }
            channel.truncate(bytes.length);
        }
    }
}
