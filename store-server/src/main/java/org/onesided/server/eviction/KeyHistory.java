package org.onesided.server.eviction;

/**
 * How often the keys came that came last, whether they have a record or not. A key belongs to one set of 64 bytes, in
 * which the keys are in the order of their last use:
 *
 * <pre>
 *  set: 32 entries, the latest first         entry
 *  +-------+-------+-- ... --+-------+        15               4 3       0
 *  | entry | entry |         | entry |       +------------------+---------+
 *  +-------+-------+-- ... --+-------+       | fingerprint      | count   |
 *                                            +------------------+---------+
 * </pre>
 *
 * <p>An entry with count 0 is empty. The last entry leaves for a new key, but one that came twice at least is spared
 * with half of its count. Two keys of a set with the same fingerprint count as one. Memory comes as it is written to.
 * Not thread-safe.
 */
final class KeyHistory
{
    /** What an entry counts up to. */
    static final int MAX = 15;

    private static final int RECORDS_PER_SET = 10;
    private static final int MIN_SETS = 16;
    private static final int SET_SHIFT = 5;
    private static final int SET = 1 << SET_SHIFT;
    private static final int CHUNK_SHIFT = 15;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    private static final int COUNT_BITS = 4;
    private static final int FINGERPRINT_MASK = 0xFFF;
    /** Entries that are spared for one key at most. */
    private static final int SPARED = 4;

    private final long records;
    private final int sets;
    /** A chunk without an entry is not there. */
    private final short[][] chunks;

    /**
     * @param records that there are now.
     */
    KeyHistory(final long records)
    {
        this.records = Math.max(1, records);
        sets = (int)Math.min(Integer.MAX_VALUE >> SET_SHIFT, Math.max(MIN_SETS, records / RECORDS_PER_SET));
        chunks = new short[(int)(((long)sets << SET_SHIFT) + CHUNK - 1 >>> CHUNK_SHIFT)][];
    }

    /** Whether it is of the right size for so many records. */
    boolean fits(final long count)
    {
        return count <= 2 * records && count >= records / 4;
    }

    /** Records that it was made for. */
    long records()
    {
        return records;
    }

    /**
     * A key has come once more.
     *
     * @param key to count.
     * @return how often it came of late, this time included, from 1 to {@link #MAX}.
     */
    int add(final long key)
    {
        final long hash = mix(key);
        final long first = ((hash >>> 32) * sets >>> 32) << SET_SHIFT;
        final int number = (int)(first >>> CHUNK_SHIFT);
        if (chunks[number] == null)
        {
            chunks[number] = new short[CHUNK];
        }
        final short[] chunk = chunks[number];
        final int set = (int)first & CHUNK - 1;
        final int fingerprint = (int)hash & FINGERPRINT_MASK;
        for (int i = set; i < set + SET; i++)
        {
            if (count(chunk[i]) > 0 && (chunk[i] >>> COUNT_BITS & FINGERPRINT_MASK) == fingerprint)
            {
                final int next = Math.min(MAX, count(chunk[i]) + 1);
                toFront(chunk, set, i, fingerprint, next);
                return next;
            }
        }
        final int last = set + SET - 1;
        for (int i = 0; i < SPARED && count(chunk[last]) >= 2; i++)
        {
            toFront(chunk, set, last, chunk[last] >>> COUNT_BITS & FINGERPRINT_MASK, count(chunk[last]) / 2);
        }
        toFront(chunk, set, last, fingerprint, 1);
        return 1;
    }

    /** Puts an entry in front of a set, in place of the one at an index. */
    private static void toFront(
        final short[] chunk, final int set, final int index, final int fingerprint, final int count)
    {
        System.arraycopy(chunk, set, chunk, set + 1, index - set);
        chunk[set] = (short)(fingerprint << COUNT_BITS | count);
    }

    private static int count(final short entry)
    {
        return entry & MAX;
    }

    /** Makes set and fingerprint independent of the bucket. The finalizer of SplitMix64. */
    private static long mix(final long key)
    {
        long mixed = (key ^ key >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
