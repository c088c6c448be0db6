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
 *  | expiry                                            |
 *  +------------+------------+------------+------------+
 * </pre>
 *
 * <p>The key begins right behind the header, the value right behind the key. The expiry, which is there if a flag says
 * so, begins right behind the value: key and value are at the same place with and without it. A reader that sees an
 * unknown flag does not know the record's length, and must ask the server.
 *
 * <p>The expiry is a time of the server's clock, which no reader compares with its own: the server marks a record dead
 * when its time has come. A record that may not be rewritten as a whole, since it is long, has the word in any case, so
 * that its time can be changed in place.
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

    /** Flag: the record ends with an expiry. */
    public static final int EXPIRY_FLAG = 1;
    /** Length of the expiry: milliseconds since 1970 by the server's clock, or {@link #NEVER}. */
    public static final int EXPIRY_LENGTH = Long.BYTES;
    /** Expiry of a record that stays. */
    public static final long NEVER = 0;

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
     * @return length of a record without an expiry in bytes, without the zeroed tail.
     */
    public static long length(final int keyLength, final long valueLength)
    {
        return HEADER_LENGTH + keyLength + valueLength;
    }

    /**
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @param flags       of the record.
     * @return length of the record in bytes, without the zeroed tail.
     */
    public static long length(final int keyLength, final long valueLength, final int flags)
    {
        return length(keyLength, valueLength) + (hasExpiry(flags) ? EXPIRY_LENGTH : 0);
    }

    /**
     * @param flags of a record.
     * @return whether it ends with an expiry.
     */
    public static boolean hasExpiry(final int flags)
    {
        return (flags & EXPIRY_FLAG) != 0;
    }

    /**
     * @param flags of a record.
     * @return whether this version knows what they all mean.
     */
    public static boolean areKnown(final int flags)
    {
        return (flags & ~EXPIRY_FLAG) == 0;
    }
}
