package org.onesided.server.table;

/**
 * Opens a {@link Gap} at the start of the window that costs least to clear, and remembers how long a window there is
 * none of: what was found impossible is not looked for again until something was freed. Looks in steps. Not
 * thread-safe.
 */
final class GapSearch
{
    /** {@link #step}: there is no such window for now. */
    static final long BLOCKED = -2;

    private final HeapAllocator heap;
    private final FixedExtents fixed;
    private final WindowSearch search;
    private final Gap gap;

    /** There is no window of so many granules... */
    private long impossible = Long.MAX_VALUE;
    /** ...before so many were freed, or another extent may move. */
    private long possibleFrom;
    private long removalsSeen;
    /** What both were when the search began. */
    private long freedThen;
    private long removalsThen;

    /**
     * @param heap  whose windows are looked at.
     * @param fixed extents of it.
     * @param first granule that may be in a window.
     * @param gap   that is opened.
     */
    GapSearch(final HeapAllocator heap, final FixedExtents fixed, final long first, final Gap gap)
    {
        this.heap = heap;
        this.fixed = fixed;
        this.gap = gap;
        search = new WindowSearch(heap, fixed, first);
    }

    /** Whether a search found no window of so many granules, and nothing has changed since it began. */
    boolean isKnownImpossible(final long wanted)
    {
        return wanted >= impossible && heap.freed() < possibleFrom && fixed.removals() == removalsSeen;
    }

    /** Gives up. */
    void stop()
    {
        search.stop();
    }

    /**
     * Goes on, or begins.
     *
     * @param wanted granules that the window is to have.
     * @param before which it must end.
     * @param budget granules that may be touched.
     * @return granules touched; or {@link #BLOCKED} if no window ends there, though one may behind.
     */
    long step(final long wanted, final long before, final long budget)
    {
        if (!search.isFor(wanted, before))
        {
            search.begin(wanted, before);
            freedThen = heap.freed();
            removalsThen = fixed.removals();
        }
        final long cost = search.step(budget);
        if (search.isOver())
        {
            if (search.start() == WindowSearch.NONE && before < heap.granules())
            {
                return BLOCKED;
            }
            if (search.start() == WindowSearch.NONE)
            {
                impossible = wanted;
                possibleFrom = freedThen + wanted - search.mostFree();
                removalsSeen = removalsThen;
            }
            else
            {
                gap.open(search.start());
            }
        }
        return Math.max(1, cost);
    }
}
