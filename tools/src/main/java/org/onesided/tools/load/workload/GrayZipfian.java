package org.onesided.tools.load.workload;

/**
 * The zipfian distribution as YCSB draws it, rounding included: the approximation of Gray, Sundaresan, Englert,
 * Baclawski and Weinberger, <em>Quickly Generating Billion-Record Synthetic Databases</em>, SIGMOD 1994. Item 0 is the
 * most frequent. Not thread-safe, since it grows.
 */
final class GrayZipfian
{
    /** Skew of YCSB's workloads. */
    static final double THETA = 0.99;

    private static final double ALPHA = 1 / (1 - THETA);
    private static final double LEAST_NUMBER = 0.5;
    /** Ten times what the hundredth power can be off. */
    private static final double MARGIN = 1e-12;
    private static final double ZETA_OF_2 = zeta(0, 2, 0);
    private static final double HALF_TO_THETA = Math.pow(0.5, THETA);

    private final long itemsAtFirst;
    private long items;
    private double zeta;
    private double eta;

    /**
     * @param items from 1.
     * @param zeta  sum over the items of one by their number's power of theta.
     */
    GrayZipfian(final long items, final double zeta)
    {
        itemsAtFirst = items;
        this.items = items;
        this.zeta = zeta;
        eta = eta();
    }

    /** The same distribution, for another thread. */
    GrayZipfian copy()
    {
        return new GrayZipfian(itemsAtFirst, zeta);
    }

    /** The zeta of more items than before, which takes long for many. */
    static double zeta(final long itemsBefore, final long items, final double zetaBefore)
    {
        double sum = zetaBefore;
        for (long i = itemsBefore; i < items; i++)
        {
            sum += 1 / Math.pow(i + 1, THETA);
        }
        return sum;
    }

    /** Takes in that there are more items; fewer are not taken in, as with YCSB. */
    void grow(final long count)
    {
        if (count > items)
        {
            zeta = zeta(items, count, zeta);
            items = count;
            eta = eta();
        }
    }

    /**
     * @param uniform random, from 0 to below 1.
     * @param count   of items to scale to.
     * @return an item, from 0 to {@code count - 1}.
     */
    long item(final double uniform, final long count)
    {
        final double scaled = uniform * zeta;
        if (scaled < 1)
        {
            return 0;
        }
        if (scaled < 1 + HALF_TO_THETA)
        {
            return 1;
        }
        return scaled(count, eta * uniform - eta + 1);
    }

    /**
     * The whole part of a count times a number's power of alpha, as {@link Math#pow} gives it. Alpha is 100 but for
     * less than 1e-13, so for numbers from a half to one the hundredth power is off by less than 1e-13 of itself, its
     * own rounding included; only where so much could change the whole part is the slow power needed.
     */
    static long scaled(final long count, final double number)
    {
        if (number >= LEAST_NUMBER && number <= 1)
        {
            final double to4 = number * number * (number * number);
            final double to16 = to4 * to4 * (to4 * to4);
            final double to32 = to16 * to16;
            final double product = count * (to32 * to32 * (to32 * to4));
            final double margin = count * MARGIN;
            final long item = (long)product;
            final double part = product - item;
            if (part > margin && part < 1 - margin)
            {
                return item;
            }
        }
        return (long)(count * Math.pow(number, ALPHA));
    }

    /** The first term keeps the number of items that there were at first, as with YCSB. */
    private double eta()
    {
        return (1 - Math.pow(2.0 / itemsAtFirst, 1 - THETA)) / (1 - ZETA_OF_2 / zeta);
    }
}
