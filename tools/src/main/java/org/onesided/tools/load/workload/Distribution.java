package org.onesided.tools.load.workload;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;

/**
 * Distributions of the items that operations use. Zipfian ones have a theta of 0.99.
 */
public enum Distribution
{
    /** All items are equally frequent. */
    UNIFORM,
    /** Recent inserts are the most frequent: YCSB's {@code latest}. */
    LATEST,
    /**
     * YCSB's {@code zipfian}, bit for bit: draws one of ten thousand million items and hashes it to an existing one.
     * Some items share a hash, so no frequency is exactly zipfian.
     */
    YCSB_ZIPFIAN,
    /**
     * Exactly zipfian over the initial items, the first being the most frequent: by rejection-inversion (Hörmann and
     * Derflinger, <em>Rejection-Inversion to Generate Variates from Monotone Discrete Distributions</em>, ACM TOMACS
     * 6(3), 1996), which Apache Commons RNG implements. Hashed key names scatter them.
     */
    EXACT_ZIPFIAN;

    /** Number of items of YCSB's zipfian: one more than ten thousand million, as its bounds are inclusive. */
    static final long YCSB_ITEMS = 10_000_000_001L;

    /** The zeta of ten thousand million items, a constant in YCSB. */
    static final double YCSB_ZETA = 26.46902820178302;

    /**
     * @return its name on the command line.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * @return the names of all.
     */
    public static List<String> labels()
    {
        return Stream.of(values()).map(Distribution::label).toList();
    }

    /**
     * @throws IllegalArgumentException if no distribution has this name.
     */
    static Distribution of(final String name)
    {
        final String label = "zipfian".equals(name) ? YCSB_ZIPFIAN.label() : name;
        return Stream.of(values()).filter(each -> each.label().equals(label)).findFirst().orElseThrow(() ->
            new IllegalArgumentException("no such distribution, choose one of " + String.join(", ", labels()) + ": " +
                WorkloadSetting.DISTRIBUTION.property() + "=" + name));
    }

    /**
     * Prepares drawing, which may take a second per ten million items.
     *
     * @param workload with the items.
     * @param items    that exist.
     * @return a supplier of a chooser for each thread; thread-safe.
     */
    Supplier<ItemChooser> choosers(final Workload workload, final InsertedItems items)
    {
        final long first = workload.insertStart();
        final long count = workload.insertCount();
        return switch (this)
        {
            case UNIFORM -> () -> random -> first + random.nextLong(count);
            case LATEST -> latest(items);
            case YCSB_ZIPFIAN -> () -> scrambled(first, count + workload.expectedInserts() + 1, items);
            case EXACT_ZIPFIAN -> exact(first, count);
        };
    }

    /** Draws again if an item does not exist yet, so that inserts do not change the odds of other items. */
    static ItemChooser scrambled(final long first, final long count, final InsertedItems items)
    {
        final GrayZipfian zipfian = new GrayZipfian(YCSB_ITEMS, YCSB_ZETA);
        return random ->
        {
            long item;
            do
            {
                item = first + FnvHash.of(zipfian.item(random.nextDouble(), YCSB_ITEMS)) % count;
            }
            while (item > items.last());
            return item;
        };
    }

    private static Supplier<ItemChooser> latest(final InsertedItems items)
    {
        final long count = Math.max(1, items.last());
        final GrayZipfian prepared = new GrayZipfian(count, GrayZipfian.zeta(0, count, 0));
        return () ->
        {
            final GrayZipfian zipfian = prepared.copy();
            return random -> latest(zipfian, random.nextDouble(), items.last());
        };
    }

    static long latest(final GrayZipfian zipfian, final double uniform, final long last)
    {
        zipfian.grow(last);
        return Math.max(0, last - zipfian.item(uniform, last));
    }

    private static Supplier<ItemChooser> exact(final long first, final long count)
    {
        if (count > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("the distribution exact-zipfian takes up to " + Integer.MAX_VALUE +
                " records, choose ycsb-zipfian: records=" + count);
        }
        return () ->
        {
            final Draw draw = new Draw();
            final SharedStateDiscreteSampler sampler = RejectionInversionZipfSampler.of(
                () -> draw.random.nextLong(), (int)count, GrayZipfian.THETA);
            return random ->
            {
                draw.random = random;
                return first + sampler.sample() - 1;
            };
        };
    }

    /** Passes the thread's random numbers to the sampler. */
    private static final class Draw
    {
        private SplittableRandom random;
    }
}
