package org.onesided.server.expiry;

import java.util.Arrays;

/**
 * Memory for lists of keys of 48 bits: chunks of {@value #LENGTH} keys, each with the number of the chunk behind it.
 * Six bytes per key, in arrays that grow by whole slabs. Not thread-safe.
 */
final class KeyChunks
{
    /** No chunk. */
    static final int NONE = -1;
    /** Keys of a chunk. */
    static final int LENGTH = 128;

    private static final int SLAB_CHUNKS = 1024;
    private static final int SLAB_KEYS = SLAB_CHUNKS * LENGTH;
    private static final int BYTES_PER_CHUNK = LENGTH * (Integer.BYTES + Short.BYTES) + Integer.BYTES;

    /** Lower 32 bits of each key, by slab. */
    private int[][] low = new int[0][];
    /** Upper 16 bits. */
    private short[][] high = new short[0][];
    /** Number of the chunk behind each one. */
    private int[] next = new int[0];
    private int free = NONE;

    /** Takes a chunk, to stand before another or {@link #NONE}. */
    int take(final int before)
    {
        if (free == NONE)
        {
            grow();
        }
        final int chunk = free;
        free = next[chunk];
        next[chunk] = before;
        return chunk;
    }

    /** Gives a chunk back; returns the one behind it. */
    int giveBack(final int chunk)
    {
        final int behind = next[chunk];
        next[chunk] = free;
        free = chunk;
        return behind;
    }

    void key(final int chunk, final int index, final long key)
    {
        final int place = chunk % SLAB_CHUNKS * LENGTH + index;
        low[chunk / SLAB_CHUNKS][place] = (int)key;
        high[chunk / SLAB_CHUNKS][place] = (short)(key >>> Integer.SIZE);
    }

    long key(final int chunk, final int index)
    {
        final int place = chunk % SLAB_CHUNKS * LENGTH + index;
        return Short.toUnsignedLong(high[chunk / SLAB_CHUNKS][place]) << Integer.SIZE |
            Integer.toUnsignedLong(low[chunk / SLAB_CHUNKS][place]);
    }

    /** Bytes of the arrays. */
    long bytes()
    {
        return (long)next.length * BYTES_PER_CHUNK;
    }

    private void grow()
    {
        final int slab = low.length;
        low = Arrays.copyOf(low, slab + 1);
        high = Arrays.copyOf(high, slab + 1);
        low[slab] = new int[SLAB_KEYS];
        high[slab] = new short[SLAB_KEYS];
        next = Arrays.copyOf(next, (slab + 1) * SLAB_CHUNKS);
        for (int i = SLAB_CHUNKS - 1; i >= 0; i--)
        {
            next[slab * SLAB_CHUNKS + i] = free;
            free = slab * SLAB_CHUNKS + i;
        }
    }
}
