package org.onesided.server.snapshot;

import static org.onesided.server.snapshot.SnapshotDescriptor.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.snapshot.SnapshotException.Reason;

/**
 * Reads a snapshot, one item after the other, with the memory of one block. Nothing is handed on before its block's
 * length and checksum were compared. Whether the file is whole is known only after {@link Item#END}, so
 * {@link SnapshotStore} reads it once before anybody relies on it. Not thread-safe.
 */
public final class SnapshotReader implements AutoCloseable
{
    /** What {@link #next} has found. */
    public enum Item
    {
        /** A session: {@link #valueAddress} and {@link #valueLength} tell where. */
        SESSION,
        /** A record. */
        RECORD,
        /** A record whose value follows in parts. */
        LONG_RECORD,
        /** The next part of that value: {@link #valueAddress} and {@link #partLength} tell where. */
        VALUE_PART,
        /** The file ends, and was whole. */
        END
    }

    private final Path path;
    private final FileChannel channel;
    private final SnapshotBlock block = new SnapshotBlock();
    private final SnapshotHeader header;
    private final long id;
    /** Where the snapshot begins in the file. */
    private final long start;
    private final long size;
    private long position;
    private int number;
    private long checksum;
    /** Place in the block's body of what follows. */
    private int at = BLOCK_HEADER_LENGTH;
    private int end = BLOCK_HEADER_LENGTH;
    private int kind = HEADER;
    private boolean isEnded;
    private long sessions;
    private long records;
    private long bytes;
    private int valueLeft;
    private long keyAddress;
    private int keyLength;
    private long valueAddress;
    private int valueLength;
    private int partLength;
    private long version;
    private long expiry;

    /**
     * Opens a file and reads its header.
     *
     * @param path of the file.
     * @throws SnapshotException if it cannot be read, is damaged, or of a newer format.
     */
    public SnapshotReader(final Path path)
    {
        this(path, 0, -1);
    }

    /**
     * Opens a snapshot within a file, and reads its header.
     *
     * @param path   of the file.
     * @param start  where the snapshot begins.
     * @param length of the snapshot in bytes; -1 for the rest of the file.
     * @throws SnapshotException if it cannot be read, is damaged, or of a newer format.
     */
    public SnapshotReader(final Path path, final long start, final long length)
    {
        this.path = path;
        this.start = start;
        FileChannel opened = null;
        boolean isOpen = false;
        try
        {
            opened = FileChannel.open(path, StandardOpenOption.READ);
            channel = opened;
            size = length < 0 ? channel.size() - start : length;
            channel.position(start);
            readPrologue();
            readBlock(0);
            header = SnapshotHeader.read(block.buffer(), at);
            id = block.buffer().getLong(at + ID_OFFSET);
            at = end;
            isOpen = true;
        }
        catch (final IOException e)
        {
            throw unreadable(e);
        }
        finally
        {
            if (!isOpen)
            {
                block.free();
                closeQuietly(opened);
            }
        }
    }

    /**
     * Reads all of a file, and compares all lengths and checksums.
     *
     * @param path      of the file.
     * @param onChecked hears how many bytes were read, each time some more were.
     * @return its header.
     * @throws SnapshotException if it is not good.
     */
    public static SnapshotHeader verify(final Path path, final LongConsumer onChecked)
    {
        try (SnapshotReader reader = new SnapshotReader(path))
        {
            long told = 0;
            // The reader compares.
            while (reader.next() != Item.END)
            {
                if (reader.position() != told)
                {
                    onChecked.accept(reader.position() - told);
                    told = reader.position();
                }
            }
            onChecked.accept(reader.position() - told);
            return reader.header();
        }
    }

    /**
     * @return what the snapshot is of.
     */
    public SnapshotHeader header()
    {
        return header;
    }

    /**
     * @return length of the snapshot in bytes.
     */
    public long size()
    {
        return size;
    }

    /**
     * @return bytes of the snapshot that were read so far.
     */
    public long position()
    {
        return position;
    }

