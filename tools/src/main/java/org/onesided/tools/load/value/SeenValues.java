package org.onesided.tools.load.value;

import java.util.Arrays;

/**
 * What a thread has seen: per key and writer, the latest counter. Bounded; what falls out of it can no longer be found
 * out to be older, and nothing is ever found out wrongly. Not thread-safe.
 */
final class SeenValues
{
    private static final int WORDS = 4;
    private static final int WAYS = 4;
    private static final int KEY = 0;
    private static final int WRITER = 1;
    private static final int COUNTER = 2;
    private static final long NONE = -1;

    private final long[] entries;
    private final int mask;
    private int victim;

    /**
     * @param capacity entries, a power of two, at least {@value #WAYS}.
     */
    SeenValues(final int capacity)
    {
        if (capacity < WAYS || Integer.bitCount(capacity) != 1)
        {
            throw new IllegalArgumentException("capacity must be a power of two from " + WAYS + ": capacity=" +
                capacity);
        }
        entries = new long[capacity * WORDS];
        Arrays.fill(entries, NONE);
        mask = capacity / WAYS - 1;
    }

    /**
     * Takes in a value, unless a later one of the same writer was seen.
     *
     * @return the latest counter seen before, 0 for none.
     */
    long see(final long key, final long writer, final long counter)
    {
        final int set = set(key);
        int free = -1;
        for (int at = set; at < set + WAYS * WORDS; at += WORDS)
        {
            if (entries[at + KEY] == key && entries[at + WRITER] == writer)
            {
                final long seen = entries[at + COUNTER];
                entries[at + COUNTER] = Math.max(seen, counter);
                return seen;
            }
            if (entries[at + KEY] == NONE)
            {
                free = at;
            }
        }
        final int at = free >= 0 ? free : set + (victim++ & (WAYS - 1)) * WORDS;
        entries[at + KEY] = key;
        entries[at + WRITER] = writer;
        entries[at + COUNTER] = counter;
        return 0;
    }

    /** Fetches what is known of a key into the processor's cache, while there is other work to do. */
    long touch(final long key)
    {
        return entries[set(key)];
    }

    /** Whether any value of a key was seen. */
    boolean hasSeen(final long key)
    {
        final int set = set(key);
        for (int at = set; at < set + WAYS * WORDS; at += WORDS)
        {
            if (entries[at + KEY] == key)
            {
                return true;
            }
        }
        return false;
    }

    /** Entries of a key share one set of ways, whoever wrote. */
    private int set(final long key)
    {
        final long hash = key * 0x9E37_79B9_7F4A_7C15L;
        return (int)(hash >>> 32 & mask) * WAYS * WORDS;
    }
}
