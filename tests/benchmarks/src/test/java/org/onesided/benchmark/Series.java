package org.onesided.benchmark;

import java.util.Arrays;
import java.util.Locale;

/**
 * What one quantity measured in the rounds of a run.
 *
 * @param name   for people.
 * @param unit   of the values.
 * @param values one a round.
 */
record Series(String name, String unit, double[] values)
{
    double median()
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    String line()
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return String.format(Locale.ROOT, "%-44s median %12.1f %s   (%.1f to %.1f)",
            name, median(), unit, sorted[0], sorted[sorted.length - 1]);
    }

    String json()
    {
        return String.format(Locale.ROOT, "{\"name\": \"%s\", \"unit\": \"%s\", \"median\": %.3f, \"values\": %s}",
            name, unit, median(), Arrays.toString(values));
    }
}
