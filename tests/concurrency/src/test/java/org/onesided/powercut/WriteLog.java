package org.onesided.powercut;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The log of the device mapper's target log-writes: all writes to a disk, each in the log only behind what was on the
 * disk before it. Numbers are little-endian. Each entry begins with a sector of its own, as does the log itself.
 *
 * <pre>
 *  log:    magic:8 | version:8 | entries:8 | bytes of a sector:4
 *
 *  entry:  sector:8 | sectors:8 | flags:8 | bytes behind this sector:8 | text of a mark
 * </pre>
 *
 * <p>Sectors in an entry are those of the log, of the size that it says. Behind an entry's sector are as many as it
 * wrote, but for a discard.
 */
final class WriteLog implements AutoCloseable
{
    private static final long MAGIC = 0x6a_7366_7773_6872L;
    private static final long VERSION = 1;
    private static final int ENTRIES_OFFSET = 16;
    private static final int SECTOR_LENGTH_OFFSET = 24;
    private static final int HEAD_LENGTH = 512;

    private static final long FLUSH = 1;
    private static final long FUA = 2;
    private static final long DISCARD = 4;
    private static final long MARK = 8;

    private final FileChannel file;
    private final long entries;
    private final int sectorLength;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private ByteBuffer data = ByteBuffer.allocate(1 << 20);
    private long position;
    private long index;
    private long sector;
    private long sectors;
    private long flags;
    private long dataLength;

    WriteLog(final Path path) throws IOException
    {
        file = FileChannel.open(path, StandardOpenOption.READ);
        read(head.clear(), 0);
        entries = head.getLong(ENTRIES_OFFSET);
        sectorLength = head.getInt(SECTOR_LENGTH_OFFSET);
        if (head.getLong(0) != MAGIC || head.getLong(Long.BYTES) != VERSION || sectorLength < HEAD_LENGTH)
        {
            throw new IOException("not a log of writes: file=" + path + " magic=" + Long.toHexString(head.getLong(0)) +
                " version=" + head.getLong(Long.BYTES) + " sectorLength=" + sectorLength);
        }
        rewind();
    }

    void rewind()
    {
        position = sectorLength;
        index = 0;
        sectors = 0;
        flags = DISCARD;
    }

    /** Goes to the next entry; whether there is one. */
    boolean next() throws IOException
    {
        position += index == 0 || isWithoutData() ? 0 : sectors * sectorLength;
        if (index == entries)
        {
            return false;
        }
        read(head.clear(), position);
        sector = head.getLong(0);
        sectors = head.getLong(Long.BYTES);
        flags = head.getLong(2 * Long.BYTES);
        dataLength = head.getLong(3 * Long.BYTES);
        position += sectorLength;
        index++;
        return true;
    }

    private boolean isWithoutData()
    {
        return (flags & (DISCARD | MARK)) != 0;
    }

    /** Number of the present entry, from 1. */
    long index()
    {
        return index;
    }

    /** Whether all before the present entry is on the disk, and so is the entry if it has data. */
    boolean isFlush()
    {
        return (flags & (FLUSH | FUA)) != 0;
    }

    /** The text of a mark; empty if the present entry is none. */
    String mark()
    {
        return (flags & MARK) == 0 ? "" :
            new String(head.array(), 4 * Long.BYTES, (int)dataLength, StandardCharsets.US_ASCII);
    }

    /** Writes to another disk what the present entry wrote. */
    void apply(final FileChannel disk) throws IOException
    {
        final long length = sectors * sectorLength;
        if ((flags & MARK) != 0 || length == 0)
        {
            return;
        }
        if (length > Integer.MAX_VALUE)
        {
            throw new IOException("entry is too long: index=" + index + " length=" + length);
        }
        if (data.capacity() < length)
        {
            data = ByteBuffer.allocate((int)length);
        }
        data.clear().limit((int)length);
        if ((flags & DISCARD) == 0)
        {
            read(data, position);
        }
        else
        {
            // What a discard leaves is not said. Zeros are what most disks leave, and what journals must stand.
            data.put(new byte[(int)length]).flip();
        }
        long at = sector * sectorLength;
        while (data.hasRemaining())
        {
            at += disk.write(data, at);
        }
    }

    private void read(final ByteBuffer into, final long from) throws IOException
    {
        long at = from;
        while (into.hasRemaining())
        {
            final int read = file.read(into, at);
            if (read < 0)
            {
                throw new EOFException("log of writes ends early: offset=" + at + " entry=" + index);
            }
            at += read;
        }
        into.flip();
    }

    @Override
    public void close() throws IOException
    {
        file.close();
    }
}
