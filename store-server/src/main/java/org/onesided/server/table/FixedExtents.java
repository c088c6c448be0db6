package org.onesided.server.table;

import java.util.Arrays;

/**
 * The extents that must stay where they are: those that are lent or reserved, and long ones that are not zeroed yet.
 * Kept in ascending order, so that the next one after any place is found. Few at a time. Not thread-safe.
 */
final class FixedExtents
{
    /** Start of no extent. */
    static final long NONE = Long.MAX_VALUE;

    private long[] starts = new long[16];
    private int count;
    private long removals;

    /** Adds the extent that starts at {@code start}, once. */
    void add(final long start)
    {
        final int index = indexOf(start);
        if (index < count && starts[index] == start)
        {
            return;
        }
        if (count == starts.length)
        {
            starts = Arrays.copyOf(starts, 2 * count);
        }
        System.arraycopy(starts, index, starts, index + 1, count - index);
        starts[index] = start;
        count++;
    }

    /** Removes an extent, if it is there. */
    void remove(final long start)
    {
        final int index = indexOf(start);
        if (index < count && starts[index] == start)
        {
            count--;
            System.arraycopy(starts, index + 1, starts, index, count - index);
            removals++;
        }
    }

    boolean contains(final long start)
    {
        return next(start) == start;
    }

    /** The first one that starts at or after {@code from}, or {@link #NONE}. */
    long next(final long from)
    {
        final int index = indexOf(from);
        return index < count ? starts[index] : NONE;
    }

    /** How many have been removed so far. */
    long removals()
    {
        return removals;
    }

    private int indexOf(final long start)
    {
        final int index = Arrays.binarySearch(starts, 0, count, start);
        return index < 0 ? -index - 1 : index;
    }
}
