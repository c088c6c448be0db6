package org.onesided.server.raft.files;

import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/**
 * Tells a torn entry from a damaged one. The entry is the first bad one of an open segment.
 *
 * <p>A crash loses what was written and not synced: some blocks of the file have the content that they had before,
 * which is zeros, in any combination. So an entry is torn if one of its blocks of 512 bytes is zero from the entry's
 * start or from the block's start, or if the file ends within it. Nobody was told that it is committed, so it may be
 * cut off, with all that follows.
 *
 * <p>It is damaged, whatever it looks like, if it was on the disk before: a snapshot holds it, or a later entry that is
 * whole says so ({@link org.onesided.server.log.EntryDescriptor}), or a single flipped bit mends it. An entry that is
 * neither torn nor damaged cannot be decided, and counts as damaged.
 */
final class BadEntry
{
    private static final int BLOCK = 512;
    /** Tags of the fields of LogEntryProto: their numbers and types. */
    private static final int TERM = 1 << 3;
    private static final int INDEX = 2 << 3;
    private static final int STATE_MACHINE_ENTRY = 3 << 3 | 2;
    private static final int CONFIGURATION_ENTRY = 4 << 3 | 2;
    /** Tag of the field of StateMachineLogEntryProto that holds what we log. */
    private static final int LOG_DATA = 1 << 3 | 2;
    private static final int LONGEST_VARINT = 10;
    /** Entries that may follow in a segment. */
    private static final long MOST_ENTRIES = 1L << 30;

    private final byte[] data;
    private final int offset;
    private final long index;
    private final EntryReader reader;
    private int position;
    private boolean isInHole;

    /**
     * @param data   of the segment.
     * @param offset of the entry.
     * @param index  that it should have.
     */
    BadEntry(final byte[] data, final int offset, final long index)
    {
        this.data = data;
        this.offset = offset;
        this.index = index;
        reader = new EntryReader(data, data.length);
    }

    /**
     * @param snapshotIndex index of the newest snapshot.
     * @return why it counts as damaged, or null if it is torn.
     */
    String damage(final long snapshotIndex)
    {
        if (index <= snapshotIndex)
        {
            return "a snapshot holds it";
        }
        final long witness = witness();
        if (witness >= 0)
        {
            return "entry " + witness + " says that it was on the disk";
        }
        if (offset >= Segment.HEADER_LENGTH && FlippedBit.mends(data, offset, index))
        {
            return "a bit of it is flipped";
        }
        return isTorn() ? null : "no block of it is missing, so it may have been on the disk";
    }

    /** Index of a later entry that is whole and says that this one was on the disk, or -1. */
    private long witness()
    {
        int at = offset + 1;
        while (at < data.length)
        {
            final int end = looksLater(at) ? reader.endOfWhole(at) : -1;
            if (end < 0)
            {
                at++;
                continue;
            }
            final LogEntryProto entry = reader.parse(at);
            if (entry != null && EntryReader.durableIndex(entry) >= index)
            {
                return entry.getIndex();
            }
            at = end;
        }
        return -1;
    }

    /** Whether an entry with a later index may begin here: looked at before the checksum, which takes longer. */
    private boolean looksLater(final int at)
    {
        if (reader.length(at) < 0)
        {
            return false;
        }
        position = at + reader.varintLength();
        if (next() != TERM || varint() < 1 || next() != INDEX)
        {
            return false;
        }
        final long later = varint();
        return later > index && later - index < MOST_ENTRIES;
    }

    private boolean isTorn()
    {
        if (isHole(offset))
        {
            return true;
        }
        final int length = reader.length(offset);
        isInHole = false;
        position = offset;
        while (next() >= 0x80 && position < offset + EntryReader.MOST_LENGTH_BYTES)
        {
            continue;
        }
        if (isInHole)
        {
            return true;
        }
        if (length < 0)
        {
            return false;
        }
        final long end = (long)offset + reader.varintLength() + length;
        return (isStructure(end) || isInHole) && (end + EntryReader.CHECKSUM_LENGTH > data.length ||
            hasHole((int)end + EntryReader.CHECKSUM_LENGTH));
    }

    /** Whether what tells lengths inside the entry agrees with its own; not decided if that is in a missing block. */
    private boolean isStructure(final long end)
    {
        if (next() != TERM || varint() < 1)
        {
            return false;
        }
        int tag = next();
        if (tag == INDEX)
        {
            if (varint() != index)
            {
                return false;
            }
            tag = next();
        }
        if (tag != STATE_MACHINE_ENTRY)
        {
            return tag == CONFIGURATION_ENTRY && varint() == end - position;
        }
        final long inner = varint();
        return inner == end - position && next() == LOG_DATA && varint() <= end - position;
    }

    private long varint()
    {
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++)
        {
            final int b = next();
            if (b < 0)
            {
                return -1;
            }
            value |= (long)(b & 0x7f) << (7 * i);
            if (b < 0x80)
            {
                return value;
            }
        }
        return -1;
    }

    /** The next byte, or -1 at the end of the file. Notes if it is in a block that is missing. */
    private int next()
    {
        if (position >= data.length)
        {
            isInHole = true;
            return -1;
        }
        if (data[position] == 0 && isHole(position))
        {
            isInHole = true;
        }
        return data[position++] & 0xff;
    }

    private boolean hasHole(final int end)
    {
        for (int at = offset; at < end; at = (at / BLOCK + 1) * BLOCK)
        {
            if (isHole(at))
            {
                return true;
            }
        }
        return false;
    }

    /** Whether the block around a byte is zero, as far as it belongs to this entry or to what follows. */
    private boolean isHole(final int at)
    {
        final int begin = Math.max(at / BLOCK * BLOCK, offset);
        final int end = Math.min((at / BLOCK + 1) * BLOCK, data.length);
        for (int i = begin; i < end; i++)
        {
            if (data[i] != 0)
            {
                return false;
            }
        }
        return true;
    }
}
