package org.onesided.tools.text;

import java.util.Locale;

/**
 * Writes counts and sizes for people.
 */
public final class Amounts
{
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private Amounts()
    {
    }

    /**
     * @param count any number.
     * @return the number, with digits in groups of three.
     */
    public static String count(final long count)
    {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /**
     * @param count any number.
     * @param noun  whose plural ends in s.
     * @return such as "1 pair", "1,234 pairs".
     */
    public static String count(final long count, final String noun)
    {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /**
     * @param bytes a size in bytes.
     * @return the size with three significant digits, exact for whole units.
     */
    public static String size(final long bytes)
    {
        if (bytes < 1024)
        {
            return count(bytes, "byte");
        }
        double size = bytes / 1024.0;
        int unit = 0;
        while (size >= 1024 && unit < UNITS.length - 1)
        {
            size /= 1024;
            unit++;
        }
        final boolean isWhole = size == Math.rint(size) || size >= 100;
        return String.format(Locale.ROOT, isWhole ? "%.0f %s" : size >= 10 ? "%.1f %s" : "%.2f %s", size, UNITS[unit]);
    }
}
