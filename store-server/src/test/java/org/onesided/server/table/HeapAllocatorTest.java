package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapAllocatorTest
{
    @Test
    void shouldPlaceAnExtentInTheLowestRunThatHoldsIt()
    {
        final HeapAllocator heap = new HeapAllocator(10_000, 10);
        final long first = heap.allocate(5);
        final long second = heap.allocate(700);
        final long third = heap.allocate(1);
        assertEquals(10, first);
        assertEquals(15, second);
        assertEquals(715, third);
        heap.free(second);
        assertEquals(15, heap.allocate(600));
        assertEquals(716, heap.allocate(101));
        assertEquals(615, heap.allocate(100));
    }

    @Test
    void shouldJoinFreedExtentsWhateverTheirOrder()
    {
        final HeapAllocator heap = new HeapAllocator(3_000, 0);
        final long[] extents = new long[30];
        for (int i = 0; i < extents.length; i++)
        {
            extents[i] = heap.allocate(100);
        }
        assertEquals(-1, heap.allocate(1));
        for (int i = 0; i < extents.length; i += 2)
        {
            heap.free(extents[i]);
        }
        assertEquals(-1, heap.allocate(101));
        for (int i = 1; i < extents.length; i += 2)
        {
            heap.free(extents[i]);
        }
        assertEquals(0, heap.allocate(3_000));
        assertEquals(0, heap.freeGranules());
    }

    @Test
    void shouldTellWhatIsFreeAtTheEnd()
    {
        for (final int end : new int[] {1_000, 1_023, 1_024, 1_025})
        {
            final HeapAllocator heap = new HeapAllocator(end, 10);
            assertEquals(end - 10, heap.freeBefore(heap.granules(), end));
            assertEquals(200, heap.freeBefore(heap.granules(), 200));
            for (final int last : new int[] {100, 127, 128, 129, 700, 959, 960, 999})
            {
                heap.take(last, 1);
                assertEquals(end - last - 1, heap.freeBefore(heap.granules(), end), "end=" + end + " last=" + last);
                assertEquals(Math.min(3, end - last - 1), heap.freeBefore(heap.granules(), 3));
            }
        }
    }

    @Test
    void shouldRefuseToFreeWhatIsNoExtent()
    {
        final HeapAllocator heap = new HeapAllocator(1_000, 0);
        final long extent = heap.allocate(10);
        assertThrows(IllegalStateException.class, () -> heap.free(extent + 1));
        heap.free(extent);
        assertThrows(IllegalStateException.class, () -> heap.free(extent));
        assertThrows(IllegalStateException.class, () -> heap.free(-1));
        assertThrows(IllegalStateException.class, () -> heap.free(1_000));
    }

    @Test
    void shouldRefuseToTakeWhatIsTaken()
    {
        final HeapAllocator heap = new HeapAllocator(1_000, 10);
        assertThrows(IllegalStateException.class, () -> heap.take(5, 10));
        assertThrows(IllegalStateException.class, () -> heap.take(991, 10));
        heap.take(990, 10);
        assertThrows(IllegalStateException.class, () -> heap.take(985, 6));
    }

    /** A heap of several levels of summaries, against a map of its extents that knows the lowest fit by looking. */
    @ParameterizedTest
    @CsvSource({"700, 1, 130", "40000, 2, 130", "40000, 3, 6000", "300000, 4, 40000", "33, 5, 20"})
    void shouldAgreeWithAModel(final int granules, final long seed, final int maxLength)
    {
        final Random random = new Random(seed);
        final HeapAllocator heap = new HeapAllocator(granules, 7);
        final TreeMap<Long, Integer> model = new TreeMap<>();
        model.put(0L, 7);
        for (int i = 0; i < 6_000; i++)
        {
            // At times many extents are taken one behind the other.
            if (model.size() > 1 && random.nextInt(100) < (i % 1_000 < 500 ? 45 : 2))
            {
                final Long some = model.ceilingKey(7 + (long)random.nextInt(granules));
                final long start = some == null ? model.lastKey() : some;
                assertEquals((long)model.remove(start), heap.length(start));
                heap.free(start);
            }
            else
            {
                final int length = 1 + random.nextInt(1 + random.nextInt(maxLength));
                final long expected = lowestFit(model, length, granules);
                assertEquals(expected, heap.allocate(length));
                if (expected >= 0)
                {
                    model.put(expected, length);
                }
            }
            final long used = model.values().stream().mapToLong(Integer::longValue).sum();
            assertEquals(granules - used, heap.freeGranules());
            if (i % 100 == 0)
            {
                heap.verify();
            }
        }
        model.remove(0L);
        model.keySet().forEach(heap::free);
        assertEquals(granules - 7, heap.longestFree());
        heap.verify();
        assertTrue(heap.allocate(granules - 7) == 7);
    }

    private static long lowestFit(final TreeMap<Long, Integer> model, final int length, final long granules)
    {
        long end = 0;
        for (final Map.Entry<Long, Integer> extent : model.entrySet())
        {
            if (extent.getKey() - end >= length)
            {
                return end;
            }
            end = extent.getKey() + extent.getValue();
        }
        return granules - end >= length ? end : -1;
    }

    @Test
    void shouldGrowLikeAHeapThatWasLongFromTheStart()
    {
        final Random random = new Random(17);
        for (int round = 0; round < 20; round++)
        {
            long granules = 1 + random.nextInt(3_000);
            final HeapAllocator grown = new HeapAllocator(granules, 0);
            final List<Long> extents = new ArrayList<>();
            for (int step = 0; step < 400; step++)
            {
                if (random.nextInt(10) == 0)
                {
                    granules += random.nextInt(round % 2 == 0 ? 700 : 40_000);
                    final long free = grown.freeGranules() + granules - grown.granules();
                    grown.grow(granules);
                    assertEquals(free, grown.freeGranules());
                }
                else if (!extents.isEmpty() && random.nextInt(3) == 0)
                {
                    grown.free(extents.remove(random.nextInt(extents.size())));
                }
                else
                {
                    final long start = grown.allocate(1 + random.nextInt(900));
                    if (start >= 0)
                    {
                        extents.add(start);
                    }
                }
                grown.verify();
            }
            extents.forEach(grown::free);
            assertEquals(granules, grown.freeGranules());
            assertEquals(0, grown.allocate((int)granules));
            assertEquals(-1, grown.allocate(1));
            assertThrows(IllegalArgumentException.class, () -> grown.grow(grown.granules() - 1));
        }
    }
}
