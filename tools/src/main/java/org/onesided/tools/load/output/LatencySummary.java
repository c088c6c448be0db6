package org.onesided.tools.load.output;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A summary of a distribution of latencies, in nanoseconds; all 0 if it is empty.
 *
 * @param min         the lowest.
 * @param mean        their mean.
 * @param deviation   their standard deviation.
 * @param max         the highest.
 * @param percentiles of tables.
 * @param curve       of percentiles, which lie closer towards 100.
 */
record LatencySummary(
    long min, double mean, double deviation, long max, List<Point> percentiles, List<Point> curve)
{
    /** Percentiles of tables. */
    static final List<Double> PERCENTILES = List.of(50.0, 90.0, 95.0, 99.0, 99.9, 99.99);

    private static final int POINTS_PER_HALVING = 8;

    /**
     * A percentile.
     *
     * @param percentile 0 to 100.
     * @param latencyNs  that this percentage does not exceed, in nanoseconds.
     */
    record Point(double percentile, long latencyNs)
    {
    }

    static LatencySummary of(final Histogram histogram)
    {
        final List<Point> percentiles = new ArrayList<>();
        final List<Point> curve = new ArrayList<>();
        if (histogram.getTotalCount() == 0)
        {
            return new LatencySummary(0, 0, 0, 0, percentiles, curve);
        }
        for (final double percentile : PERCENTILES)
        {
            percentiles.add(new Point(percentile, valueAt(histogram, percentile)));
        }
        for (final HistogramIterationValue value : histogram.percentiles(POINTS_PER_HALVING))
        {
            curve.add(new Point(
                value.getPercentileLevelIteratedTo(), Math.min(value.getValueIteratedTo(), histogram.getMaxValue())));
        }
        return new LatencySummary(
            histogram.getMinValue(),
            histogram.getMean(),
            histogram.getStdDeviation(),
            histogram.getMaxValue(),
            percentiles,
            curve);
    }

    /** The latency that a fraction of all does not exceed, in nanoseconds; 0 if there is none. */
    static long valueAt(final Histogram histogram, final double percentile)
    {
        return histogram.getTotalCount() == 0 ? 0 :
            Math.min(histogram.getValueAtPercentile(percentile), histogram.getMaxValue());
    }

    /** A percentile without trailing zeros. */
    static String name(final double percentile)
    {
        return percentile == Math.rint(percentile) ? Long.toString((long)percentile) : Double.toString(percentile);
    }
}
