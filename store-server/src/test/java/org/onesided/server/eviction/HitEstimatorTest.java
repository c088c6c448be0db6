package org.onesided.server.eviction;

import static org.junit.jupiter.api.Assertions.*;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.onesided.server.TestSize;
import org.onesided.server.table.StateRandom;

class HitEstimatorTest
{
    private static final int LENGTH = 144;
    private static final int KEYS = 100_000;
    private static final int LOOKUPS = TestSize.of(2_000_000, 500_000);

    private final HitEstimator estimator = new HitEstimator(new StateRandom(1));
    private final SplittableRandom random = new SplittableRandom(2);

    private static long hash(final int key)
    {
        return new SplittableRandom(key).nextLong() & ~3;
    }

    /** More often a low key than a high one. */
    private int key()
    {
        return (int)(KEYS * Math.pow(random.nextDouble(), 3));
    }

    /** Hit ratio of a cache that holds so many keys and evicts as a shard does. */
    private double ratio(final long records)
    {
        final MiniatureCache cache = new MiniatureCache(new StateRandom(3));
        cache.capacity(records * (LENGTH + DensityCore.INDEX_LENGTH));
        long hits = 0;
        for (int i = 0; i < LOOKUPS; i++)
        {
            hits += cache.access(hash(key()), LENGTH, true, 1) && i >= LOOKUPS / 2 ? 1 : 0;
        }
        return hits / (LOOKUPS / 2.0);
    }

    @Test
    void shouldEstimateTheDifferenceThatMemoryMakes()
    {
        final int records = 20_000;
        final double half = ratio(records / 2);
        final double same = ratio(records);
        final double twice = ratio(2L * records);
        assertTrue(same > half + 0.05 && twice > same + 0.05, half + " " + same + " " + twice);

        estimator.resize(records, records * (LENGTH + DensityCore.INDEX_LENGTH));
        final long[] before = new long[HitEstimator.SIZES];
        for (int i = 0; i < LOOKUPS; i++)
        {
            if (i == LOOKUPS / 2)
            {
                for (int size = 0; size < before.length; size++)
                {
                    before[size] = estimator.hits(size);
                }
            }
            final long key = hash(key());
            if (estimator.takes(key))
            {
                estimator.onLookup(key, LENGTH, random.nextInt(8) == 0, 1);
            }
            estimator.count(1);
        }
        final double lookups = LOOKUPS / 2.0;
        assertTrue(estimator.lookups() > lookups && estimator.lookups() < LOOKUPS);
        final double common = estimator.hits(1) - before[1];
        assertEquals(half - same, (estimator.hits(0) - before[0] - common) / lookups, 0.03);
        assertEquals(twice - same, (estimator.hits(2) - before[2] - common) / lookups, 0.03);
    }

    @Test
    void shouldEstimateNothingBeforeTheMiniaturesAreFull()
    {
        assertEquals(SampledKeys.NONE, estimator.bits());
        assertFalse(estimator.takes(0));
        estimator.resize(20_000, 20_000 * 165);
        for (int i = 0; i < 20_000; i++)
        {
            if (estimator.takes(hash(i)))
            {
                estimator.onLookup(hash(i), LENGTH, false, 1);
                estimator.onLookup(hash(i), LENGTH, false, 1);
            }
            estimator.count(1);
        }
        assertEquals(0, estimator.lookups());
        assertEquals(0, estimator.hits(1));
    }

    @Test
    void shouldEstimateEvenIfAllKeysFitIntoTwiceTheMemory()
    {
        final int keys = 15_000;
        estimator.resize(10_000, 10_000 * (LENGTH + DensityCore.INDEX_LENGTH));
        for (int i = 0; i < LOOKUPS; i++)
        {
            final long key = hash(random.nextInt(keys));
            if (estimator.takes(key))
            {
                estimator.onLookup(key, LENGTH, random.nextInt(8) == 0, 1);
            }
            estimator.count(1);
        }
        final double lookups = estimator.lookups();
        assertTrue(lookups > LOOKUPS / 2, "lookups: " + lookups);
        assertEquals(1, (estimator.hits(2) - estimator.hits(1)) / lookups + 10_000.0 / keys, 0.1);
        assertTrue(estimator.hits(1) > estimator.hits(0), estimator.hits(1) + " " + estimator.hits(0));
    }

    @Test
    void shouldTakeAboutSoManyKeysThatTheMiniaturesStaySmall()
    {
        estimator.resize(10_000_000, 1_650_000_000L);
        assertEquals(13, estimator.bits());
        estimator.resize(6_000_000, 1_000_000_000L);
        assertEquals(13, estimator.bits());
        estimator.resize(1_000_000, 165_000_000L);
        assertEquals(9, estimator.bits());
        estimator.resize(100, 16_500);
        assertEquals(3, estimator.bits());
    }

    @Test
    void shouldForgetDeletedKeys()
    {
        estimator.resize(8, 8 * 165);
        final MiniatureCache cache = new MiniatureCache(new StateRandom(1));
        cache.capacity(1000);
        assertFalse(cache.access(8, LENGTH, false, 1));
        assertTrue(cache.access(8, LENGTH, false, 1));
        cache.remove(8);
        cache.remove(8);
        assertEquals(0, cache.count());
        assertFalse(cache.access(8, LENGTH, false, 1));
    }
}
