package org.onesided.eviction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The models that the choice of the server's policy rests on, and what was found with them, on made traces. */
class EvictionTest
{
    private static final int LOOKUPS = 200_000;

    @Test
    void shouldCountHitsAsByHand()
    {
        final Trace trace = Trace.ofEqualRecords("by hand", new int[]{0, 1, 2, 0, 3, 0, 1, 2, 3}, 4);
        assertEquals(1 / 9.0, Contestant.LRU.hitRatio(trace, 2, 1));
        assertEquals(3 / 9.0, Contestant.OPTIMUM.hitRatio(trace, 2, 1));
        assertEquals(5 / 9.0, Contestant.LRU.hitRatio(trace, 4, 1));
    }

    @Test
    void shouldCountKeysThatComeAgain()
    {
        final KeyHistory history = new KeyHistory(100);
        assertEquals(0, history.count(7));
        assertEquals(1, history.add(7));
        assertEquals(2, history.add(7));
        for (int i = 0; i < 20; i++)
        {
            history.add(7);
        }
        assertEquals(KeyHistory.LIMIT, history.count(7));
        for (int i = 100; i < 10_000; i++)
        {
            history.add(i);
        }
        assertEquals(0, history.count(7));
    }

    @Test
    void shouldFindAsMuchAsWTinyLfuWithReportsByRule()
    {
        for (final Trace trace : new Trace[]{
            MadeTraces.zipfWithScans(0.99, LOOKUPS), MadeTraces.shifting(LOOKUPS), MadeTraces.mixedSizes(LOOKUPS)})
        {
            final long capacity = trace.capacity(5);
            final double density = Contestant.DENSITY.hitRatio(trace, capacity, Simulation.BY_RULE);
            assertTrue(density > Contestant.W_TINYLFU.hitRatio(trace, capacity, 1) - 0.02, trace.name);
            assertTrue(density > Contestant.REDIS_LRU.hitRatio(trace, capacity, 1), trace.name);
            assertTrue(density > Contestant.REDIS_LFU.hitRatio(trace, capacity, 1), trace.name);
        }
    }

    @Test
    void shouldEstimateTheHitRatioWithTwiceAndHalfTheMemory()
    {
        final Trace trace = MadeTraces.zipfWithScans(0.9, LOOKUPS);
        final long capacity = trace.capacity(5);
        final int oneIn = 16;
        final MiniatureCaches miniatures = new MiniatureCaches(trace, capacity, oneIn);
        for (final int key : trace.keys)
        {
            miniatures.lookup(key);
        }
        final double now = Contestant.DENSITY.hitRatio(trace, capacity, oneIn);
        assertEquals(Contestant.DENSITY.hitRatio(trace, 2 * capacity, oneIn), now + miniatures.twice(LOOKUPS), 0.02);
        assertEquals(Contestant.DENSITY.hitRatio(trace, capacity / 2, oneIn), now + miniatures.half(LOOKUPS), 0.02);
    }
}
