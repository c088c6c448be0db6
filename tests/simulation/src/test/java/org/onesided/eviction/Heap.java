package org.onesided.eviction;

import java.util.Arrays;

/** Keys by value, the least first; values can change. */
final class Heap
{
    private final int[] keys;
    private final int[] places;
    private final double[] values;
    private int count;

    Heap(final int keyCount)
    {
        keys = new int[keyCount];
        places = new int[keyCount];
        values = new double[keyCount];
        Arrays.fill(places, -1);
    }

    boolean contains(final int key)
    {
        return places[key] >= 0;
    }

    void put(final int key, final double value)
    {
        values[key] = value;
        if (places[key] < 0)
        {
            keys[count] = key;
            places[key] = count++;
        }
        up(places[key]);
        down(places[key]);
    }

    double value(final int key)
    {
        return values[key];
    }

    int removeLeast()
    {
        final int key = keys[0];
        swap(0, --count);
        places[key] = -1;
        if (count > 0)
        {
            down(0);
        }
        return key;
    }

    private void up(final int from)
    {
        int place = from;
        while (place > 0 && values[keys[place]] < values[keys[(place - 1) / 2]])
        {
            swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    private void down(final int from)
    {
        int place = from;
        while (true)
        {
            int least = 2 * place + 1;
            if (least >= count)
            {
                return;
            }
            if (least + 1 < count && values[keys[least + 1]] < values[keys[least]])
            {
                least++;
            }
            if (values[keys[place]] <= values[keys[least]])
            {
                return;
            }
            swap(place, least);
            place = least;
        }
    }

    private void swap(final int a, final int b)
    {
        final int key = keys[a];
        keys[a] = keys[b];
        keys[b] = key;
        places[keys[a]] = a;
        places[key] = b;
    }
}