    /**
     * Refuses a snapshot of something else.
     *
     * @param tableId that is expected.
     * @param shard   that is expected.
     * @param shards  that are expected.
     * @throws SnapshotException if the header says otherwise.
     */
    public void checkOwner(final long tableId, final int shard, final int shards)
    {
        if (header.tableId() != tableId || header.shard() != shard || header.shards() != shards)
        {
            throw new SnapshotException(Reason.FOREIGN, String.format(
                "snapshot is of another table or shard: file=%s tableId=%x expected=%x shard=%d expected=%d " +
                "shards=%d expected=%d",
                path, header.tableId(), tableId, header.shard(), shard, header.shards(), shards));
        }
    }

    /**
     * Goes on to the next item. What the one before said about places is not true any more.
     *
     * @return what it is; at the end {@link Item#END}, again and again.
     * @throws SnapshotException if the file is damaged or cannot be read.
     */
    public Item next()
    {
        if (isEnded)
        {
            return Item.END;
        }
        try
        {
            while (at == end)
            {
                readBlock(id);
            }
        }
        catch (final IOException e)
        {
            throw unreadable(e);
        }
        return switch (kind)
        {
            case SESSIONS -> session();
            case RECORDS -> record(0, MAX_SHORT_VALUE_LENGTH);
            case LONG_RECORD -> longRecord();
            case VALUE_PART -> valuePart();
            default -> footer();
        };
    }

    private Item session()
    {
        valueLength = end - at < SESSION_HEADER_LENGTH ? -1 : block.buffer().getInt(at);
        check(valueLength >= 0 && valueLength <= end - at - SESSION_HEADER_LENGTH, "a session's length");
        check(records == 0, "a session behind records");
        valueAddress = block.address(at + SESSION_HEADER_LENGTH);
        at += SESSION_HEADER_LENGTH + valueLength;
        sessions++;
        return Item.SESSION;
    }

    private Item record(final int least, final int most)
    {
        final int left = end - at - RECORD_KEY_OFFSET;
        check(left >= 0, "a record's length");
        final ByteBuffer buffer = block.buffer();
        version = buffer.getLong(at + RECORD_VERSION_OFFSET);
        expiry = buffer.getLong(at + RECORD_EXPIRY_OFFSET);
        keyLength = buffer.getInt(at + RECORD_KEY_LENGTH_OFFSET);
        valueLength = buffer.getInt(at + RECORD_VALUE_LENGTH_OFFSET);
        check(keyLength >= 1 && keyLength <= MAX_KEY_LENGTH && keyLength <= left, "a key's length");
        check(valueLength >= least && valueLength <= most, "a value's length");
        keyAddress = block.address(at + RECORD_KEY_OFFSET);
        at += RECORD_KEY_OFFSET + keyLength;
        records++;
        bytes += keyLength;
        if (kind == RECORDS)
        {
            check(valueLength <= end - at, "a value's length");
            valueAddress = block.address(at);
            at += valueLength;
            bytes += valueLength;
        }
        return Item.RECORD;
    }

    private Item longRecord()
    {
        check(valueLeft == 0, "a value that is not whole");
        record(MAX_SHORT_VALUE_LENGTH + 1, MAX_VALUE_LENGTH);
        check(at == end, "a record's length");
        valueLeft = valueLength;
        return Item.LONG_RECORD;
    }

    private Item valuePart()
    {
        partLength = end - at;
        check(partLength <= valueLeft, "a value's part");
        valueAddress = block.address(at);
        at = end;
        valueLeft -= partLength;
        bytes += partLength;
        return Item.VALUE_PART;
    }

    private Item footer()
    {
        final ByteBuffer buffer = block.buffer();
        check(kind == FOOTER && end - at == FOOTER_LENGTH, "a block's kind");
        check(valueLeft == 0, "a value that is not whole");
        check(
            buffer.getLong(at + FOOTER_SESSIONS_OFFSET) == sessions &&
            buffer.getLong(at + FOOTER_RECORDS_OFFSET) == records &&
            buffer.getLong(at + FOOTER_BYTES_OFFSET) == bytes,
            "counts that are not those of the file");
        check(buffer.getLong(at + FOOTER_CHECKSUM_OFFSET) == checksum, "a checksum of the whole file");
        check(position == size, "bytes behind the end");
        at = end;
        isEnded = true;
        return Item.END;
    }

    /**
     * @return raw address of the key, until the next item.
     */
    public long keyAddress()
    {
        return keyAddress;
    }

