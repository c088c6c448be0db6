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
    /** Ten times the error of the hundredth power. */
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

    /** The zeta of a larger number of items, which takes long for many. */
    static double zeta(final long itemsBefore, final long items, final double zetaBefore)
    {
        double sum = zetaBefore;
        for (long i = itemsBefore; i < items; i++)
        {
            sum += 1 / Math.pow(i + 1, THETA);
        }
        return sum;
    }

    /** Takes more items into account; like YCSB, ignores a smaller number. */
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
     * The whole part of a count times a number to the power of alpha, as {@link Math#pow} computes it. Alpha differs
     * from 100 by less than 1e-13. For numbers from a half to one, the relative error of the hundredth power, including
     * its rounding, is below 1e-13, so the slow power is needed only where such an error could change the whole part.
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

    /** Like YCSB, the first term keeps the initial number of items. */
    private double eta()
    {
        return (1 - Math.pow(2.0 / itemsAtFirst, 1 - THETA)) / (1 - ZETA_OF_2 / zeta);
    }
}
