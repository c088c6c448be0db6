package org.onesided.server.log;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of a log entry: what came to a shard in one round. All numbers are little-endian.
 *
 * <pre>
 *   0        1        2                                                 8 bytes
 *  +--------+--------+-------------------------------------------------+
 *  | format | 0      | 0                                               |
 *  +--------+--------+-------------------------------------------------+
 *  | time in milliseconds since 1970                                   |
 *  +--------------------------------------------------------------------+
 *  | life of the shard that proposed it                                |
 *  +--------------------------------------------------------------------+
 *  | durable index                                                     |
 *  +--------------------------------------------------------------------+
 *  | items, each from a multiple of 8                                  |
 *  :                                                                   :
 * </pre>
 *
 * <p>The time is the shard's, never less than that of the entry before. The life is a random number that a shard draws
 * when it starts. The durable index is that of the last entry which was handed over to the shard when it proposed this
 * one, if that means that it was on the disk then; else -1.
 *
 * <p>An item is a header of 16 bytes and a body:
 *
 * <pre>
 *   0        1                          4                           8 bytes
 *  +--------+--------------------------+---------------------------+
 *  | kind   | 0                        | length of the body        |
 *  +--------+--------------------------+---------------------------+
 *  | session                                                       |
 *  +---------------------------------------------------------------+
 *  | body, filled with zeros up to a multiple of 8                 |
 *  :                                                               :
 * </pre>
 *
 * <p>{@link ItemKind} says what is in the body.
 */
public final class EntryDescriptor
{
    /** Format of entries that this version writes, and the newest that it reads. */
    public static final int FORMAT = 1;

    /** Offset of the format, a byte. */
    public static final int FORMAT_OFFSET = 0;
    /** Offset of the time. */
    public static final int TIME_OFFSET = FORMAT_OFFSET + Long.BYTES;
    /** Offset of the life. */
    public static final int LIFE_OFFSET = TIME_OFFSET + Long.BYTES;
    /** Offset of the durable index. */
    public static final int DURABLE_INDEX_OFFSET = LIFE_OFFSET + Long.BYTES;
    /** Length of an entry's header. */
    public static final int HEADER_LENGTH = DURABLE_INDEX_OFFSET + Long.BYTES;

    /** Offset of an item's kind, a byte. */
    public static final int ITEM_KIND_OFFSET = 0;
    /** Offset of the length of an item's body. */
    public static final int ITEM_LENGTH_OFFSET = ITEM_KIND_OFFSET + Integer.BYTES;
    /** Offset of an item's session. */
    public static final int ITEM_SESSION_OFFSET = ITEM_LENGTH_OFFSET + Integer.BYTES;
    /** Length of an item's header. */
    public static final int ITEM_HEADER_LENGTH = ITEM_SESSION_OFFSET + Long.BYTES;
    /** Items begin at multiples of this. */
    public static final int ITEM_ALIGNMENT = Long.BYTES;

    private EntryDescriptor()
    {
    }

    /**
     * Writes an entry's header.
     *
     * @param buffer       to write to.
     * @param offset       of the entry.
     * @param timeMs       of the shard.
     * @param life         of the shard.
     * @param durableIndex of the entry that was handed over last.
     */
    public static void writeHeader(
        final MutableDirectBuffer buffer,
        final int offset,
        final long timeMs,
        final long life,
        final long durableIndex)
    {
        buffer.putLong(offset, FORMAT, LITTLE_ENDIAN);
        buffer.putLong(offset + TIME_OFFSET, timeMs, LITTLE_ENDIAN);
        buffer.putLong(offset + LIFE_OFFSET, life, LITTLE_ENDIAN);
        buffer.putLong(offset + DURABLE_INDEX_OFFSET, durableIndex, LITTLE_ENDIAN);
    }

    /**
     * @param buffer holds an entry.
     * @param offset of the entry.
     * @param length of the entry.
     * @return whether it is long enough for a header, and of a format that this version reads.
     */
    public static boolean isReadable(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= HEADER_LENGTH && buffer.getByte(offset + FORMAT_OFFSET) == FORMAT;
    }

    /**
     * @param buffer holds an entry.
     * @param offset of the entry.
     * @return its time in milliseconds since 1970.
     */
    public static long timeMs(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + TIME_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * @param buffer holds an entry.
     * @param offset of the entry.
     * @return life of the shard that proposed it.
     */
    public static long life(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + LIFE_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * @param buffer holds an entry.
     * @param offset of the entry.
     * @return index of an entry that was durable before this one was written.
     */
    public static long durableIndex(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + DURABLE_INDEX_OFFSET, LITTLE_ENDIAN);
    }
}
