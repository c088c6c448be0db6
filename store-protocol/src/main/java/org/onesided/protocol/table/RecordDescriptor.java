package org.onesided.protocol.table;

/**
 * Layout of a record, aligned to {@link SlotWord#GRANULE}. The bytes after the value, up to the next granule, are zero.
 *
 * <pre>
 *   0            2            4            6            8
 *  +------------+------------+------------+------------+
 *  | check                                             |
 *  +------------+------------+------------+------------+
 *  | version                                           |
 *  +------------+------------+------------+------------+
 *  | flags      | key length | value length            |
 *  +------------+------------+------------+------------+
 *  | key ...                                           |
 *  +------------+------------+------------+------------+
 *  | value ...                                         |
 *  +------------+------------+------------+------------+
 * </pre>
 *
 * <p>Flags are 0. A flag will say that 8 bytes of expiry stand before the key. A reader that sees an unknown
 * flag cannot locate key and value, and must ask the server.
 */
public final class RecordDescriptor
{
    /** {@link RecordCheck}'s code over all that follows, or {@link #DEAD}, or {@link #BEING_WRITTEN}. */
    public static final int CHECK_OFFSET = 0;
    /** Server term and counter; strictly increasing within a shard. */
    public static final int VERSION_OFFSET = CHECK_OFFSET + Long.BYTES;
    /** Flags of additional contents; 0 for none. */
    public static final int FLAGS_OFFSET = VERSION_OFFSET + Long.BYTES;
    /** Length of the key in bytes, unsigned. */
    public static final int KEY_LENGTH_OFFSET = FLAGS_OFFSET + Short.BYTES;
    /** Length of the value in bytes. */
    public static final int VALUE_LENGTH_OFFSET = KEY_LENGTH_OFFSET + Short.BYTES;
    /** The key, and behind it the value. */
    public static final int KEY_OFFSET = VALUE_LENGTH_OFFSET + Integer.BYTES;
    /** Length of what comes before the key. */
    public static final int HEADER_LENGTH = KEY_OFFSET;

    /** Check word of a dead record. */
    public static final long DEAD = 0;
    /** Check word of a record whose bytes are changing. */
    public static final long BEING_WRITTEN = 1;

    /** Shortest key in bytes. */
    public static final int MIN_KEY_LENGTH = 1;
    /** Longest key in bytes. */
    public static final int MAX_KEY_LENGTH = 4096;
    /** Longest value in bytes. */
    public static final int MAX_VALUE_LENGTH = 64 << 20;

    private RecordDescriptor()
    {
    }

    /**
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @return length of the record in bytes, without the zeroed tail.
     */
    public static long length(final int keyLength, final long valueLength)
    {
        return HEADER_LENGTH + keyLength + valueLength;
    }
}
