package org.onesided.eviction;

import java.util.Arrays;

/** The records that a cache holds, any of which can be drawn. */
final class Records
{
    private final int[] sizes;
    private final int[] places;
    private int[] keys = new int[16];
    private int count;
    private long bytes;

    Records(final Trace trace)
    {
        sizes = trace.sizes;
        places = new int[sizes.length];
        Arrays.fill(places, -1);
    }

    boolean contains(final int key)
    {
        return places[key] >= 0;
    }

    int count()
    {
        return count;
    }

    long bytes()
    {
        return bytes;
    }

    int size(final int key)
    {
        return sizes[key];
    }

    void add(final int key)
    {
        if (count == keys.length)
        {
            keys = Arrays.copyOf(keys, 2 * count);
        }
        places[key] = count;
        keys[count++] = key;
        bytes += sizes[key];
    }

    void remove(final int key)
    {
        final int place = places[key];
        final int last = keys[--count];
        keys[place] = last;
        places[last] = place;
        places[key] = -1;
        bytes -= sizes[key];
    }

    int draw(final Randomness random)
    {
        return keys[random.below(count)];
    }
}
