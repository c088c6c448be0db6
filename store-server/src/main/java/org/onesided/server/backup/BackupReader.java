package org.onesided.server.backup;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.onesided.server.backup.BackupDescriptor.*;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotReader;

/**
 * Reads a backup file. Whatever it gives was compared with checksums: {@link #open} compares all bytes with that of the
 * footer, and {@link #verify} reads all records. Immutable, and so thread-safe.
 */
public final class BackupReader
{
    private static final int CHUNK_LENGTH = 1 << 20;

    /** Place of a shard's snapshot in the file. */
    private record Section(long start, long length)
    {
    }

    private final Path path;
    private final BackupHeader header;
    private final List<Section> sections;
    private final long size;

    private BackupReader(
        final Path path, final BackupHeader header, final List<Section> sections, final long size)
    {
        this.path = path;
        this.header = header;
        this.sections = sections;
        this.size = size;
    }

    /**
     * Opens a file: reads all of it, and compares the checksum of all bytes.
     *
     * @param path     of the file.
     * @param progress hears how many bytes were read.
     * @return tells what is in it.
     * @throws BackupException if it cannot be read, is no backup, damaged, not whole, or of a newer format.
     */
    public static BackupReader open(final Path path, final LongConsumer progress)
    {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ))
        {
            return read(path, channel, progress);
        }
        catch (final EOFException e)
        {
            throw new BackupException("backup is not whole, its end is missing: file=" + path, e);
        }
        catch (final NoSuchFileException e)
        {
            throw new BackupException("there is no such backup: file=" + path, e);
        }
        catch (final IOException e)
        {
            throw new BackupException("backup cannot be read: file=" + path + " cause=" + e, e);
        }
    }

    private static BackupReader read(final Path path, final FileChannel channel, final LongConsumer progress)
        throws IOException
    {
        final long size = channel.size();
        final CRC32C crc = new CRC32C();
        final BackupHeader header =
            BackupHeader.decode(read(channel, BackupHeader.startLength(), crc), path.toString());
        final List<Section> sections = new ArrayList<>();
        final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_LENGTH);
        for (int i = 0; i < header.shards(); i++)
        {
            final ByteBuffer section = read(channel, SECTION_LENGTH, crc);
            if (!header.isSection(section, i))
            {
                throw BackupException.damaged(path.toString(), channel.position() - SECTION_LENGTH, "a section");
            }
            final long length = section.getLong(SECTION_LENGTH_OFFSET);
            final long start = channel.position();
            if (length > size - start)
            {
                throw new EOFException();
            }
            sections.add(new Section(start, length));
            for (long left = length; left > 0; left -= chunk.capacity())
            {
                chunk.clear().limit((int)Math.min(left, CHUNK_LENGTH));
                DiskFiles.readAll(channel, chunk);
                crc.update(chunk.flip());
                progress.accept(channel.position());
            }
        }
        checkFooter(path, channel, header, crc);
        return new BackupReader(path, header, List.copyOf(sections), size);
    }

    private static void checkFooter(
        final Path path, final FileChannel channel, final BackupHeader header, final CRC32C crc) throws IOException
    {
        final long length = channel.position();
        final ByteBuffer footer = read(channel, FOOTER_LENGTH, null);
        crc.update(footer.array(), 0, FOOTER_CRC_OFFSET);
        if (footer.getInt(FOOTER_CRC_OFFSET) != (int)crc.getValue() ||
            footer.getLong(FOOTER_ID_OFFSET) != header.id() || footer.getLong(FOOTER_LENGTH_OFFSET) != length ||
            footer.getInt(FOOTER_SHARDS_OFFSET) != header.shards())
        {
            throw BackupException.damaged(path.toString(), length, "the checksum of all bytes");
        }
        if (channel.position() != channel.size())
        {
            throw BackupException.damaged(path.toString(), channel.position(), "bytes behind the end");
        }
    }

    private static ByteBuffer read(final FileChannel channel, final int length, final CRC32C crc) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(length).order(LITTLE_ENDIAN);
        DiskFiles.readAll(channel, bytes);
        bytes.clear();
        if (crc != null)
        {
            crc.update(bytes.duplicate());
        }
        return bytes;
    }

    /**
     * Reads all records, and compares all checksums.
     *
     * @param progress hears how many bytes were read.
     * @return how many records there are.
     * @throws BackupException if the file is damaged, or not what {@link #open} has read.
     */
    public long verify(final LongConsumer progress)
    {
        long records = 0;
        for (int i = 0; i < sections.size(); i++)
        {
            final long start = sections.get(i).start();
            try (SnapshotReader reader = snapshot(i))
            {
                for (SnapshotReader.Item item = reader.next(); item != SnapshotReader.Item.END; item = reader.next())
                {
                    records += item == SnapshotReader.Item.RECORD || item == SnapshotReader.Item.LONG_RECORD ? 1 : 0;
                    progress.accept(start + reader.position());
                }
            }
            catch (final SnapshotException e)
            {
                throw new BackupException("backup is damaged: " + e.getMessage(), e);
            }
        }
        return records;
    }

    /**
     * Reads the snapshot of a shard.
     *
     * @param shard number of the shard, from 0.
     * @return reads it; the caller closes it.
     * @throws SnapshotException if it cannot be read, or is of another table or shard.
     */
    SnapshotReader snapshot(final int shard)
    {
        final Section section = sections.get(shard);
        final SnapshotReader reader = new SnapshotReader(path, section.start(), section.length());
        boolean isGood = false;
        try
        {
            reader.checkOwner(header.tableId(), shard, header.shards());
            isGood = true;
            return reader;
        }
        finally
        {
            if (!isGood)
            {
                reader.close();
            }
        }
    }

    /** Where the snapshot of a shard begins in the file. */
    long start(final int shard)
    {
        return sections.get(shard).start();
    }

    /**
     * @return index of the last entry of each shard's log that is in it, in the order of the shards.
     * @throws BackupException if the file cannot be read any more.
     */
    public List<Long> indexes()
    {
        final List<Long> indexes = new ArrayList<>();
        for (int i = 0; i < sections.size(); i++)
        {
            try (SnapshotReader reader = snapshot(i))
            {
                indexes.add(reader.header().index());
            }
            catch (final SnapshotException e)
            {
                throw new BackupException("backup is damaged: " + e.getMessage(), e);
            }
        }
        return indexes;
    }

    /**
     * @return what it is of.
     */
    public BackupHeader header()
    {
        return header;
    }

    /**
     * @return length of the file in bytes.
     */
    public long size()
    {
        return size;
    }
}
