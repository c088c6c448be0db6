package org.onesided.eviction;

import java.util.Arrays;

/** Numbers 64-bit keys from 0 in the order in which they come. */
final class Numbering
{
    private long[] keys = new long[1 << 16];
    private int[] numbers = new int[1 << 16];
    private int count;

    Numbering()
    {
        Arrays.fill(numbers, -1);
    }

    int count()
    {
        return count;
    }

    int number(final long key)
    {
        if (2 * count >= keys.length)
        {
            grow();
        }
        final int place = place(key);
        if (numbers[place] < 0)
        {
            keys[place] = key;
            numbers[place] = count++;
        }
        return numbers[place];
    }

    private int place(final long key)
    {
        final int mask = keys.length - 1;
        int place = (int)(Mix.mix(key + Randomness.STEP) & mask);
        while (numbers[place] >= 0 && keys[place] != key)
        {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow()
    {
        final long[] oldKeys = keys;
        final int[] oldNumbers = numbers;
        keys = new long[2 * oldKeys.length];
        numbers = new int[2 * oldKeys.length];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < oldKeys.length; i++)
        {
            if (oldNumbers[i] >= 0)
            {
                final int place = place(oldKeys[i]);
                keys[place] = oldKeys[i];
                numbers[place] = oldNumbers[i];
            }
        }
    }
}
