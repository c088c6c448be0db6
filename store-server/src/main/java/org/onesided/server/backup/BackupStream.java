package org.onesided.server.backup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.onesided.server.disk.DiskFiles;

/**
 * Puts a backup together from the shards' snapshots, and hands it on in pieces. Not thread-safe.
 */
final class BackupStream
{
    /** Takes pieces. */
    interface Sink
    {
        /** Takes the buffer's rest, at most the length that the stream was made with. */
        void accept(ByteBuffer piece) throws IOException;
    }

    private final BackupHeader header;
    private final List<Path> snapshots;
    private final int pieceLength;
    private final CRC32C crc = new CRC32C();
    private long length;

    /**
     * @param header      of the backup.
     * @param snapshots   of the shards, in their order.
     * @param pieceLength longest piece in bytes.
     */
    BackupStream(final BackupHeader header, final List<Path> snapshots, final int pieceLength)
    {
        this.header = header;
        this.snapshots = List.copyOf(snapshots);
        this.pieceLength = pieceLength;
    }

    /** Length of the whole in bytes. */
    long totalLength() throws IOException
    {
        long sum = BackupHeader.startLength() + BackupDescriptor.FOOTER_LENGTH;
        for (final Path snapshot : snapshots)
        {
            sum += BackupDescriptor.SECTION_LENGTH + Files.size(snapshot);
        }
        return sum;
    }

    /** Hands everything on. */
    void writeTo(final Sink sink) throws IOException
    {
        add(header.encode(), sink);
        final ByteBuffer piece = ByteBuffer.allocate(pieceLength);
        for (int i = 0; i < snapshots.size(); i++)
        {
            try (FileChannel channel = FileChannel.open(snapshots.get(i), StandardOpenOption.READ))
            {
                long left = channel.size();
                add(header.encodeSection(i, left), sink);
                while (left > 0)
                {
                    piece.clear().limit((int)Math.min(left, pieceLength));
                    DiskFiles.readAll(channel, piece);
                    left -= piece.position();
                    add(piece.flip(), sink);
                }
            }
        }
        sink.accept(header.encodeFooter(length, crc));
    }

    private void add(final ByteBuffer bytes, final Sink sink) throws IOException
    {
        crc.update(bytes.duplicate());
        length += bytes.remaining();
        sink.accept(bytes);
    }
}
