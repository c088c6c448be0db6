package org.onesided.server.table;

import org.onesided.protocol.table.SlotWord;

/**
 * A run of free granules that is made longer: it takes in what is free at its end, or moves the record that is there to
 * a free run below, or to its own start. Its granules are an extent that is nobody else's, but for those that are
 * {@link #take taken} out of it.
 *
 * <p>A short record moves at once, a long one in steps, and so is what it leaves zeroed. Nothing else is done
 * to the gap meanwhile. What a step may do is counted in granules touched: copied, hashed or zeroed. Not thread-safe.
 */
final class Gap
{
    /** Longest record that moves in one go, in granules: 64 KiB. */
    static final int WHOLE = 1 << 12;

    /** What moving a record costs beside its granules, in granules touched: its slot is hardly ever in the cache. */
    private static final long RECORD_COST = 128;
    /** What a granule of a record that moves in one go costs: it is copied, hashed and zeroed. */
    private static final long MOVE_COST = 3;
    /** Free granules taken in at a time, and how many of them cost as much as one touched. */
    private static final long TAKE_IN = 1 << 15;
    private static final int TAKE_IN_SHIFT = 6;
    private static final long NONE = -1;

    private final HeapAllocator heap;
    private final FixedExtents fixed;
    private final HeapReserve reserve;
    private final RecordMemory records;
    private final Relocation relocation;
    private final long heapOffset;

    /** An extent if it is not empty; there is no gap if its end is {@link #NONE}. */
    private long start = NONE;
    private long end = NONE;
    /** What a long record has left, and how many bytes of it are zeroed. */
    private long wipedStart;
    private long wipedEnd;
    private long wiped;
    /** Granules that are taken though they are free, as a long record moves. */
    private long doubled;

    /**
     * @param heap       whose extents, but the fixed ones, are live records.
     * @param fixed      extents that must stay.
     * @param reserve    for records on their way.
     * @param records    in the heap.
     * @param relocation moves them.
     * @param heapOffset table offset of the heap.
     */
    Gap(
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
    }

    boolean isOpen()
    {
        return end != NONE;
    }

    long start()
    {
        return start;
    }

    long end()
    {
        return end;
    }

    long granules()
    {
        return end - start;
    }

    /** Begins an empty gap, which is nothing yet but a place. */
    void open(final long at)
    {
        start = at;
        end = at;
    }

    /** Gives the gap back to the heap. */
    void close()
    {
        if (granules() > 0)
        {
            heap.free(start);
        }
        letGo();
    }

    /** Lets go of the gap, which is an extent of the caller from now on. */
    long letGo()
    {
        final long extent = start;
        start = NONE;
        end = NONE;
        return extent;
    }

    /** Gives back what is before {@code from}. */
    void keepFrom(final long from)
    {
        if (start < from)
        {
            heap.split(start, end, from - start);
            heap.free(start);
            start = from;
        }
    }

    /** An extent of so many granules, out of the gap, or -1 if that is shorter. */
    long take(final long granules)
    {
        if (granules() < granules)
        {
            return NONE;
        }
        final long extent = start;
        heap.split(extent, end, granules);
        start += granules;
        return extent;
    }

    /**
     * Takes in free granules at the gap's end, as many as are cheap.
     *
     * @param limit behind which none are taken.
     * @return granules touched; 0 if there is none that is free.
     */
    long takeIn(final long limit)
    {
        final long from = end;
        final long next = heap.nextTaken(from, Math.min(from + TAKE_IN, limit));
        if (next == from)
        {
            return 0;
        }
        heap.grow(start, from, next);
        end = next;
        return 1 + (next - from >> TAKE_IN_SHIFT);
    }

    /**
     * Takes in what is free at the gap's end, or moves the record that is there. Closes the gap if it cannot grow.
     *
     * @param wanted granules that it should have, more than it has.
     * @return granules touched.
     */
    long grow(final long wanted)
    {
        final long from = end;
        final long cost = takeIn(from + (wanted - granules()));
        if (cost > 0)
        {
            return cost;
        }
        if (granules() == 0 || from == heap.granules() || fixed.contains(from))
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

    /**
     * Moves the record at the gap's end to a free run below, or to the gap's start.
     *
     * @return granules touched.
     */
    long passRecord()
    {
        final long from = end;
        final long granules = heap.length(from);
        final long place = placeBelow(granules, false);
        return place == NONE ? moveOver(from, granules) : move(from, place, granules);
    }

    /** A place for a record below the gap, or at its start; if wanted so, anywhere. */
    long placeBelow(final long granules, final boolean orAnywhere)
    {
        final long lowest = heap.lowest((int)granules);
        if (lowest != NONE && (end == NONE || lowest < start))
        {
            heap.take(lowest, granules);
            return lowest;
        }
        final long extent = take(granules);
        if (extent == NONE && lowest != NONE && orAnywhere)
        {
            heap.take(lowest, granules);
            return lowest;
        }
        return extent;
    }

    /**
     * Moves a record, or begins to.
     *
     * @param from     its extent.
     * @param to       an extent of the caller.
     * @param granules of both.
     * @return granules touched.
     */
    long move(final long from, final long to, final long granules)
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
        heap.join(start, from);
        doubled = granules();
        relocation.beginOverlapping(from, start, granules);
        start = NONE;
        end = NONE;
        if (granules > WHOLE)
        {
            return RECORD_COST;
        }
        relocate(Long.MAX_VALUE);
        wipe(Long.MAX_VALUE);
        return RECORD_COST + MOVE_COST * granules;
    }

    /** Whether a long record is on its way, or what it has left is being zeroed. */
    boolean isMoving()
    {
        return relocation.isUnderWay() || wipedEnd > wipedStart;
    }

    /**
     * Goes on with the record that {@link #isMoving is moving}.
     *
     * @return granules touched.
     */
    long moveOn(final long budget)
    {
        return relocation.isUnderWay() ? relocate(budget) : wipe(budget);
    }

    private long relocate(final long budget)
    {
        final long cost = relocation.step(budget);
        if (!relocation.isUnderWay())
        {
            final long behind = relocation.from() + relocation.granules();
            wipedStart = relocation.from();
            wipedEnd = behind;
            wiped = 0;
            if (relocation.isOverlapping())
            {
                heap.split(relocation.to(), behind, relocation.granules());
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
                start = wipedStart;
                end = wipedEnd;
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
        else if (from == end)
        {
            heap.join(start, from);
            end = from + granules;
        }
        else
        {
            heap.free(from);
        }
    }

    /**
     * Drops what is under way with a record, as that died, or must stay where it is.
     *
     * @param extent of it.
     * @return start of the extent with its copy, which is nobody's now; -1 if there is none.
     */
    long drop(final long extent)
    {
        if (!relocation.isUnderWay() || extent != (relocation.isOverlapping() ? relocation.to() : relocation.from()))
        {
            return NONE;
        }
        relocation.stop();
        doubled = 0;
        return relocation.isOverlapping() ? NONE : relocation.to();
    }

    /** Finishes at once what is under way with a record, if that is not live meanwhile. */
    void finish(final long extent)
    {
        if (relocation.isUnderWay() && relocation.isOverlapping() && extent == relocation.to())
        {
            relocate(Long.MAX_VALUE);
        }
    }

    /** Granules that are free, though the allocator counts them as taken. */
    long held()
    {
        return granules() + doubled;
    }

    private long offset(final long granule)
    {
        return heapOffset + granule * SlotWord.GRANULE;
    }
}
