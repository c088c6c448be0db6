package org.onesided.benchmark.peers;

import java.util.ArrayList;
import java.util.List;
import org.onesided.peers.Arguments;

/**
 * What one system showed at one operation, a value for each round. Not thread-safe.
 */
final class Series
{
    private final String name;
    private final String unit;
    private final List<Double> values = new ArrayList<>();
    private final List<Double> tails = new ArrayList<>();
    private final List<Double> means = new ArrayList<>();
    private final List<Double> allocations = new ArrayList<>();

    Series(final String name, final String unit)
    {
        this.name = name;
        this.unit = unit;
    }

    String name()
    {
        return name;
    }

    String unit()
    {
        return unit;
    }

    /** Adds what a worker measured in a round. */
    void add(final Arguments measured)
    {
        values.add(Double.valueOf(measured.text("medianNs")));
        tails.add(Double.valueOf(measured.text("p99Ns")));
        means.add(Double.valueOf(measured.text("meanNs")));
        allocations.add(Double.valueOf(measured.text("allocatedBytes")));
    }

    /** Adds a round's value that has no distribution. */
    void add(final double value)
    {
        values.add(value);
    }

    List<Double> values()
    {
        return values;
    }

    Spread spread()
    {
        return Spread.of(values);
    }

    boolean hasDistribution()
    {
        return !tails.isEmpty();
    }

    double tail()
    {
        return Spread.of(tails).median();
    }

    double mean()
    {
        return Spread.of(means).median();
    }

    double allocation()
    {
        return Spread.of(allocations).median();
    }

    /** The ratio of this to the other, round by round. */
    Spread over(final Series other)
    {
        return Spread.of(ratios(other));
    }

    /** The same, a value for each round. */
    List<Double> ratios(final Series other)
    {
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(values.size(), other.values.size()); i++)
        {
            ratios.add(values.get(i) / other.values.get(i));
        }
        return ratios;
    }
}
