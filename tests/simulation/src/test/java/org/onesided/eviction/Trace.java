package org.onesided.eviction;

import java.util.Arrays;

/** Keys in the order of their lookups, numbered from 0 without gaps, and what the record of each key takes. */
final class Trace
{
    final String name;
    final int[] keys;
    final int[] sizes;
    final long bytes;

    Trace(final String name, final int[] keys, final int[] sizes)
    {
        this.name = name;
        this.keys = keys;
        this.sizes = sizes;
        long sum = 0;
        for (final int size : sizes)
        {
            sum += size;
        }
        bytes = sum;
    }

    /** A trace whose records all take 1 byte, so that a capacity is a number of records. */
    static Trace ofEqualRecords(final String name, final int[] keys, final int keyCount)
    {
        final int[] sizes = new int[keyCount];
        Arrays.fill(sizes, 1);
        return new Trace(name, keys, sizes);
    }

    int keyCount()
    {
        return sizes.length;
    }

    /** The capacity of a cache for a share of all keys' records. */
    long capacity(final double percent)
    {
        return Math.max(1, (long)(bytes * percent / 100));
    }

    /** About how many records a capacity is for. */
    int recordsIn(final long capacity)
    {
        return (int)Math.max(1, capacity * keyCount() / bytes);
    }
}
