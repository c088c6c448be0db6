package org.onesided.protocol.table;

/**
 * Layout of a bucket: one cache line, read by one READ.
 *
 * <pre>
 *   0         8         16        24        32        40        48        56        64
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | header  | slot 0  | slot 1  | slot 2  | slot 3  | slot 4  | slot 5  | slot 6  |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *
 *  header:  63 62 61                            32 31                             0
 *          +-----+--------------------------------+--------------------------------+
 *          |state| epoch tag                      | overflow bucket number + 1     |
 *          +-----+--------------------------------+--------------------------------+
 * </pre>
 *
 * <p>Only a bucket in state {@link #LIVE} with the expected epoch tag may say that a key is absent.
 */
public final class BucketDescriptor
{
    /** State, epoch tag and the next bucket of the chain. */
    public static final int HEADER_OFFSET = 0;
    /** The first slot. */
    public static final int SLOTS_OFFSET = HEADER_OFFSET + Long.BYTES;
    /** Slots of a bucket. */
    public static final int SLOT_COUNT = 7;
    /** Length of the whole, and its alignment. */
    public static final int LENGTH = SLOTS_OFFSET + SLOT_COUNT * Long.BYTES;

    /** Most buckets of a chain, the first included: a key for which none of them has room is refused. */
    public static final int MAX_CHAIN_LENGTH = 8;

    /** State: these bytes are no bucket. */
    public static final int NOT_A_BUCKET = 0;
    /** State: in use. */
    public static final int LIVE = 1;
    /** State: its records are found through another epoch's buckets. */
    public static final int MIGRATED = 2;

    private static final int STATE_SHIFT = 62;
    private static final int EPOCH_SHIFT = 32;
    private static final long EPOCH_MASK = (1L << (STATE_SHIFT - EPOCH_SHIFT)) - 1;
    private static final long OVERFLOW_MASK = 0xFFFF_FFFFL;

    private BucketDescriptor()
    {
    }

    /**
     * @param state    of the bucket.
     * @param epoch    whose low bits become the tag.
     * @param overflow number of the next bucket of the chain in the shard's overflow buckets, or -1 for none.
     * @return the header word.
     */
    public static long header(final int state, final long epoch, final long overflow)
    {
        return (long)state << STATE_SHIFT | (epoch & EPOCH_MASK) << EPOCH_SHIFT | (overflow + 1) & OVERFLOW_MASK;
    }

    /**
     * @param header a header word.
     * @param epoch  expected.
     * @return whether the bucket is in use in this epoch.
     */
    public static boolean isLive(final long header, final long epoch)
    {
        return header >>> EPOCH_SHIFT == ((long)LIVE << (STATE_SHIFT - EPOCH_SHIFT) | epoch & EPOCH_MASK);
    }

    /**
     * @param header a header word.
     * @return number of the next bucket of the chain in the shard's overflow buckets, or -1 for none.
     */
    public static long overflow(final long header)
    {
        return (header & OVERFLOW_MASK) - 1;
    }

    /**
     * @param index of a slot, 0 to 6.
     * @return its offset in the bucket.
     */
    public static int slotOffset(final int index)
    {
        return SLOTS_OFFSET + index * Long.BYTES;
    }
}
