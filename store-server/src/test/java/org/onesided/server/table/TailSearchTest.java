package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TailSearchTest
{
    private static final int HEAPS = 400;
    private static final long FIRST = 100;
    /** Of a step, in granules touched. */
    private static final long MOST_COST = 1 << 15;

    private FixedExtents fixed = new FixedExtents();
    private HeapAllocator heap;

    /** A heap of random extents, some of which are free again, and some fixed. */
    private void fill(final Random random, final long granules)
    {
        heap = new HeapAllocator(granules, FIRST);
        final List<Long> extents = new ArrayList<>();
        final int longest = 1 + random.nextInt(3_000);
        for (long start = 0; start >= 0;)
        {
            start = heap.allocate(1 + random.nextInt(longest));
            if (start >= 0)
            {
                extents.add(start);
            }
        }
        final int part = 2 + random.nextInt(40);
        extents.stream().filter((start) -> random.nextInt(part) == 0).forEach(heap::free);
        for (int i = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0; i > 0; i--)
        {
            final long start = extents.get(random.nextInt(extents.size()));
            if (heap.isExtent(start))
            {
                fixed.add(start);
            }
        }
    }

    private long free(final long start, final long end)
    {
        long free = 0;
        for (long at = heap.nextFree(start, end); at < end;)
        {
            final long runEnd = heap.nextTaken(at, end);
            free += runEnd - at;
            at = heap.nextFree(runEnd, end);
        }
        return free;
    }

    /** Where the last fixed extent ends that begins before the end. */
    private long floor(final long end)
    {
        long floor = FIRST;
        for (long next = fixed.next(FIRST); next < end; next = fixed.next(next + 1))
        {
            floor = next + heap.length(next);
        }
        return floor;
    }

    @Test
    void shouldFindTheShortestEndWithSoMuchFree()
    {
        int found = 0;
        for (int seed = 0; seed < HEAPS; seed++)
        {
            final Random random = new Random(seed);
            final long granules = 2_000 + random.nextInt(200_000);
            fill(random, granules);
            final long end = granules - (random.nextBoolean() ? 0 : random.nextInt(500));
            final long wanted = 1 + random.nextInt((int)(end - FIRST) / (1 + random.nextInt(60)));
            final TailSearch search = new TailSearch(heap, fixed, FIRST);
            while (search.step(wanted, end) >= 0 && !search.isOver())
            {
                assertEquals(TailSearch.NONE, search.start());
            }
            final String text = "seed=" + seed;
            final long floor = floor(end);
            final boolean isThere = floor < end && free(floor, end) >= wanted;
            assertEquals(isThere, search.start() != TailSearch.NONE, text);
            if (isThere)
            {
                found++;
                assertTrue(search.start() >= floor, text);
                assertTrue(free(search.start(), end) >= wanted, text);
                final long second = heap.nextTaken(search.start(), end);
                assertTrue(free(second, end) < wanted, text);
            }
            fixed = new FixedExtents();
        }
        assertTrue(found > HEAPS / 4 && found < HEAPS, "found=" + found);
    }

    /** Each granule is an extent, or free: the most runs that there can be. */
    @Test
    void shouldLookInShortSteps()
    {
        final int granules = 1 << 20;
        heap = new HeapAllocator(granules, FIRST);
        final List<Long> extents = new ArrayList<>();
        for (long start = heap.allocate(1); start >= 0; start = heap.allocate(1))
        {
            extents.add(start);
        }
        for (int i = 0; i < extents.size(); i += 2)
        {
            heap.free(extents.get(i));
        }
        final TailSearch search = new TailSearch(heap, fixed, FIRST);
        int steps = 0;
        do
        {
            assertTrue(search.step(granules / 4, granules) <= MOST_COST);
            steps++;
        }
        while (!search.isOver());
        assertTrue(steps > 10, "steps=" + steps);
        assertTrue(search.start() > granules / 3, "start=" + search.start());
        search.step(granules, granules);
        assertFalse(search.isOver(), "another search");
        search.stop();
        assertTrue(search.isOver());
    }
}
