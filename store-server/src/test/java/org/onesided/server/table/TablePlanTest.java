package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SuperblockDescriptor;

class TablePlanTest
{
    @ParameterizedTest
    @CsvSource({
        "1000000, 1, 128", "1000001, 3, 128", "4294967296, 8, 100", "1099511627776, 64, 4000", "68719476736, 1, 40"})
    void shouldDivideAllOfTheMemory(final long memory, final int shards, final long mean)
    {
        final TablePlan plan = TablePlan.of(memory, shards, mean);
        assertTrue(plan.regionLength() <= memory && plan.regionLength() > memory - 4096);
        assertEquals(shards, plan.shards().size());
        long at = SuperblockDescriptor.LENGTH;
        for (final ShardLayout layout : plan.shards())
        {
            assertEquals(at, layout.buckets());
            assertEquals(layout.buckets() + layout.bucketCount() * 64, layout.overflow());
            assertEquals(layout.overflow() + layout.overflowCount() * 64, layout.heap());
            at = layout.heap() + layout.heapLength();
            assertEquals(0, at % 64);
        }
        assertTrue(at <= plan.regionLength() && at > plan.regionLength() - shards * 64L);
    }

    @Test
    void shouldHaveBucketsThreeFifthsFullWhenTheHeapIsFull()
    {
        final ShardLayout layout = TablePlan.of(1L << 32, 1, 128).shards().get(0);
        final double keys = layout.heapLength() / 128.0;
        final double load = keys / (layout.bucketCount() * 7);
        assertEquals(0.6, load, 0.001);
        assertEquals(17.8, (layout.bucketCount() + layout.overflowCount()) * 64 / keys, 0.1);
        assertEquals(6, (double)layout.bucketCount() / layout.overflowCount(), 0.001);
    }

    @Test
    void shouldSayHowMuchMemoryIsLeast()
    {
        final long least = TablePlan.leastMemory(4);
        assertEquals(4, TablePlan.of(least, 4, 128).shards().size());
        final Exception thrown =
            assertThrows(IllegalArgumentException.class, () -> TablePlan.of(least - 1, 4, 128));
        assertTrue(thrown.getMessage().endsWith("memory=" + (least - 1) + " shards=4 least=" + least));
    }

    @ParameterizedTest
    @CsvSource({
        "1000000, 0, 128", "100000000, 65, 128", "1000000, 1, 24", "1000000, 1, 99999999", "1099511631872, 1, 128"})
    void shouldRejectWhatMakesNoTable(final long memory, final int shards, final long mean)
    {
        assertThrows(IllegalArgumentException.class, () -> TablePlan.of(memory, shards, mean));
    }
}
