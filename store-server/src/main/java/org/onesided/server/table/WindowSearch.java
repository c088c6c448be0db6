package org.onesided.server.table;

/**
 * Looks for the window of a heap that costs least to clear: one with enough free granules, the fewest taken ones
 * between them, and no fixed extent. It looks in steps, goes once round the heap at most, and stops as soon as looking
 * further would cost more than clearing the best window so far. What changes in the heap between two steps may make the
 * result worse, never wrong: whoever clears the window sees for itself what is there. Not thread-safe.
 */
final class WindowSearch
{
    /** Start of no window. */
    static final long NONE = -1;

    /** Granules looked at without a pause. */
    private static final long LOOK = 1 << 17;
    /** What looking at a run costs, in granules touched, and how many granules of a run cost one more. */
    private static final long RUN_COST = 2;
    private static final int LOOK_SHIFT = 8;
    /** Looking costs at least so much before it stops. */
    private static final long LEAST_EFFORT = 256;

    private final HeapAllocator heap;
    private final FixedExtents fixed;
    private final long first;

    private long cursor;
    private long wanted;
    /** Behind which no window ends. */
    private long last;
    /** The window looked at: a free run begins at low, and there are so many free granules up to high. */
    private long low;
    private long high;
    private long free;
    private long end;
    private boolean isWrapped;
    private boolean isOver = true;
    private long effort;
    private long best;
    private long bestLive;
    private long mostFree;

    /**
     * @param heap  whose windows are looked at.
     * @param fixed extents of it.
     * @param first granule that may be in a window.
     */
    WindowSearch(final HeapAllocator heap, final FixedExtents fixed, final long first)
    {
        this.heap = heap;
        this.fixed = fixed;
        this.first = first;
        cursor = first;
    }

    /** Begins to look for a window with so many free granules, before {@code before}. */
    void begin(final long granules, final long before)
    {
        wanted = granules;
        last = before;
        cursor = cursor < last ? cursor : first;
        low = cursor;
        high = cursor;
        end = cursor;
        free = 0;
        isWrapped = false;
        isOver = false;
        effort = 0;
        best = NONE;
        bestLive = Long.MAX_VALUE;
        mostFree = 0;
    }

    /** Gives up. */
    void stop()
    {
        isOver = true;
    }

    /** Whether it looks for a window with so many free granules, before {@code before}. */
    boolean isFor(final long granules, final long before)
    {
        return !isOver && wanted == granules && last == before;
    }

    boolean isOver()
    {
        return isOver;
    }

    /** Where the window begins, or {@link #NONE}: there is none. */
    long start()
    {
        return best;
    }

    /** Most free granules between two fixed extents, if there is no window. */
    long mostFree()
    {
        return mostFree;
    }

    /**
     * Goes on looking.
     *
     * @param budget in granules touched.
     * @return what it has cost.
     */
    long step(final long budget)
    {
        final long before = effort;
        while (!isOver && effort - before < budget)
        {
            if (free >= wanted)
            {
                shrink();
            }
            else
            {
                extend();
            }
            isOver |= best != NONE && effort > LEAST_EFFORT + 2 * bestLive;
        }
        if (isOver)
        {
            cursor = high < last ? high : first;
        }
        return effort - before;
    }

    /** Compares the window with the best one, and takes its first run off. */
    private void shrink()
    {
        final long live = high - low - free;
        if (live < bestLive)
        {
            best = low;
            bestLive = live;
        }
        final long runEnd = heap.nextTaken(low, high);
        free -= runEnd - low;
        low = heap.nextFree(runEnd, high);
        effort += RUN_COST;
        isOver |= isWrapped && low >= end;
    }

    /** Adds the next run of free granules, if no fixed extent is before it. */
    private void extend()
    {
        final long from = high;
        if (from >= last)
        {
            wrap();
            return;
        }
        final long limit = Math.min(from + LOOK, last);
        final long run = heap.nextFree(from, limit);
        final boolean isCut = fixed.next(from) < run;
        if (isCut)
        {
            mostFree = Math.max(mostFree, free);
            free = 0;
        }
        if (free == 0)
        {
            low = run;
            isOver |= isWrapped && low >= end;
        }
        high = heap.nextTaken(run, Math.min(limit, run + wanted - free));
        free += high - run;
        effort += RUN_COST + (high - from >> LOOK_SHIFT);
    }

    private void wrap()
    {
        mostFree = Math.max(mostFree, free);
        isOver |= isWrapped || end == first;
        isWrapped = true;
        low = first;
        high = first;
        free = 0;
        effort++;
    }
}
