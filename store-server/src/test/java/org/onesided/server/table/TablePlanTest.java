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
        "1000000, 1, 64", "1000001, 3, 64", "4294967296, 8, 64", "1099511627776, 64, 64", "68719476736, 1, 64",
        "1099511627776, 1, 64", "1048576, 2, 1"})
    void shouldDivideAllOfTheMemory(final long memory, final int shards, final int firstBuckets)
    {
        final TablePlan plan = TablePlan.of(memory, shards, firstBuckets);
        assertEquals(shards, plan.shards().size());
        long heap = SuperblockDescriptor.LENGTH;
        long used = heap;
        for (final ShardLayout layout : plan.shards())
        {
            assertEquals(heap, layout.heap());
            heap += layout.heapLength();
            used += layout.heapLength() + layout.firstBuckets() * 64L;
            assertEquals(0, heap % 64);
            assertTrue(layout.firstBuckets() >= firstBuckets && layout.firstBuckets() <= 2 * firstBuckets);
        }
        assertTrue(used <= memory && used > memory - 4096 - shards * 64L);
        long index = heap;
        for (final ShardLayout layout : plan.shards())
        {
            assertTrue(layout.buckets() >= index && layout.buckets() < index + 4096);
            index = layout.buckets() + layout.bucketCount() * 64;
            assertTrue(layout.overflow() >= index && layout.overflow() < index + 4096);
            index = layout.overflow() + layout.overflowCount() * 64;
        }
        assertTrue(plan.regionLength() >= index && plan.regionLength() < index + 4096);
    }

    @ParameterizedTest
    @CsvSource({"1000000", "268435456", "4294967296"})
    void shouldHavePlaceForTheIndexOfTheShortestRecords(final long memory)
    {
        final ShardLayout layout = TablePlan.of(memory, 1).shards().get(0);
        final long records = memory / (32 + 22);
        final long last = (long)layout.firstBuckets() << layout.levels() - 1;
        assertTrue(last >= records / 3, () -> "buckets=" + last + " records=" + records);
        assertTrue(layout.overflowCount() >= records / 8);
        assertTrue(last <= records / 2, () -> "buckets=" + last + " records=" + records);
    }

    @Test
    void shouldSayHowMuchMemoryIsLeast()
    {
        final long least = TablePlan.leastMemory(4);
        assertEquals(4, TablePlan.of(least, 4).shards().size());
        assertTrue(TablePlan.of(least, 4).shards().get(0).heapLength() >= TablePlan.MIN_HEAP_LENGTH);
        final Exception thrown =
            assertThrows(IllegalArgumentException.class, () -> TablePlan.of(least - 1, 4));
        assertTrue(thrown.getMessage().endsWith("memory=" + (least - 1) + " shards=4 least=" + least));
    }

    @ParameterizedTest
    @CsvSource({
        "1000000, 0, 64", "100000000, 65, 64", "1000000, 1, 0", "1000000, 1, 65", "1099511631872, 1, 64"})
    void shouldRejectWhatMakesNoTable(final long memory, final int shards, final int firstBuckets)
    {
        assertThrows(IllegalArgumentException.class, () -> TablePlan.of(memory, shards, firstBuckets));
    }
}
