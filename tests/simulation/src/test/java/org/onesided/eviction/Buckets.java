package org.onesided.eviction;

import java.util.Arrays;

/** Where a shard's index has its records: chains of 3 records on average, by hash. */
final class Buckets
{
    /** No record. */
    static final int NONE = -1;

    private static final int RECORDS_PER_BUCKET = 3;

    private final int[] first;
    private final int[] next;

    Buckets(final int keyCount, final int expected)
    {
        first = new int[Math.max(1, expected / RECORDS_PER_BUCKET)];
        next = new int[keyCount];
        Arrays.fill(first, NONE);
    }

    int count()
    {
        return first.length;
    }

    int first(final int bucket)
    {
        return first[bucket];
    }

    int next(final int key)
    {
        return next[key];
    }

    void add(final int key)
    {
        final int bucket = bucket(key);
        next[key] = first[bucket];
        first[bucket] = key;
    }

    void remove(final int key)
    {
        final int bucket = bucket(key);
        if (first[bucket] == key)
        {
            first[bucket] = next[key];
            return;
        }
        int before = first[bucket];
        while (next[before] != key)
        {
            before = next[before];
        }
        next[before] = next[key];
    }

    private int bucket(final int key)
    {
        return (int)(((KeyHash.of(key) >>> 32) * first.length) >>> 32);
    }
}
