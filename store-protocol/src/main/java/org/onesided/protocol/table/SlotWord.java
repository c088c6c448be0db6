package org.onesided.protocol.table;

/**
 * A slot: where a record is, how long, and part of its key's hash. 0 is an empty slot.
 *
 * <pre>
 *   63              48 47          36 35                                   0
 *  +------------------+--------------+--------------------------------------+
 *  | fingerprint      | granules     | table offset in granules             |
 *  +------------------+--------------+--------------------------------------+
 * </pre>
 */
public final class SlotWord
{
    /** An empty slot. */
    public static final long EMPTY = 0;
    /** Records are placed and measured in units of so many bytes. */
    public static final int GRANULE = 32;
    /** Granule count of a record too long for the field: its header tells its length. */
    public static final int LONG_RECORD = 0xFFF;

    private static final int FINGERPRINT_SHIFT = 48;
    private static final int GRANULES_SHIFT = 36;
    private static final long OFFSET_MASK = (1L << GRANULES_SHIFT) - 1;

    private SlotWord()
    {
    }

    /**
     * @param fingerprint  of the key's hash, 16 bits.
     * @param recordLength in bytes; rounded up to granules.
     * @param tableOffset  of the record, a multiple of {@link #GRANULE}.
     * @return the slot word.
     */
    public static long of(final int fingerprint, final long recordLength, final long tableOffset)
    {
        final long granules = Math.min(granules(recordLength), LONG_RECORD);
        final long place = tableOffset / GRANULE & OFFSET_MASK;
        return (long)fingerprint << FINGERPRINT_SHIFT | granules << GRANULES_SHIFT | place;
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
        return (slot >>> GRANULES_SHIFT & LONG_RECORD) == LONG_RECORD;
    }

    /**
     * @param slot a slot word, not {@link #isLong}.
     * @return length of the record in bytes, rounded up to granules.
     */
    public static int length(final long slot)
    {
        return (int)(slot >>> GRANULES_SHIFT & LONG_RECORD) * GRANULE;
    }

    /**
     * @param slot a slot word.
     * @return table offset of the record.
     */
    public static long tableOffset(final long slot)
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
}
