package org.onesided.server.table;

/**
 * Clears the end of a heap, in steps, by moving the records there to free runs before it. The {@link Gap} grows from
 * there to the end; if somebody else has taken of it, the work is given up. For a record that fits in no free run a gap
 * is made first, before the end that is cleared. If there is no room for that, and it is urgent, the free granules
 * before the end are moved up to it, across the records between. Not thread-safe.
 */
final class TailClearing
{
    /** {@link #step}: something is in the way that cannot move now. */
    static final long BLOCKED = GapSearch.BLOCKED;

    /** Records that may need a gap of their own until the end of the heap is clear. */
    private static final int MAX_LIFTS = 256;
    private static final long NONE = -1;

    private final HeapAllocator heap;
    private final FixedExtents fixed;
    private final HeapReserve reserve;
    private final Gap gap;
    private final GapSearch search;
    private final TailSearch tail;

    /** A record that a gap is made for, and how many there have been since this began. */
    private long lifted = NONE;
    private int lifts;
    /** Whether the gap is moved up to the heap's end. */
    private boolean isPushing;

    /**
     * @param heap    whose extents, but the fixed ones, are live records.
     * @param fixed   extents that must stay.
     * @param reserve for records on their way.
     * @param gap     of this heap.
     * @param search  that opens it for a record.
     */
    TailClearing(
        final HeapAllocator heap,
        final FixedExtents fixed,
        final HeapReserve reserve,
        final Gap gap,
        final GapSearch search)
    {
        this.heap = heap;
        this.fixed = fixed;
        this.reserve = reserve;
        this.gap = gap;
        this.search = search;
        tail = new TailSearch(heap, fixed, reserve.end());
    }

    /**
     * Goes on.
     *
     * @param from   first granule to be cleared.
     * @param end    of them.
     * @param urgent whether many records may move.
     * @param budget granules that may be touched; a single short record may exceed it.
     * @return granules touched; 0 if all are clear; or {@link #BLOCKED}, and nothing is left of the gap.
     */
    long step(final long from, final long end, final boolean urgent, final long budget)
    {
        long spent = 0;
        while (spent < budget)
        {
            if (gap.isMoving())
            {
                spent += gap.moveOn(budget - spent);
            }
            else if (lifted == NONE && gap.start() == from && gap.end() == end)
            {
                return spent;
            }
            else
            {
                final boolean isLifting = !isPushing && lifted != NONE;
                final long cost = isPushing ? push(from, end) :
                    isLifting ? lift(from, budget - spent) : clearNext(from, end);
                if (cost == BLOCKED && !(isLifting && urgent))
                {
                    stop();
                    return BLOCKED;
                }
                if (cost == BLOCKED)
                {
                    stop();
                    isPushing = true;
                }
                spent += Math.max(1, cost);
            }
        }
        return spent;
    }

    /** Other records moved meanwhile: the one that a gap was made for may be elsewhere. */
    void onOtherMoves()
    {
        lifted = NONE;
    }

    /** Gives up what was begun; nothing is left of the gap. */
    void stop()
    {
        lifted = NONE;
        lifts = 0;
        isPushing = false;
        search.stop();
        tail.stop();
        gap.close();
    }

    /** Lets go of the gap with all that was cleared, which is an extent of the caller from now on. */
    long takeCleared()
    {
        lifts = 0;
        isPushing = false;
        return gap.letGo();
    }

    private long clearNext(final long from, final long end)
    {
        final boolean isBegun = gap.isOpen();
        final long at = isBegun ? gap.end() : from;
        if (isBegun ? gap.start() != from : fixed.next(from) < end)
        {
            return BLOCKED;
        }
        if (!isBegun && !reserve.isFree())
        {
            return emptyReserve(from);
        }
        if (!isBegun)
        {
            gap.open(from);
        }
        final long cost = gap.takeIn(end);
        if (cost > 0)
        {
            return cost;
        }
        // A record may begin before the end that is to be cleared.
        final long start = heap.extentAt(at);
        final long granules = heap.length(start);
        if (fixed.contains(start))
        {
            return BLOCKED;
        }
        final long place = heap.lowest((int)granules);
        if (place == NONE || place + granules > from)
        {
            gap.close();
            lifted = start;
            lifts++;
            return lifts > MAX_LIFTS ? BLOCKED : 1;
        }
        if (!isBegun && start < at)
        {
            gap.close();
        }
        heap.take(place, granules);
        return gap.move(start, place, granules);
    }

    /** Moves the record in the reserve to a free run before the end that is cleared. */
    private long emptyReserve(final long from)
    {
        final long granules = reserve.granules();
        final long place = fixed.contains(reserve.start()) ? NONE : heap.lowest((int)granules);
        if (place == NONE || place + granules > from)
        {
            return BLOCKED;
        }
        heap.take(place, granules);
        return gap.move(reserve.start(), place, granules);
    }

    /** Goes on with making a gap for a record, or moves it there. */
    private long lift(final long from, final long budget)
    {
        if (!heap.isExtent(lifted))
        {
            lifted = NONE;
            gap.close();
            return 1;
        }
        if (fixed.contains(lifted))
        {
            return BLOCKED;
        }
        final long granules = heap.length(lifted);
        if (gap.granules() < granules)
        {
            return gap.isOpen() ? gap.grow(granules) : search.step(granules, from, budget);
        }
        final long start = lifted;
        final long place = gap.take(granules);
        lifted = NONE;
        gap.close();
        return gap.move(start, place, granules);
    }

    /** Goes on with moving a gap up to the end, across records, until all that is to be cleared is in it. */
    private long push(final long from, final long end)
    {
        if (!gap.isOpen())
        {
            return lookBefore(from, end);
        }
        final long at = gap.end();
        if (at == end)
        {
            isPushing = false;
            if (gap.start() > from)
            {
                return BLOCKED;
            }
            gap.keepFrom(from);
            return 1;
        }
        final long cost = gap.takeIn(end);
        if (cost > 0)
        {
            return cost;
        }
        return gap.granules() == 0 || fixed.contains(at) ? BLOCKED : gap.passRecord();
    }

    /** Goes on with looking for where the gap is to begin. */
    private long lookBefore(final long from, final long end)
    {
        final long cost = tail.step(end - from, end);
        gap.open(tail.start());
        return tail.isOver() && !gap.isOpen() ? BLOCKED : cost;
    }
}
