package org.onesided.tools.load.value;

import java.util.Arrays;

/**
 * What a thread has seen: per key and writer, the latest counter. Bounded; what falls out of it can no longer be found
 * out to be older, and nothing is ever found out wrongly. The thread's own writes, those of others, and the keys have
 * room of their own each, so that none drives another out. Not thread-safe.
 */
final class SeenValues
{
    /** What an entry of all three together takes. */
    static final int ENTRY_LENGTH = (2 * Counters.WORDS + 1) * Long.BYTES;

    private static final int WAYS = 4;
    private static final long NONE = -1;

    private final long own;
    private final Counters ownCounters;
    private final Counters otherCounters;
    private final long[] keys;
    private int victim;

    /** The latest counters by key and writer, in sets of a few ways. */
    private static final class Counters
    {
        /** One is left free, so that no entry is in two cache lines. */
        static final int WORDS = 4;

        private static final int KEY = 0;
        private static final int WRITER = 1;
        private static final int COUNTER = 2;

        private final long[] entries;
        private int victim;

        Counters(final int capacity)
        {
            entries = new long[capacity * WORDS];
            Arrays.fill(entries, NONE);
        }

        long see(final long key, final long writer, final long counter)
        {
            final int set = set(key, writer);
            int at = set + (victim & (WAYS - 1)) * WORDS;
            for (int way = set; way < set + WAYS * WORDS; way += WORDS)
            {
                if (entries[way + KEY] == key && entries[way + WRITER] == writer)
                {
                    final long seen = entries[way + COUNTER];
                    if (counter > seen)
                    {
                        entries[way + COUNTER] = counter;
                    }
                    return seen;
                }
                if (entries[way + KEY] == NONE)
                {
                    // Those behind it are free, too: the first is the one that was fetched.
                    at = way;
                    break;
                }
            }
            victim++;
            entries[at + KEY] = key;
            entries[at + WRITER] = writer;
            entries[at + COUNTER] = counter;
            return 0;
        }

        long touch(final long key, final long writer)
        {
            return entries[set(key, writer)];
        }

        /** Writers of a key are in sets of their own, so that one which many write is not forgotten. */
        private int set(final long key, final long writer)
        {
            return SeenValues.set(key ^ writer * 0xD6E8_FEB8_6659_FD93L, entries.length / WORDS) * WORDS;
        }
    }

    /**
     * @param own            writer that this thread is.
     * @param ownCapacity    writes of its own, and keys: a power of two, at least {@value #WAYS}.
     * @param othersCapacity pairs of a key and another writer, likewise.
     */
    SeenValues(final long own, final int ownCapacity, final int othersCapacity)
    {
        if (Math.min(ownCapacity, othersCapacity) < WAYS || Integer.bitCount(ownCapacity) != 1 ||
            Integer.bitCount(othersCapacity) != 1)
        {
            throw new IllegalArgumentException("capacities must be powers of two from " + WAYS + ": own=" +
                ownCapacity + " others=" + othersCapacity);
        }
        this.own = own;
        ownCounters = new Counters(ownCapacity);
        otherCounters = new Counters(othersCapacity);
        keys = new long[ownCapacity];
        Arrays.fill(keys, NONE);
    }

    /**
     * Takes in a value, unless a later one of the same writer was seen.
     *
     * @return the latest counter seen before, 0 for none.
     */
    long see(final long key, final long writer, final long counter)
    {
        seeKey(key);
        return (writer == own ? ownCounters : otherCounters).see(key, writer, counter);
    }

    /** Fetches what is known of a key into the processor's cache, while there is other work to do. */
    long touch(final long key)
    {
        return keys[set(key, keys.length)] + ownCounters.touch(key, own);
    }

    /** Whether any value of a key was seen. */
    boolean hasSeen(final long key)
    {
        final int set = set(key, keys.length);
        for (int at = set; at < set + WAYS; at++)
        {
            if (keys[at] == key)
            {
                return true;
            }
        }
        return false;
    }

    private void seeKey(final long key)
    {
        final int set = set(key, keys.length);
        int free = set + (victim & (WAYS - 1));
        for (int at = set; at < set + WAYS; at++)
        {
            if (keys[at] == key)
            {
                return;
            }
            if (keys[at] == NONE)
            {
                free = at;
                break;
            }
        }
        victim++;
        keys[free] = key;
    }

    /** First entry of the set that a number belongs to. */
    private static int set(final long number, final int capacity)
    {
        final long hash = number * 0x9E37_79B9_7F4A_7C15L;
        return (int)(hash >>> 32 & capacity / WAYS - 1) * WAYS;
    }
}
