package org.onesided.server.table;

import org.onesided.protocol.table.SlotWord;

/**
 * Makes a long run of free granules out of short ones, in steps, by moving the records between them. It chooses the
 * window that costs least and opens a gap at its start. The gap takes in the free granules at its end; a record that it
 * meets there moves to a free run below, or to the gap's start, until the gap is as long as wanted. A gap that comes to
 * a fixed extent or to the heap's end is given back, and another window chosen. In the end all free granules between
 * two fixed extents are one run, so a heap refuses a record when it is full, not when it is scattered.
 *
 * <p>Granules of the gap are nobody else's, but for those that are {@link #take taken} out of it. What was found
 * impossible is not tried again until something was freed. A step ends between two records, but for long ones, which
 * move in steps themselves. What a step may do is counted in granules touched: copied, hashed or zeroed. Not
 * thread-safe.
 */
final class Compactor
{
    /** No goal for now: the gap stays as it is, for others that wait. */
    static final long KEEP = -1;
    /** {@link #clear}: something is in the way that cannot move now. */
    static final long BLOCKED = -2;
    /** Longest record that moves in one go, in granules: 64 KiB. */
    static final int WHOLE = 1 << 12;

    /** What moving a record costs beside its granules, in granules touched: its slot is hardly ever in the cache. */
    private static final long RECORD_COST = 128;
    /** What a granule of a record that moves in one go costs: it is copied, hashed and zeroed. */
    private static final long MOVE_COST = 3;
    /** Records that may need a gap of their own until the end of the heap is clear. */
    private static final int MAX_LIFTS = 256;
    /** Free granules taken in at a time, and how many of them cost as much as one touched. */
    private static final long TAKE_IN = 1 << 15;
    private static final int TAKE_IN_SHIFT = 6;
    private static final long NONE = -1;

    private final HeapAllocator heap;
    private final FixedExtents fixed;
    private final HeapReserve reserve;
    private final RecordMemory records;
    private final Relocation relocation;
    private final WindowSearch search;
    private final TailSearch tail;
    private final long heapOffset;

    /** The gap, an extent if it is not empty; there is none if its end is {@link #NONE}. */
    private long gapStart = NONE;
    private long gapEnd = NONE;
    /** What a long record has left, and how many bytes of it are zeroed. */
    private long wipedStart;
    private long wipedEnd;
    private long wiped;
    /** Granules that are taken though they are free, as a long record moves. */
    private long doubled;
    /** There is no window of so many granules... */
    private long impossible = Long.MAX_VALUE;
    /** ...before so many were freed, or another extent may move. */
    private long possibleFrom;
    private long removalsSeen;
    /** What both were when the search began. */
    private long freedThen;
    private long removalsThen;
    /** A record that {@link #clear} makes a gap for, and how many there have been since it began. */
    private long lifted = NONE;
    private int lifts;
    /** Whether {@link #clear} moves the gap up to the heap's end. */
    private boolean isPushing;

    /**
     * @param heap       whose extents, but the fixed ones, are live records.
     * @param fixed      extents that must stay.
     * @param reserve    for records on their way.
     * @param records    in the heap.
     * @param relocation moves them.
     * @param heapOffset table offset of the heap.
     */
    Compactor(
        final HeapAllocator heap,
        final FixedExtents fixed,
        final HeapReserve reserve,
        final RecordMemory records,
        final Relocation relocation,
        final long heapOffset)
    {
        this.heap = heap;
        this.fixed = fixed;
        this.reserve = reserve;
        this.records = records;
        this.relocation = relocation;
        this.heapOffset = heapOffset;
        search = new WindowSearch(heap, fixed, reserve.end());
        tail = new TailSearch(heap, fixed, reserve.end());
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
        // Whatever clear() made a gap for may have moved when it goes on.
        lifted = NONE;
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
        if (relocation.isUnderWay())
        {
            return relocate(budget);
        }
        if (wipedEnd > wipedStart)
        {
            return wipe(budget);
        }
        final boolean isReserveHeld = !reserve.isFree() && !fixed.contains(reserve.start());
        if (isReserveHeld)
        {
            final long place = placeBelow(reserve.granules(), true);
            if (place != NONE)
            {
                return move(reserve.start(), place, reserve.granules());
            }
        }
        final long wanted = isReserveHeld && !isKnownImpossible(reserve.granules()) ? reserve.granules() : goal;
        if (wanted == 0)
        {
            close();
            search.stop();
        }
        if (gap() >= wanted)
        {
            return 0;
        }
        if (gapEnd != NONE)
        {
            return slide(wanted);
        }
        return isKnownImpossible(wanted) ? 0 : look(wanted, heap.granules(), budget);
    }

