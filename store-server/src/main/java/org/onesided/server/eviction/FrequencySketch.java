package org.onesided.server.eviction;

/**
 * Counts how often keys came of late, in little memory: a count-min sketch (Cormode and Muthukrishnan, 2005) with
 * conservative update. A key has two counters of 4 bits, both in one block of 64 bytes. A hand goes round and halves
 * the counters of one block after the other, so that what is long ago counts less. Memory comes as it is written to.
 *
 * <p>Too low it never counts, but for the halving; too high where keys share both counters. Not thread-safe.
 */
final class FrequencySketch
{
    /** What a counter counts up to. */
    static final int MAX = 15;

    /** Records for each block. */
    private static final int RECORDS_PER_BLOCK = 10;
    private static final int MIN_BLOCKS = 16;
    private static final int BLOCK_SHIFT = 3;
    private static final int BLOCK = 1 << BLOCK_SHIFT;
    private static final int CHUNK_SHIFT = 13;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    private static final int COUNTER_BITS = 4;
    private static final int COUNTER_MASK = 127;
    private static final int COUNTER_SHIFT = 7;
    private static final long HALVES = 0x7777_7777_7777_7777L;
    /** The hand goes round once in so many additions for each record. */
    private static final long ROUND = 20;

    private final long records;
    private final int blocks;
    /** A chunk without a counter above 0 is not there. */
    private final long[][] chunks;
    private long due;
    private int hand;

    /**
     * @param records that the table has now.
     */
    FrequencySketch(final long records)
    {
        this.records = Math.max(1, records);
        blocks = (int)Math.min(Integer.MAX_VALUE >> BLOCK_SHIFT, Math.max(MIN_BLOCKS, records / RECORDS_PER_BLOCK));
        chunks = new long[(int)(((long)blocks << BLOCK_SHIFT) + CHUNK - 1 >>> CHUNK_SHIFT)][];
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
        final long first = ((hash >>> 32) * blocks >>> 32) << BLOCK_SHIFT;
        final long[] chunk = chunk(first);
        final int block = (int)first & CHUNK - 1;
        final int one = (int)hash & COUNTER_MASK;
        final int other = (int)(hash >>> COUNTER_SHIFT) & COUNTER_MASK;
        final int least = Math.min(get(chunk, block, one), get(chunk, block, other));
        final int next = Math.min(MAX, least + 1);
        raise(chunk, block, one, next);
        raise(chunk, block, other, next);
        age();
        return next;
    }

    private long[] chunk(final long index)
    {
        final int number = (int)(index >>> CHUNK_SHIFT);
        if (chunks[number] == null)
        {
            chunks[number] = new long[CHUNK];
        }
        return chunks[number];
    }

    private static int get(final long[] chunk, final int block, final int counter)
    {
        return (int)(chunk[block + (counter >>> 4)] >>> (counter & 15) * COUNTER_BITS) & MAX;
    }

    private static void raise(final long[] chunk, final int block, final int counter, final int to)
    {
        final int shift = (counter & 15) * COUNTER_BITS;
        final int index = block + (counter >>> 4);
        final long word = chunk[index];
        if ((word >>> shift & MAX) < to)
        {
            chunk[index] = word & ~((long)MAX << shift) | (long)to << shift;
        }
    }

    private void age()
    {
        due += blocks;
        while (due >= ROUND * records)
        {
            due -= ROUND * records;
            halve((long)hand << BLOCK_SHIFT);
            hand = (hand + 1) % blocks;
        }
    }

    private void halve(final long first)
    {
        final long[] chunk = chunks[(int)(first >>> CHUNK_SHIFT)];
        if (chunk != null)
        {
            final int block = (int)first & CHUNK - 1;
            for (int i = block; i < block + BLOCK; i++)
            {
                chunk[i] = chunk[i] >>> 1 & HALVES;
            }
        }
    }

    /** Makes the counters independent of the bucket. The finalizer of SplitMix64. */
    private static long mix(final long key)
    {
        long mixed = (key ^ key >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
