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
 *  header:  63 62 61    56 55                   32 31                             0
 *          +-----+--------+-----------------------+--------------------------------+
 *          |state| epoch  | tag                   | overflow bucket number + 1     |
 *          +-----+--------+-----------------------+--------------------------------+
 * </pre>
 *
 * <p>A bucket and the overflow buckets that its header leads to are a chain. Keys move to earlier buckets of their
 * chain, and empty overflow buckets leave it, while readers READ it. Each step that could hide a present key changes
 * the <em>tag</em> of the chain's first bucket. The writer's rules:
 * <ol>
 * <li>A key moves only to an earlier bucket: new slot, then tag + 1, then old slot. A move into the first bucket itself
 * leaves the tag as it is.
 * <li>An empty overflow bucket leaves the chain: the header before it, then tag + 1. If that is the first bucket's, one
 * store does both. Only then may the bucket serve another chain.
 * <li>An overflow bucket joins at the end: its slots, its header, then the header before it. The tag stays.
 * <li>The tag begins with 0 and never wraps: at {@link #MAX_TAG} keys move only into the first bucket, and no bucket
 * leaves.
 * <li>A chain is split in one go. The two new first buckets were zero before. Their slots and their overflow buckets,
 * none of which is in the old chain, are filled, then their headers become live, then the old first bucket's header
 * says <em>migrated</em>, and last the shard's {@link SplitPoint} may say so. The old slots stay as they are for ever.
 * Only after the mark do keys of the new chains change, and the old overflow buckets serve other chains.
 * </ol>
 *
 * <p>A reader says that a key is absent only by one of these:
 * <ul>
 * <li>The first bucket is live, has no overflow bucket and tag 0, and the key is not there.
 * <li>It knew the first bucket's header from before. It READs the overflow buckets one after the other, then the first
 * bucket whole. The key is in none of them, and the first bucket is live with the tag that the reader knew. Nor has it
 * an overflow bucket now if the reader knew of none.
 * </ul>
 *
 * <p>The first of these needs a bucket that was known to be live, or split, before the READ was posted: one of level 0,
 * or one that a migrated bucket or a split point led to. A migrated bucket says only where to look further: it, and all
 * buckets before it at its level, are split. A bucket that is neither live nor migrated sends the reader back to the
 * one that it comes of.
 *
 * <p>The test {@code IndexModelTest} searches all orders of the steps of a writer and a reader with these rules, and
 * finds what each of them is for.
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

    /**
     * Most buckets of a chain, the first included: a key for which none of them has room is refused. That takes 57 keys
     * of one bucket. Buckets that are to be split next have up to 6 on average: then that comes about once in 7e34
     * buckets (Poisson). Where splitting waits for memory, and buckets have 12 on average, once in 2e20.
     */
    public static final int MAX_CHAIN_LENGTH = 8;

    /** State: these bytes are no bucket. */
    public static final int NOT_A_BUCKET = 0;
    /** State: in use. */
    public static final int LIVE = 1;
    /** State: it was split, and its keys are found through two buckets of the next level. */
    public static final int MIGRATED = 2;

    /** Highest tag of a chain. */
    public static final int MAX_TAG = (1 << 24) - 1;

    private static final int STATE_SHIFT = 62;
    private static final int EPOCH_SHIFT = 56;
    private static final long EPOCH_MASK = (1L << (STATE_SHIFT - EPOCH_SHIFT)) - 1;
    private static final int TAG_SHIFT = 32;
    private static final long TAG_MASK = (long)MAX_TAG << TAG_SHIFT;
    private static final long OVERFLOW_MASK = 0xFFFF_FFFFL;

    private BucketDescriptor()
    {
    }

    /**
     * @param state    of the bucket.
     * @param epoch    whose low bits are kept.
     * @param tag      of the chain, 0 to {@link #MAX_TAG}; 0 in overflow buckets.
     * @param overflow number of the next bucket of the chain in the shard's overflow buckets, or -1 for none.
     * @return the header word.
     */
    public static long header(final int state, final long epoch, final int tag, final long overflow)
    {
        return (long)state << STATE_SHIFT | (epoch & EPOCH_MASK) << EPOCH_SHIFT |
            (long)tag << TAG_SHIFT & TAG_MASK | overflow + 1 & OVERFLOW_MASK;
    }

    /**
     * @param header a header word.
     * @param tag    0 to {@link #MAX_TAG}.
     * @return the header word with this tag instead of its own.
     */
    public static long withTag(final long header, final int tag)
    {
        return header & ~TAG_MASK | (long)tag << TAG_SHIFT & TAG_MASK;
    }

    /**
     * @param header   a header word.
     * @param overflow number of the next bucket of the chain, or -1 for none.
     * @return the header word with this bucket instead of its own.
     */
    public static long withOverflow(final long header, final long overflow)
    {
        return header & ~OVERFLOW_MASK | overflow + 1 & OVERFLOW_MASK;
    }

    /**
     * @param header a header word.
     * @param epoch  expected.
     * @return whether the bucket is in use in this epoch.
     */
    public static boolean isLive(final long header, final long epoch)
    {
        return isIn(LIVE, header, epoch);
    }

    /**
     * @param header a header word.
     * @param epoch  expected.
     * @return whether the bucket was split in this epoch.
     */
    public static boolean isMigrated(final long header, final long epoch)
    {
        return isIn(MIGRATED, header, epoch);
    }

    private static boolean isIn(final int state, final long header, final long epoch)
    {
        return header >>> EPOCH_SHIFT == ((long)state << (STATE_SHIFT - EPOCH_SHIFT) | epoch & EPOCH_MASK);
    }

    /**
     * @param header a header word.
     * @return the header word of the same bucket once it is split.
     */
    public static long migrated(final long header)
    {
        return header & -1L >>> Long.SIZE - STATE_SHIFT | (long)MIGRATED << STATE_SHIFT;
    }

    /**
     * @param header a header word.
     * @return the chain's tag, 0 to {@link #MAX_TAG}.
     */
    public static int tag(final long header)
    {
        return (int)((header & TAG_MASK) >>> TAG_SHIFT);
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
     * Whether a reader has met each key that was in a chain all the time, by the rules above.
     *
     * @param known  header of the first bucket, that the reader knew before it READ the overflow buckets one after the
     *               other; 0 if it knew none, and READ the first bucket only.
     * @param header of the first bucket, live and READ whole after that.
     * @return whether a key is absent that was in none of these buckets.
     */
    public static boolean isSeenWhole(final long known, final long header)
    {
        final boolean isSingle = overflow(header) < 0;
        return known == 0 ? isSingle && tag(header) == 0 :
            tag(known) == tag(header) && (isSingle || overflow(known) >= 0);
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