    /**
     * Goes on with clearing the end of the heap, by moving the records there to free runs before it. The gap grows from
     * there to the end; if somebody else has taken of it, the work is given up. For a record that fits in no free run
     * a gap is made first, before the end that is cleared. If there is no room for that, and it is urgent, the free
     * granules before the end are moved up to it, across the records between.
     *
     * @param from   first granule to be cleared.
     * @param end    of them.
     * @param urgent whether many records may move.
     * @param budget granules that may be touched; a single short record may exceed it.
     * @return granules touched; 0 if all are clear; or {@link #BLOCKED}, and nothing is left of the gap.
     */
    long clear(final long from, final long end, final boolean urgent, final long budget)
    {
        long spent = 0;
        while (spent < budget)
        {
            if (relocation.isUnderWay())
            {
                spent += relocate(budget - spent);
            }
            else if (wipedEnd > wipedStart)
            {
                spent += wipe(budget - spent);
            }
            else if (lifted == NONE && gapStart == from && gapEnd == end)
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
                    stopClearing();
                    return BLOCKED;
                }
                if (cost == BLOCKED)
                {
                    stopClearing();
                    isPushing = true;
                }
                spent += Math.max(1, cost);
            }
        }
        return spent;
    }

    /** Gives up what {@link #clear} has begun; nothing is left of its gap. */
    void stopClearing()
    {
        lifted = NONE;
        lifts = 0;
        isPushing = false;
        search.stop();
        tail.stop();
        close();
    }

    private long clearNext(final long from, final long end)
    {
        final boolean isBegun = gapEnd != NONE;
        final long at = isBegun ? gapEnd : from;
        if (isBegun ? gapStart != from : fixed.next(from) < end)
        {
            return BLOCKED;
        }
        if (!isBegun && !reserve.isFree())
        {
            return emptyReserve(from);
        }
        final long next = heap.nextTaken(at, Math.min(at + TAKE_IN, end));
        if (next > at)
        {
            gapStart = from;
            gapEnd = next;
            heap.grow(from, at, next);
            return 1 + (next - at >> TAKE_IN_SHIFT);
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
            close();
            lifted = start;
            lifts++;
            return lifts > MAX_LIFTS ? BLOCKED : 1;
        }
        if (start == at)
        {
            gapStart = from;
            gapEnd = at;
        }
        heap.take(place, granules);
        return move(start, place, granules);
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
        return move(reserve.start(), place, granules);
    }

    /** Goes on with making a gap for a record, or moves it there. */
    private long lift(final long from, final long budget)
    {
        if (!heap.isExtent(lifted))
        {
            lifted = NONE;
            close();
            return 1;
        }
        if (fixed.contains(lifted))
        {
            return BLOCKED;
        }
        final long granules = heap.length(lifted);
        if (gap() < granules)
        {
            return gapEnd == NONE ? look(granules, from, budget) : slide(granules);
        }
        final long start = lifted;
        final long place = take(granules);
        lifted = NONE;
        close();
        return move(start, place, granules);
    }

    /** Goes on with moving a gap up to the end, across records, until all that is to be cleared is in it. */
    private long push(final long from, final long end)
    {
        if (gapEnd == NONE)
        {
            return lookBefore(from, end);
        }
        final long at = gapEnd;
        if (at == end)
        {
            isPushing = false;
            return gapStart > from ? BLOCKED : keepFrom(from);
        }
        final long next = heap.nextTaken(at, Math.min(at + TAKE_IN, end));
        if (next > at)
        {
            heap.grow(gapStart, at, next);
            gapEnd = next;
            return 1 + (next - at >> TAKE_IN_SHIFT);
        }
        if (gap() == 0 || fixed.contains(at))
        {
            return BLOCKED;
        }
        final long granules = heap.length(at);
        final long place = placeBelow(granules, false);
        return place == NONE ? moveOver(at, granules) : move(at, place, granules);
    }

    /** Goes on with looking for where the gap is to begin. */
    private long lookBefore(final long from, final long end)
    {
        final long cost = tail.step(end - from, end);
        gapStart = tail.start();
        gapEnd = gapStart;
        return tail.isOver() && gapStart == NONE ? BLOCKED : cost;
    }

    /** Gives the start of the gap back. */
    private long keepFrom(final long from)
    {
        if (gapStart < from)
        {
            heap.split(gapStart, gapEnd, from - gapStart);
            heap.free(gapStart);
            gapStart = from;
        }
        return 1;
    }

    /** Lets go of the gap, which is an extent of the caller from now on. */
    long takeGap()
    {
        lifts = 0;
        isPushing = false;
        final long start = gapStart;
        gapStart = NONE;
        gapEnd = NONE;
        return start;
    }

    /** Whether a search found no window of so many granules, and nothing has changed since it began. */
    private boolean isKnownImpossible(final long wanted)
    {
        return wanted >= impossible && heap.freed() < possibleFrom && fixed.removals() == removalsSeen;
    }

    private long look(final long wanted, final long before, final long budget)
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
                gapStart = search.start();
                gapEnd = search.start();
            }
        }
        return Math.max(1, cost);
    }

    /** Takes in what is free at the gap's end, or moves the record that is there. */
    private long slide(final long wanted)
    {
        final long from = gapEnd;
        final long next = heap.nextTaken(from, from + Math.min(wanted - gap(), TAKE_IN));
        if (next > from)
        {
            heap.grow(gapStart, from, next);
            gapEnd = next;
            return 1 + (next - from >> TAKE_IN_SHIFT);
        }
        if (gap() == 0 || from == heap.granules() || fixed.contains(from))
        {
            close();
            return 1;
        }
        final long granules = heap.length(from);
        long place = placeBelow(granules, false);
        if (place == NONE && reserve.isFree() && granules <= reserve.length())
        {
            reserve.take(granules);
            place = reserve.start();
        }
        if (place == NONE)
        {
            place = heap.allocate((int)granules);
        }
        return place == NONE ? moveOver(from, granules) : move(from, place, granules);
    }

    /** A place for a record below the gap, or at its start; if wanted so, anywhere. */
    private long placeBelow(final long granules, final boolean orAnywhere)
    {
        final long lowest = heap.lowest((int)granules);
        if (lowest != NONE && (gapEnd == NONE || lowest < gapStart))
        {
            heap.take(lowest, granules);
            return lowest;
        }
        final long start = take(granules);
        if (start == NONE && lowest != NONE && orAnywhere)
        {
            heap.take(lowest, granules);
            return lowest;
        }
        return start;
    }

    private long move(final long from, final long to, final long granules)
    {
        if (granules <= WHOLE)
        {
            relocation.move(from, to, granules);
            leave(from, granules);
            return RECORD_COST + MOVE_COST * granules;
        }
        relocation.begin(from, to, granules);
        doubled = granules;
        return RECORD_COST;
    }

    /** Moves the record at the gap's end to the gap's start, where it overlaps its own place. */
    private long moveOver(final long from, final long granules)
    {
        heap.join(gapStart, from);
        doubled = gap();
        relocation.beginOverlapping(from, gapStart, granules);
        gapStart = NONE;
        gapEnd = NONE;
        if (granules > WHOLE)
        {
            return RECORD_COST;
        }
        relocate(Long.MAX_VALUE);
        wipe(Long.MAX_VALUE);
        return RECORD_COST + MOVE_COST * granules;
    }

    private long relocate(final long budget)
    {
        final long cost = relocation.step(budget);
        if (!relocation.isUnderWay())
        {
            final long end = relocation.from() + relocation.granules();
            wipedStart = relocation.from();
            wipedEnd = end;
            wiped = 0;
            if (relocation.isOverlapping())
            {
                heap.split(relocation.to(), end, relocation.granules());
                wipedStart = relocation.to() + relocation.granules();
                records.kill(offset(wipedStart));
                records.forward(offset(wipedStart), SlotWord.EMPTY);
            }
        }
        return Math.max(1, cost);
    }

    private long wipe(final long budget)
    {
        final long left = wipedEnd - wipedStart - wiped / SlotWord.GRANULE;
        final long part = Math.min(Math.max(1, budget), left);
        records.zero(offset(wipedStart), wiped, part * SlotWord.GRANULE);
        wiped += part * SlotWord.GRANULE;
        if (part == left)
        {
            if (relocation.isOverlapping())
            {
                gapStart = wipedStart;
                gapEnd = wipedEnd;
            }
            else
            {
                leave(wipedStart, wipedEnd - wipedStart);
            }
            wipedEnd = wipedStart;
            doubled = 0;
        }
        return part;
    }

    /** The place that a record has left becomes a part of the gap, or free. */
    private void leave(final long from, final long granules)
    {
        if (reserve.isAt(from))
        {
            reserve.free();
        }
        else if (from == gapEnd)
        {
            heap.join(gapStart, from);
            gapEnd = from + granules;
        }
        else
        {
            heap.free(from);
        }
    }

    private void close()
    {
        if (gap() > 0)
        {
            heap.free(gapStart);
        }
        gapStart = NONE;
        gapEnd = NONE;
    }

    private long gap()
    {
        return gapEnd - gapStart;
    }

    /** An extent of so many granules, out of the gap, or -1 if that is shorter. */
    long take(final long granules)
    {
        if (gap() < granules)
        {
            return NONE;
        }
        final long start = gapStart;
        heap.split(start, gapEnd, granules);
        gapStart += granules;
        return start;
    }

    /**
     * Drops what is under way with a record, as that died, or must stay where it is.
     *
     * @param start of its extent.
     * @return start of the extent with its copy, which is nobody's now; -1 if there is none.
     */
    long drop(final long start)
    {
        if (!relocation.isUnderWay() || start != (relocation.isOverlapping() ? relocation.to() : relocation.from()))
        {
            return NONE;
        }
        relocation.stop();
        doubled = 0;
        return relocation.isOverlapping() ? NONE : relocation.to();
    }

    /** Finishes at once what is under way with a record, if that is not live meanwhile. */
    void finish(final long start)
    {
        if (relocation.isUnderWay() && relocation.isOverlapping() && start == relocation.to())
        {
            relocate(Long.MAX_VALUE);
        }
    }

    /** Granules that are free, though the allocator counts them as taken. */
    long held()
    {
        return gap() + doubled;
    }

    private long offset(final long granule)
    {
        return heapOffset + granule * SlotWord.GRANULE;
    }
}
