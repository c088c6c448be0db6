package org.onesided.benchmark.peers;

import org.HdrHistogram.Histogram;

/**
 * What one turn measured; NaN is not measured.
 *
 * @param perSecond operations a second.
 * @param p50Ns     median time of a call, which may be a batch of operations.
 * @param p99Ns     time within which 99 % of the calls ended.
 */
record Turn(double perSecond, double p50Ns, double p99Ns)
{
    private static final double NS_PER_SECOND = 1e9;

    /**
     * @param calls     times of calls.
     * @param perCall   operations of each.
     * @param elapsedNs of all.
     */
    static Turn of(final Histogram calls, final int perCall, final long elapsedNs)
    {
        return new Turn(
            calls.getTotalCount() * perCall * NS_PER_SECOND / elapsedNs, calls.getValueAtPercentile(50),
            calls.getValueAtPercentile(99));
    }

    static Turn rate(final double perSecond)
    {
        return new Turn(perSecond, Double.NaN, Double.NaN);
    }
}
