package org.onesided.server.eviction;

import java.util.Arrays;
import org.agrona.collections.Long2LongHashMap;
import org.onesided.server.table.StateRandom;

/**
 * A cache without values, which evicts as a shard does: shows what a shard with other memory would hold. Not
 * thread-safe.
 */
final class MiniatureCache
{
    private static final long ABSENT = -1;
    private static final int FIRST_CAPACITY = 64;

    private final DensityCore core = new DensityCore(this::count);
    private final StateRandom random;
    private final Long2LongHashMap places = new Long2LongHashMap(ABSENT);
    private long[] keys = new long[FIRST_CAPACITY];
    private long[] lengths = new long[FIRST_CAPACITY];
    private short[] states = new short[FIRST_CAPACITY];
    private int count;
    private long used;
    private long capacity;
    private long insertions;
    private long firstEviction = ABSENT;
    private long firstCount;

    MiniatureCache(final StateRandom random)
    {
        this.random = random;
    }

    /** Bytes that the records may have. */
    void capacity(final long bytes)
    {
        capacity = bytes;
    }

    /** How many records there are. */
    long count()
    {
        return count;
    }

    /** Whether the records have turned over so often since the first one left. */
    boolean hasTurnedOver(final int times)
    {
        return firstEviction != ABSENT && insertions - firstEviction >= times * firstCount;
    }

    /**
     * Looks a key up, and inserts it if it is absent.
     *
     * @param isReported whether the cache learns of the lookup if it finds the key.
     * @return whether the key was there.
     */
    boolean access(final long key, final long length, final boolean isReported, final double weight)
    {
        final int place = (int)places.get(key);
        if (place == ABSENT)
        {
            insert(key, length);
            return false;
        }
        used += length - lengths[place];
        lengths[place] = length;
        if (isReported)
        {
            states[place] = core.touched(key, states[place], weight);
        }
        evict();
        return true;
    }

    private void insert(final long key, final long length)
    {
        if (count == keys.length)
        {
            keys = Arrays.copyOf(keys, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
            states = Arrays.copyOf(states, 2 * count);
        }
        keys[count] = key;
        lengths[count] = length;
        states[count] = core.inserted(key);
        places.put(key, count);
        count++;
        insertions++;
        used += length + DensityCore.INDEX_LENGTH;
        evict();
    }

    /** Removes a key, if it is there. */
    void remove(final long key)
    {
        final int place = (int)places.get(key);
        if (place != ABSENT)
        {
            removeAt(place);
        }
    }

    private void evict()
    {
        while (used > capacity && count > 0)
        {
            if (firstEviction == ABSENT)
            {
                firstEviction = insertions;
                firstCount = count;
            }
            core.beginChoice();
            int best = 0;
            double least = Double.MAX_VALUE;
            for (int i = 0; i < DensityCore.DRAWN; i++)
            {
                final int drawn = (int)random.below(count);
                final double worth = core.draw(states[drawn], lengths[drawn]);
                best = worth < least ? drawn : best;
                least = Math.min(worth, least);
            }
            removeAt(best);
        }
    }

    private void removeAt(final int place)
    {
        used -= lengths[place] + DensityCore.INDEX_LENGTH;
        places.remove(keys[place]);
        count--;
        if (place != count)
        {
            keys[place] = keys[count];
            lengths[place] = lengths[count];
            states[place] = states[count];
            places.put(keys[place], place);
        }
    }
}
