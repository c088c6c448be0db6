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
    /** Of the normal distribution: 95 % lie within so many deviations. */
    private static final double DEVIATIONS = 1.96;

    /**
     * The median of what the values are drawn from lies within with a confidence of 95 %, whatever the distribution:
     * order statistics of the binomial distribution, approximated (Conover, Practical Nonparametric Statistics, 3.2).
     *
     * @param values at least 6, or the interval is their range.
     * @return the median of the values and the interval's ends.
     */
    static Spread confidence(final List<Double> values)
    {
        final List<Double> sorted = values.stream().sorted().toList();
        final int n = sorted.size();
        final int rank = Math.max(0, (int)Math.floor((n - DEVIATIONS * Math.sqrt(n)) / 2));
        return new Spread(of(values).median(), sorted.get(rank), sorted.get(n - 1 - rank));
    }

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
