package org.onesided.eviction;

import java.util.Arrays;

/** Ranks from 0, drawn by Zipf's law. */
final class Zipf
{
    private final double[] sums;

    Zipf(final int count, final double exponent)
    {
        sums = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += Math.pow(i + 1, -exponent);
            sums[i] = sum;
        }
    }

    int next(final Randomness random)
    {
        final int place = Arrays.binarySearch(sums, random.unit() * sums[sums.length - 1]);
        return Math.min(place < 0 ? -place - 1 : place, sums.length - 1);
    }
}
