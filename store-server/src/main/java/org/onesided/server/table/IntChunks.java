package org.onesided.server.table;

import java.util.Arrays;

/**
 * Numbers by index, whose count grows without those that are there being copied: a shard's thread would stop for that.
 * Not thread-safe.
 */
final class IntChunks
{
    private static final int SHIFT = 12;
    private static final int CHUNK = 1 << SHIFT;
    private static final int MASK = CHUNK - 1;

    private int[][] chunks = new int[1][];
    private int count;

    int count()
    {
        return count;
    }

    int get(final int index)
    {
        return chunks[index >>> SHIFT][index & MASK];
    }

    void set(final int index, final int value)
    {
        chunks[index >>> SHIFT][index & MASK] = value;
    }

    /** The chunk that holds a value, at its {@link #place}, and those beside it. */
    int[] chunk(final int index)
    {
        return chunks[index >>> SHIFT];
    }

    static int place(final int index)
    {
        return index & MASK;
    }

    /** Adds zeros until there are so many. */
    void grow(final int newCount)
    {
        final int before = count + MASK >>> SHIFT;
        final int after = newCount + MASK >>> SHIFT;
        if (after > chunks.length)
        {
            chunks = Arrays.copyOf(chunks, Math.max(after, 2 * chunks.length));
        }
        for (int i = before; i < after; i++)
        {
            chunks[i] = new int[CHUNK];
        }
        count = newCount;
    }
}