    /**
     * @return length of the key in bytes.
     */
    public int keyLength()
    {
        return keyLength;
    }

    /**
     * @return raw address of the session, the value, or its part, until the next item.
     */
    public long valueAddress()
    {
        return valueAddress;
    }

    /**
     * @return length of the session, or of the whole value, in bytes.
     */
    public int valueLength()
    {
        return valueLength;
    }

    /**
     * @return length of the value's part in bytes, at least 1.
     */
    public int partLength()
    {
        return partLength;
    }

    /**
     * @return bytes of the long value that are still to come.
     */
    public int valueLeft()
    {
        return valueLeft;
    }

    /**
     * @return version of the record.
     */
    public long version()
    {
        return version;
    }

    /**
     * @return expiry of the record.
     */
    public long expiry()
    {
        return expiry;
    }

    private void readPrologue() throws IOException
    {
        final ByteBuffer prologue = ByteBuffer.allocate(PROLOGUE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        check(size >= PROLOGUE_LENGTH, "too few bytes");
        DiskFiles.readAll(channel, prologue);
        position = PROLOGUE_LENGTH;
        final CRC32C crc = new CRC32C();
        crc.update(prologue.array(), 0, PROLOGUE_CRC_OFFSET);
        check(prologue.getLong(MAGIC_OFFSET) == MAGIC, "no magic");
        check(prologue.getInt(PROLOGUE_CRC_OFFSET) == (int)crc.getValue(), "a checksum of the prologue");
        final int format = prologue.getInt(FORMAT_OFFSET);
        if (format != FORMAT)
        {
            throw new SnapshotException(Reason.NEWER_FORMAT, "snapshot has a format of another version, start that " +
                "version or restore a backup: file=" + path + " format=" + format + " known=" + FORMAT);
        }
    }

    private void readBlock(final long blockId) throws IOException
    {
        final ByteBuffer buffer = block.buffer();
        check(size - position >= BLOCK_HEADER_LENGTH, "too few bytes");
        DiskFiles.readAll(channel, buffer.limit(BLOCK_HEADER_LENGTH).position(0));
        kind = buffer.getInt(KIND_OFFSET);
        final int length = buffer.getInt(LENGTH_OFFSET);
        check(isPossible(length), "a block's length");
        check(buffer.getInt(NUMBER_OFFSET) == number, "a block's number");
        check(size - position - BLOCK_HEADER_LENGTH >= length, "too few bytes");
        DiskFiles.readAll(channel, buffer.limit(BLOCK_HEADER_LENGTH + length));
        buffer.clear();
        block.length(length);
        check(block.computeCrc(blockId) == block.crc(), "a block's checksum");
        check(number == 0 == (kind == HEADER), "a block's kind");
        position += BLOCK_HEADER_LENGTH + length;
        at = BLOCK_HEADER_LENGTH;
        end = BLOCK_HEADER_LENGTH + length;
        checksum = kind == FOOTER ? checksum : block.addTo(checksum);
        number++;
    }

    private boolean isPossible(final int length)
    {
        return switch (kind)
        {
            case HEADER -> length == HEADER_LENGTH;
            case FOOTER -> length == FOOTER_LENGTH;
            case SESSIONS, RECORDS, LONG_RECORD, VALUE_PART -> length >= 1 && length <= MAX_BODY_LENGTH;
            default -> false;
        };
    }

    private void check(final boolean isGood, final String what)
    {
        if (!isGood)
        {
            throw new SnapshotException(Reason.DAMAGED,
                "snapshot is damaged: file=" + path + " offset=" + (start + position) + " cause=" + what);
        }
    }

    private SnapshotException unreadable(final IOException e)
    {
        return new SnapshotException(Reason.UNREADABLE,
            "snapshot cannot be read: file=" + path + " offset=" + (start + position) + " cause=" + e, e);
    }

    private static void closeQuietly(final FileChannel channel)
    {
        if (channel != null)
        {
            try
            {
                channel.close();
            }
            catch (final IOException ignored)
            {
                // Why it is closed matters more.
            }
        }
    }

    @Override
    public void close()
    {
        closeQuietly(channel);
        block.free();
    }
}
