package org.onesided.server.raft.files;

import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/**
 * Finds out whether a single flipped bit explains an entry's wrong checksum.
 *
 * <p>A CRC is linear: flipping a bit changes it by a value that depends only on the bit's distance from the end. So one
 * pass over the entry tries all bits.
 */
final class FlippedBit
{
    /** CRC-32C's polynomial, reflected. */
    private static final int POLYNOMIAL = 0x82F6_3B78;

    private FlippedBit()
    {
    }

    /**
     * @param data   of a segment.
     * @param offset of an entry.
     * @param index  that it should have.
     * @return whether flipping one bit gives an entry with this index.
     */
    static boolean mends(final byte[] data, final int offset, final long index)
    {
        return isInLength(data, offset, index) || isInRest(data, offset, index);
    }

    /** A flipped bit of the length moves the end: each is tried by itself. */
    private static boolean isInLength(final byte[] data, final int offset, final long index)
    {
        for (int i = 0; i < EntryReader.MOST_LENGTH_BYTES && offset + i < data.length; i++)
        {
            for (int bit = 0; bit < Byte.SIZE; bit++)
            {
                data[offset + i] ^= (byte)(1 << bit);
                final boolean isMended = isEntry(data, offset, index);
                data[offset + i] ^= (byte)(1 << bit);
                if (isMended)
                {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isInRest(final byte[] data, final int offset, final long index)
    {
        final EntryReader reader = new EntryReader(data, data.length);
        final int length = reader.length(offset);
        final long end = (long)offset + reader.varintLength() + length;
        if (length < 0 || end + EntryReader.CHECKSUM_LENGTH > data.length)
        {
            return false;
        }
        final int difference = reader.checksum(offset, (int)end) ^ reader.storedChecksum((int)end);
        if (Integer.bitCount(difference) == 1)
        {
            return true;
        }
        // The change that bit 0 of the last byte makes is that of 8 steps; bit 7 that of one.
        final int[] changes = new int[Byte.SIZE];
        for (int bit = 0; bit < Byte.SIZE; bit++)
        {
            changes[bit] = steps(1 << bit, Byte.SIZE);
        }
        for (int at = (int)end - 1; at >= offset + reader.varintLength(); at--)
        {
            for (int bit = 0; bit < Byte.SIZE; bit++)
            {
                if (changes[bit] == difference && isMended(data, at, bit, offset, index))
                {
                    return true;
                }
                changes[bit] = steps(changes[bit], Byte.SIZE);
            }
        }
        return false;
    }

    private static boolean isMended(
        final byte[] data,
        final int at,
        final int bit,
        final int offset,
        final long index)
    {
        data[at] ^= (byte)(1 << bit);
        final boolean isMended = isEntry(data, offset, index);
        data[at] ^= (byte)(1 << bit);
        return isMended;
    }

    private static int steps(final int crc, final int count)
    {
        int value = crc;
        for (int i = 0; i < count; i++)
        {
            value = value >>> 1 ^ (POLYNOMIAL & -(value & 1));
        }
        return value;
    }

    private static boolean isEntry(final byte[] data, final int offset, final long index)
    {
        final EntryReader reader = new EntryReader(data, data.length);
        if (reader.endOfWhole(offset) < 0)
        {
            return false;
        }
        final LogEntryProto entry = reader.parse(offset);
        return entry != null && entry.getIndex() == index;
    }
}
