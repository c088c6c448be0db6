package org.onesided.tools.load.output;

import java.util.Locale;

/**
 * Writes latencies for people.
 */
public final class Latencies
{
    private static final String[] UNITS = {"us", "ms", "s"};

    private Latencies()
    {
    }

    /**
     * @param ns a time in nanoseconds, from 0.
     * @return the time with three significant digits and a unit.
     */
    public static String text(final double ns)
    {
        if (ns < 999.5)
        {
            return Math.round(ns) + " ns";
        }
        double time = ns / 1000;
        int unit = 0;
        while (time >= 999.5 && unit < UNITS.length - 1)
        {
            time /= 1000;
            unit++;
        }
        final String form = time < 9.995 ? "%.2f %s" : time < 99.95 ? "%.1f %s" : "%.0f %s";
        return String.format(Locale.ROOT, form, time, UNITS[unit]);
    }
}
