package org.onesided.benchmark.peers;

import java.util.Arrays;
import java.util.List;

/**
 * Median and range of what the rounds of a run gave.
 *
 * @param median of the rounds.
 * @param least  of the rounds.
 * @param most   of the rounds.
 */
record Spread(double median, double least, double most)
{
    static Spread of(final List<Double> values)
    {
        if (values.isEmpty())
        {
            throw new IllegalArgumentException("no values");
        }
        final double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        final double median =
            sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
