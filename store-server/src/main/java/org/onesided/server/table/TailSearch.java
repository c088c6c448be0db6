package org.onesided.server.table;

/**
 * Looks for the shortest end of a heap that has so many free granules, and no fixed extent. It looks in steps, from the
 * end down. What changes in the heap between two steps may make the result worse, never wrong: whoever clears it sees
 * for itself what is there. Not thread-safe.
 */
final class TailSearch
{
    /** Start of no end. */
    static final long NONE = -1;

    /** Granules looked at in a step. */
    private static final long LOOK = 1 << 14;
    /** What looking at a run costs, in granules touched, and how many granules cost one more. */
    private static final long RUN_COST = 2;
    private static final int LOOK_SHIFT = 8;

    private final HeapAllocator heap;
    private final FixedExtents fixed;
    private final long first;

    private long wanted;
    private long end;
    /** From where all was looked at, and how many free granules were behind. */
    private long low;
    private long free;
    private long start = NONE;
    private boolean isOver = true;

    /**
     * @param heap  whose end is looked at.
     * @param fixed extents of it.
     * @param first granule that may be in it.
     */
    TailSearch(final HeapAllocator heap, final FixedExtents fixed, final long first)
    {
        this.heap = heap;
        this.fixed = fixed;
        this.first = first;
    }

    /** Gives up. */
    void stop()
    {
        isOver = true;
    }

    boolean isOver()
    {
        return isOver;
    }

    /** Where they begin, or {@link #NONE}: there are not so many. */
    long start()
    {
        return start;
    }

    /**
     * Goes on looking, or begins anew.
     *
     * @param granules that are to be free.
     * @param before   granule behind them.
     * @return what it has cost, in granules touched.
     */
    long step(final long granules, final long before)
    {
        if (isOver || wanted != granules || end != before)
        {
            wanted = granules;
            end = before;
            low = before;
            free = 0;
            start = NONE;
        }
        final long high = low;
        final long floor = Math.min(floor(), high);
        low = Math.max(high - LOOK, floor);
        final long behind = free;
        long runs = 0;
        for (long at = heap.nextFree(low, high); at < high; runs++)
        {
            final long runEnd = heap.nextTaken(at, high);
            free += runEnd - at;
            at = heap.nextFree(runEnd, high);
        }
        if (free >= wanted)
        {
            start = firstRun(high, wanted - behind);
        }
        isOver = free >= wanted || low == floor;
        return 1 + RUN_COST * runs + (high - low >> LOOK_SHIFT);
    }

    /** The last run before {@code high} with which so many granules are free there. */
    private long firstRun(final long high, final long granules)
    {
        long left = free - (wanted - granules);
        long at = heap.nextFree(low, high);
        long runEnd = heap.nextTaken(at, high);
        while (left - (runEnd - at) >= granules)
        {
            left -= runEnd - at;
            at = heap.nextFree(runEnd, high);
            runEnd = heap.nextTaken(at, high);
        }
        return at;
    }

    /** Where the last fixed extent ends that begins before what was looked at. */
    private long floor()
    {
        long last = first;
        for (long next = fixed.next(first); next < low; next = fixed.next(next + 1))
        {
            last = next + heap.length(next);
        }
        return last;
    }
}
