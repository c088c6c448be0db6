package org.onesided.tools.kvctl.stats;

import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.onesided.tools.kvctl.console.Figures;

/**
 * Times of one kind of round trip. Not thread-safe.
 */
final class RoundTrips
{
    private static final int DIGITS = 3;

    private final String name;
    private final Histogram times = new Histogram(DIGITS);
    private long leastNs = Long.MAX_VALUE;
    private long mostNs;
    private long lost;

    /**
     * @param name of the kind, in one word.
     */
    RoundTrips(final String name)
    {
        this.name = name;
    }

    void record(final long ns)
    {
        times.recordValue(Math.max(0, ns));
        leastNs = Math.min(leastNs, ns);
        mostNs = Math.max(mostNs, ns);
    }

    /** Counts a round trip without an answer. */
    void lose()
    {
        lost++;
    }

    String name()
    {
        return name;
    }

    long count()
    {
        return times.getTotalCount();
    }

    long lost()
    {
        return lost;
    }

    String least()
    {
        return count() == 0 ? "-" : time(leastNs);
    }

    String percentile(final double percentile)
    {
        return count() == 0 ? "-" : time(percentileNs(percentile));
    }

    String most()
    {
        return count() == 0 ? "-" : time(mostNs);
    }

    /** The figures, in microseconds; without times if no answer came. */
    void addTo(final Figures figures)
    {
        final Figures group = figures.group(name.toLowerCase(Locale.ROOT)).add("count", count()).add("lost", lost);
        if (count() > 0)
        {
            group
                .add("min_us", leastNs / 1e3)
                .add("p50_us", percentileNs(50) / 1e3)
                .add("p99_us", percentileNs(99) / 1e3)
                .add("max_us", mostNs / 1e3);
        }
    }

    /** A time with its unit. */
    static String time(final long ns)
    {
        return ns < 1_000_000 ? String.format(Locale.ROOT, "%.2f us", ns / 1e3) :
            String.format(Locale.ROOT, "%.2f ms", ns / 1e6);
    }

    private long percentileNs(final double percentile)
    {
        // The histogram rounds its values; these extremes are exact.
        return Math.max(leastNs, Math.min(mostNs, times.getValueAtPercentile(percentile)));
    }
}
