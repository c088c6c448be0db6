package org.onesided.server.table;

/**
 * Makes a long run of free granules out of short ones, in steps, by moving the records between them. It chooses the
 * window that costs least ({@link GapSearch}), opens a gap at its start, and lets it grow ({@link Gap}) until it is as
 * long as wanted. A gap that comes to a fixed extent or to the heap's end is given back, and another window chosen. In
 * the end all free granules between two fixed extents are one run, so a heap refuses a record when it is full, not when
 * it is scattered.
 *
 * <p>A step ends between two records, but for long ones, which move in steps themselves. Not thread-safe.
 */
final class Compactor
{
    /** No goal for now: the gap stays as it is, for others that wait. */
    static final long KEEP = -1;

    private static final long NONE = -1;

    private final HeapAllocator heap;
    private final FixedExtents fixed;
    private final HeapReserve reserve;
    private final Gap gap;
    private final GapSearch search;
    private final TailClearing clearing;

    /**
     * @param heap     whose extents, but the fixed ones, are live records.
     * @param fixed    extents that must stay.
     * @param reserve  for records on their way.
     * @param gap      of this heap.
     * @param search   that opens it.
     * @param clearing that has the gap when nobody waits for room.
     */
    Compactor(
        final HeapAllocator heap,
        final FixedExtents fixed,
        final HeapReserve reserve,
        final Gap gap,
        final GapSearch search,
        final TailClearing clearing)
    {
        this.heap = heap;
        this.fixed = fixed;
        this.reserve = reserve;
        this.gap = gap;
        this.search = search;
        this.clearing = clearing;
    }

    /**
     * Goes on.
     *
     * @param goal   granules that the gap should have; 0 to give the gap back, once the reserve is free; or
     *               {@link #KEEP}.
     * @param budget granules that may be touched; a single short record may exceed it.
     * @return granules touched; 0 if there is nothing to do, or nothing that can be done now.
     */
    long step(final long goal, final long budget)
    {
        clearing.onOtherMoves();
        long spent = 0;
        long cost = 1;
        while (spent < budget && cost > 0)
        {
            cost = advance(goal, budget - spent);
            spent += cost;
        }
        return spent;
    }

    private long advance(final long goal, final long budget)
    {
        if (gap.isMoving())
        {
            return gap.moveOn(budget);
        }
        final boolean isReserveHeld = !reserve.isFree() && !fixed.contains(reserve.start());
        if (isReserveHeld)
        {
            final long place = gap.placeBelow(reserve.granules(), true);
            if (place != NONE)
            {
                return gap.move(reserve.start(), place, reserve.granules());
            }
        }
        final long wanted = isReserveHeld && !search.isKnownImpossible(reserve.granules()) ? reserve.granules() : goal;
        if (wanted == 0)
        {
            gap.close();
            search.stop();
        }
        if (gap.granules() >= wanted)
        {
            return 0;
        }
        if (gap.isOpen())
        {
            return gap.grow(wanted);
        }
        return search.isKnownImpossible(wanted) ? 0 : search.step(wanted, heap.granules(), budget);
    }
}
