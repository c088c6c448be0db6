package org.onesided.tools.load.value;

import java.util.Arrays;

/**
 * The values that a thread has seen: the latest counter per key and writer. Bounded; entries that drop out can no
 * longer expose an older value, but no value is ever exposed wrongly. Own writes, other writers' and keys have separate
 * space, so that none displaces another. Not thread-safe.
 */
final class SeenValues
{
    /** Bytes of an entry in all three parts together. */
    static final int ENTRY_LENGTH = (2 * Counters.WORDS + 1) * Long.BYTES;

    private static final int WAYS = 4;
    private static final long NONE = -1;

    private final long own;
    private final Counters ownCounters;
    private final Counters otherCounters;
    private final long[] keys;
    private int victim;

    /** The latest counters by key and writer, in set-associative tables. */
    private static final class Counters
    {
        /** One way stays free, so that no entry spans two cache lines. */
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
                    // The entries after it are free, too: the first is the one that was fetched.
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

        /** The latest counter, 0 if none is known. */
        long latest(final long key, final long writer)
        {
            final int set = set(key, writer);
            for (int way = set; way < set + WAYS * WORDS; way += WORDS)
            {
                if (entries[way + KEY] == key && entries[way + WRITER] == writer)
                {
                    return entries[way + COUNTER];
                }
            }
            return 0;
        }

        /** The writers of a key share sets of their own, so that a key with many writers is not forgotten. */
        private int set(final long key, final long writer)
        {
            return SeenValues.set(key ^ writer * 0xD6E8_FEB8_6659_FD93L, entries.length / WORDS) * WORDS;
        }
    }

    /**
     * @param own            number of this thread's writer.
     * @param ownCapacity    number of own writes, and of keys: a power of two, at least {@value #WAYS}.
     * @param othersCapacity number of pairs of a key and another writer, likewise.
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
     * Records a value, unless a later one of the same writer was seen.
     *
     * @return the latest counter seen before; 0 for none.
     */
    long see(final long key, final long writer, final long counter)
    {
        seeKey(key);
        return (writer == own ? ownCounters : otherCounters).see(key, writer, counter);
    }

    /** Prefetches the entries of a key into the processor's cache. */
    long touch(final long key)
    {
        return keys[set(key, keys.length)] + ownCounters.touch(key, own);
    }

    /** Counter of the latest own write of a key that was seen; 0 if none is known. */
    long latestOwn(final long key)
    {
        return ownCounters.latest(key, own);
    }

    /** Whether a value of a key was seen. */
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

    /** First entry of the set of a number. */
    private static int set(final long number, final int capacity)
    {
        final long hash = number * 0x9E37_79B9_7F4A_7C15L;
        return (int)(hash >>> 32 & capacity / WAYS - 1) * WAYS;
    }
}
