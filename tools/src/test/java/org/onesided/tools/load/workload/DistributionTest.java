package org.onesided.tools.load.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Draws are seeded, so that what holds for them holds always.
 */
class DistributionTest
{
    private static final int RECORDS = 1000;
    private static final int DRAWS = 200_000;

    @ParameterizedTest
    @EnumSource(Distribution.class)
    void shouldDrawOnlyItemsThatAreThere(final Distribution distribution)
    {
        final int[] counts = draw(distribution, RECORDS, DRAWS);

        int sum = 0;
        for (final int count : counts)
        {
            sum += count;
        }
        assertEquals(DRAWS, sum);
    }

    @Test
    void shouldDrawAllItemsEquallyOften()
    {
        for (final int count : draw(Distribution.UNIFORM, RECORDS, DRAWS))
        {
            // 200 each, with a standard deviation of 14.
            assertEquals(200, count, 90);
        }
    }

    @Test
    void shouldDrawExactlyZipfian()
    {
        final int[] counts = draw(Distribution.EXACT_ZIPFIAN, RECORDS, DRAWS);

        double sum = 0;
        for (int rank = 1; rank <= RECORDS; rank++)
        {
            sum += Math.pow(rank, -0.99);
        }
        double distance = 0;
        for (int rank = 1; rank <= RECORDS; rank++)
        {
            final double expected = DRAWS * Math.pow(rank, -0.99) / sum;
            distance += (counts[rank - 1] - expected) * (counts[rank - 1] - expected) / expected;
        }
        // Chi-squared of 999 degrees of freedom: beyond 1,143 by chance in one of a thousand seeds; this one is fixed.
        assertTrue(distance < 1_143, "chi-squared " + distance);
    }

    @Test
    void shouldNotDrawExactlyZipfianWhereYcsbDoesNot()
    {
        final int[] counts = draw(Distribution.YCSB_ZIPFIAN, RECORDS, DRAWS);

        int most = 0;
        for (final int count : counts)
        {
            most = Math.max(most, count);
        }
        // One by the zeta of ten thousand million items, and not of a thousand.
        assertEquals(DRAWS / Distribution.YCSB_ZETA, most, 500);
    }

    @Test
    void shouldDrawTheLatestMost()
    {
        final InsertedItems items = new InsertedItems(RECORDS);
        final ItemChooser chooser = workload(Distribution.LATEST, RECORDS).choosers(items).get();
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10; i++)
        {
            items.end(items.begin(), true);
        }

        int latest = 0;
        for (int i = 0; i < DRAWS; i++)
        {
            final long item = chooser.draw(random);
            assertTrue(item >= 0 && item < RECORDS + 10, "item " + item);
            latest += item == RECORDS + 9 ? 1 : 0;
        }
        assertTrue(latest > DRAWS / 10, "latest " + latest);
    }

    @ParameterizedTest
    @EnumSource(Distribution.class)
    void shouldDrawTheOnlyItem(final Distribution distribution)
    {
        assertEquals(1000, draw(distribution, 1, 1000)[0]);
    }

    private static int[] draw(final Distribution distribution, final int records, final int draws)
    {
        final ItemChooser chooser = workload(distribution, records).choosers(new InsertedItems(records)).get();
        final SplittableRandom random = new SplittableRandom(1);
        final int[] counts = new int[records];
        for (int i = 0; i < draws; i++)
        {
            counts[(int)chooser.draw(random)]++;
        }
        return counts;
    }

    private static Workload workload(final Distribution distribution, final int records)
    {
        return new WorkloadProperties(Map.of(
            "recordcount", Integer.toString(records),
            "requestdistribution", distribution.label())).workload("test");
    }
}
