package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.table.SegmentDirectoryDescriptor;
import org.onesided.protocol.table.ShardLayout;

class GrowthPlanTest
{
    private static final int PAGE = 4096;
    private static final int HUGE = 2 << 20;

    @ParameterizedTest
    @CsvSource({
        "1048576, 2, 1, 4096", "1000001, 3, 2, 4096", "268435456, 4, 1, 2097152",
        "4294967296, 8, 3, 2097152", "1099511627776, 30, 3, 2097152", "68719476736, 1, 1, 4096"})
    void shouldGiveEachShardAddressesForAllOfTheMemory(
        final long memory, final int shards, final int devices, final long alignment)
    {
        final GrowthPlan plan = GrowthPlan.of(memory, shards, devices, alignment);
        assertEquals(memory / PAGE * PAGE, plan.memory());
        assertEquals(shards, plan.shards().size());
        assertTrue(plan.directory(devices - 1) + SegmentDirectoryDescriptor.length(plan.directoryCapacity()) <=
            plan.shards().get(0).layout().buckets());
        assertTrue(plan.startLength() < plan.memory());
        long at = plan.startLength();
        long initial = plan.startLength();
        for (final GrowthPlan.Shard shard : plan.shards())
        {
            final ShardLayout layout = shard.layout();
            assertEquals(layout.buckets(), shard.buckets().start());
            assertEquals(layout.overflow(), shard.overflow().start());
            assertTrue(shard.buckets().start() >= at && shard.buckets().start() % PAGE == 0);
            assertTrue(shard.overflow().start() % PAGE == 0);
            assertTrue(shard.overflow().start() >= shard.buckets().start() + shard.buckets().length());
            assertEquals(layout.overflowOffset(layout.overflowCount()),
                shard.overflow().start() + shard.overflow().length());
            at = GrowthPlan.pageCeiling(shard.overflow().start() + shard.overflow().length());
            assertEquals(plan.memory(), layout.heapLength());
            assertEquals(layout.heap(), shard.reserve().start());
            assertEquals(shard.records().start(), shard.reserve().start() + shard.reserve().length());
            assertEquals(layout.heap() + layout.heapLength(), shard.records().start() + shard.records().length());
            assertEquals(0, shard.records().start() % alignment);
            assertTrue(GrowthPlan.pageFloor(shard.reserve().start()) >= at);
            at = GrowthPlan.pageCeiling(shard.records().start() + shard.records().length());
            initial += plan.initialHeap(plan.memory());
        }
        assertTrue(at <= plan.regionLength());
        assertTrue(initial <= plan.memory() && initial > plan.memory() / 2 - (shards + 1L) * PAGE);
        assertTrue(plan.initialHeap(0) >= GrowthPlan.MIN_HEAP_LENGTH);
        assertTrue(plan.minSegment() % PAGE == 0 && plan.minSegment() <= plan.maxSegment());
    }

    /** A part grows by a quarter of what it has, and all of the memory may go to any of the shards. */
    @ParameterizedTest
    @CsvSource({"1048576, 2", "8388608, 64", "268435456, 1", "268435456, 64", "17179869184, 4", "1099511627776, 30"})
    void shouldHaveRoomInTheDirectoryForAllSegments(final long memory, final int shards)
    {
        final GrowthPlan plan = GrowthPlan.of(memory, shards, 1, PAGE);
        final long heap = plan.initialHeap(0);
        final long[] parts = new long[shards];
        java.util.Arrays.fill(parts, heap);
        long left = plan.memory() - plan.startLength() - shards * heap;
        int count = 1 + 4 * shards;
        for (int i = 0; left > 0; i = (i + 1) % shards)
        {
            final long step = Math.min(left, plan.segment(parts[i], left, false));
            parts[i] += step;
            left -= step;
            // The reserve and the index grow with the heap, by less.
            count += 2;
        }
        assertTrue(count <= plan.directoryCapacity(), "count=" + count + " capacity=" + plan.directoryCapacity());
    }

    @Test
    void shouldMakeSegmentsShorterNearTheEndOfTheMemory()
    {
        final long memory = 1L << 30;
        final GrowthPlan plan = GrowthPlan.of(memory, 4, 1, PAGE);
        assertEquals(4L << 20, plan.maxSegment());
        assertEquals(64L << 10, plan.minSegment());
        assertEquals(plan.minSegment(), plan.segment(0, memory, false));
        assertEquals(1L << 20, plan.segment(4L << 20, memory, false));
        assertEquals(plan.maxSegment(), plan.segment(1L << 28, memory / 8, false));
        assertEquals(plan.maxSegment() / 4, plan.segment(1L << 28, memory / 32, false));
        assertEquals(4 * PAGE, plan.segment(1L << 28, 2 * PAGE, false));
        assertEquals(plan.maxSegment() / 4, plan.segment(1L << 28, memory / 8, true));
        assertEquals(2L << 20, plan.ahead(1L << 28, memory, false));
        assertEquals(0, plan.ahead(1L << 28, 0, false));
    }

    @Test
    void shouldSayHowMuchMemoryIsLeast()
    {
        final long least = GrowthPlan.leastMemory(4, 2);
        assertEquals(4, GrowthPlan.of(least, 4, 2, PAGE).shards().size());
        final Exception thrown = assertThrows(
            IllegalArgumentException.class, () -> GrowthPlan.of(least - 1, 4, 2, PAGE));
        assertTrue(thrown.getMessage().endsWith("memory=" + (least - 1) + " shards=4 least=" + least));
    }

    @ParameterizedTest
    @CsvSource({"1000000", "268435456", "4294967296"})
    void shouldHavePlaceForTheIndexOfTheShortestRecords(final long memory)
    {
        final ShardLayout layout = GrowthPlan.of(memory, 1, 1, PAGE).shards().get(0).layout();
        final long records = memory / (32 + 22);
        final long last = (long)layout.firstBuckets() << layout.levels() - 1;
        assertTrue(layout.firstBuckets() >= 64 && layout.firstBuckets() <= 128);
        assertTrue(last >= records / 3, () -> "buckets=" + last + " records=" + records);
        assertTrue(layout.overflowCount() >= records / 8);
        assertTrue(last <= records / 2, () -> "buckets=" + last + " records=" + records);
    }

    @ParameterizedTest
    @CsvSource({"1000000, 0", "100000000, 65", "1099511631872, 1", "1099511627776, 64"})
    void shouldRejectWhatMakesNoTable(final long memory, final int shards)
    {
        assertThrows(IllegalArgumentException.class, () -> GrowthPlan.of(memory, shards, 1, HUGE));
    }
}
