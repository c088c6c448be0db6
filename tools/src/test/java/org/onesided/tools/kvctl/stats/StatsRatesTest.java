package org.onesided.tools.kvctl.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;

class StatsRatesTest
{
    private static StatsRates.Look look(final long seconds, final long gets, final long reads, final long puts)
    {
        return new StatsRates.Look(
            seconds * 1_000_000_000L,
            List.of(shard(0, puts), shard(1, puts)),
            new ClientStatistics(gets, gets, gets / 10, 0, 0, 0, reads, reads * 100, 0, 0, 0, 0, 0, 0));
    }

    private static ShardStatistics shard(final int shard, final long puts)
    {
        return new ShardStatistics(
            shard, 1_000, 0, 0, 0, 1, 0, 0, 0, 4_096, 1_024, puts, 0, 0, 0, 0, 0, 0, 0, 0, 10 * puts, 20 * puts, puts,
            0, 0, 0, 0, 0, 3, Map.of(), null);
    }

    @Test
    void shouldTellWhatHappenedPerSecond()
    {
        final StatsRates rates = StatsRates.between(look(10, 100, 150, 5), look(12, 2_100, 3_150, 8));

        assertEquals(2, rates.seconds());
        assertEquals(1_000, rates.gets());
        assertEquals(100, rates.misses());
        assertEquals(1_500, rates.reads());
        assertEquals(1.5, rates.perGet());
        assertEquals(3, rates.puts());
        assertEquals(2_000, rates.records());
        assertEquals(3, rates.sessions());
        assertEquals(30, rates.expired());
        assertEquals(63, rates.evicted());
        assertEquals(14, rates.lines().size());
        assertEquals(StatsRates.head().length(), rates.line().length());
        assertTrue(
            rates.line().matches(" +1,000 +100 +1,500 +1\\.500 +146 KiB +3\\.0 +0 +30 +63 +2,000 +25\\.0 % +3"),
            rates.line());
    }

    @Test
    void shouldBeginAnewWithAServerThatDid()
    {
        final StatsRates rates = StatsRates.between(look(10, 1_000_000, 1_000_000, 500), look(11, 30, 40, 2));

        assertEquals(30, rates.gets());
        assertEquals(40, rates.reads());
        assertEquals(4, rates.puts());
    }

    @Test
    void shouldHaveNoRatioWithoutLookups()
    {
        final StatsRates rates = StatsRates.between(look(10, 100, 150, 5), look(11, 100, 150, 5));
        assertEquals(0, rates.perGet());
        assertTrue(rates.line().contains(" - "), rates.line());
    }
}
