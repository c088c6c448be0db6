package org.onesided.protocol.table;

/**
 * A slot: where a record is in its shard's heap, how long, and part of its key's hash. 0 is an empty slot.
 *
 * <pre>
 *   63              48 47          36 35                                   0
 *  +------------------+--------------+--------------------------------------+
 *  | fingerprint      | length       | heap offset in granules              |
 *  +------------------+--------------+--------------------------------------+
 * </pre>
 *
 * <p>The length field's values:
 * <ul>
 * <li>0 to 2048: so many granules.
 * <li>2049 to 4094: 2048 granules, and 8 more for each one above.
 * <li>4095: more than these can say, a long record.
 * </ul>
 *
 * <p>So a length is rounded up to granules up to 32 KiB, and to 8 of them beyond. A READ of that length returns
 * the record and, beyond 32 KiB, up to 7 granules after it, unless the heap ends before.
 */
public final class SlotWord
{
    /** An empty slot. */
    public static final long EMPTY = 0;
    /** Unit of records' places and lengths, in bytes. */
    public static final int GRANULE = 16;
    /** Stands for a length that exceeds the field. The record's header contains its length. */
    public static final int LONG_RECORD = 0xFFF;

    private static final int FINGERPRINT_SHIFT = 48;
    private static final int LENGTH_SHIFT = 36;
    private static final long OFFSET_MASK = (1L << LENGTH_SHIFT) - 1;
    /** Lengths from here on are in steps of several granules. */
    private static final int STEPS_FROM = 2048;
    private static final int STEP_SHIFT = 3;

    /** Maximum length of a record that is not long, in bytes of whole granules. */
    public static final int MAX_SHORT_LENGTH = (int)granulesOf(LONG_RECORD - 1) * GRANULE;

    private SlotWord()
    {
    }

    /**
     * @param fingerprint  of the key's hash, 16 bits.
     * @param recordLength in bytes; rounded up.
     * @param heapOffset   of the record from the start of its shard's heap, a multiple of {@link #GRANULE}.
     * @return the slot word.
     */
    public static long of(final int fingerprint, final long recordLength, final long heapOffset)
    {
        final long length = Math.min(codeOf(granules(recordLength)), LONG_RECORD);
        final long place = heapOffset / GRANULE & OFFSET_MASK;
        return (long)fingerprint << FINGERPRINT_SHIFT | length << LENGTH_SHIFT | place;
    }

    /**
     * @param slot a slot word.
     * @return 16 bits of the key's hash.
     */
    public static int fingerprint(final long slot)
    {
        return (int)(slot >>> FINGERPRINT_SHIFT);
    }

    /**
     * @param slot a slot word.
     * @return whether the record's length must be read from its header.
     */
    public static boolean isLong(final long slot)
    {
        return (slot >>> LENGTH_SHIFT & LONG_RECORD) == LONG_RECORD;
    }

    /**
     * @param slot a slot word, not {@link #isLong}.
     * @return length of the record in bytes, rounded up: no less than it, and no measure of its extent.
     */
    public static int length(final long slot)
    {
        return (int)granulesOf(slot >>> LENGTH_SHIFT & LONG_RECORD) * GRANULE;
    }

    /**
     * @param slot a slot word.
     * @return offset of the record from the start of its shard's heap.
     */
    public static long heapOffset(final long slot)
    {
        return (slot & OFFSET_MASK) * GRANULE;
    }

    /**
     * @param length in bytes.
     * @return granules that hold it.
     */
    public static long granules(final long length)
    {
        return (length + GRANULE - 1) / GRANULE;
    }

    private static long codeOf(final long granules)
    {
        return granules <= STEPS_FROM ? granules :
            STEPS_FROM + (granules - STEPS_FROM + (1 << STEP_SHIFT) - 1 >> STEP_SHIFT);
    }

    private static long granulesOf(final long code)
    {
        return code <= STEPS_FROM ? code : STEPS_FROM + (code - STEPS_FROM << STEP_SHIFT);
    }
}
