package org.onesided.server.table;

import org.onesided.protocol.table.SlotWord;

/**
 * Where the extents of a shard's heap end for now. The end moves up as memory comes, which is taken in a bounded amount
 * at a time; and down when memory is given back, whose granules are <em>absent</em> then: taken by nobody, until memory
 * comes again. The reserve grows with the heap. Counted in granules. Not thread-safe.
 */
final class HeapEnd
{
    /** What {@link #takeIn} costs, in granules touched: it takes in 4 MiB, which takes some 20 microseconds. */
    static final long TAKE_IN_COST = 1 << 12;

    private static final long TAKE_IN_STEP = 1 << 18;
    private static final long NONE = -1;

    private final PartMemory reserveMemory;
    private final PartMemory memory;
    /** Granules of the heap at its longest, and those at its start that are never handed out. */
    private final long mostGranules;
    private final long kept;
    private final HeapAllocator heap;
    private final HeapReserve reserve;
    private final FixedExtents fixed;
    /** Bytes of the reserve's memory that were looked at last. */
    private long reserveSeen;
    /** Where the absent granules begin, or {@link #NONE}. */
    private long absent = NONE;

    /**
     * @param heapLength    of the heap at its longest, in bytes.
     * @param reserveMemory of the start of the heap, {@link HeapLayout#keptLength} bytes at most.
     * @param memory        of all behind that.
     * @param fixed         extents of the heap that must stay; the absent granules are one of them.
     */
    HeapEnd(
        final long heapLength, final PartMemory reserveMemory, final PartMemory memory, final FixedExtents fixed)
    {
        this.reserveMemory = reserveMemory;
        this.memory = memory;
        this.fixed = fixed;
        mostGranules = heapLength / SlotWord.GRANULE;
        kept = HeapLayout.keptLength(heapLength) / SlotWord.GRANULE;
        if (kept >= mostGranules)
        {
            throw new IllegalArgumentException("heap is too short for a table: heapLength=" + heapLength);
        }
        reserve = new HeapReserve(SlotWord.granules(HeapLayout.REDO_LENGTH), 0, kept);
        heap = new HeapAllocator(granules(memory.usable()), kept);
        growReserve();
    }

    /** The extents before the end. */
    HeapAllocator heap()
    {
        return heap;
    }

    HeapReserve reserve()
    {
        return reserve;
    }

    /** Where the granules end that can be handed out. */
    long granules()
    {
        final long end = absent;
        return end == NONE ? heap.granules() : end;
    }

    /** Where they would end with so many usable bytes of memory. */
    long granules(final long usable)
    {
        final long there = kept + usable / SlotWord.GRANULE;
        return there >= mostGranules ? mostGranules : Math.max(kept, there - HeapLayout.READ_BEYOND);
    }

    /** Granules that records can have. */
    long recordGranules()
    {
        return granules() - kept;
    }

    /**
     * Takes in memory that has come, a bounded amount at a time.
     *
     * @return whether there was some.
     */
    boolean takeIn()
    {
        if (reserveMemory.usable() != reserveSeen)
        {
            growReserve();
        }
        if (untaken() == 0)
        {
            return false;
        }
        final long step = Math.min(untaken(), TAKE_IN_STEP);
        if (absent == NONE)
        {
            heap.grow(heap.granules() + step);
        }
        else
        {
            takeInAbsent(Math.min(step, heap.granules() - absent));
        }
        growReserve();
        return true;
    }

    private void takeInAbsent(final long granules)
    {
        final long start = absent;
        heap.split(start, heap.granules(), granules);
        absent = start + granules == heap.granules() ? NONE : start + granules;
        if (absent != NONE)
        {
            fixed.add(absent);
        }
        fixed.remove(start);
        heap.free(start);
    }

    /** The granules from {@code start} to the end, an extent of the caller, are gone. */
    void takeOut(final long start)
    {
        if (absent != NONE)
        {
            fixed.remove(absent);
            heap.join(start, absent);
        }
        absent = start;
        fixed.add(start);
    }

    private void growReserve()
    {
        reserveSeen = reserveMemory.usable();
        final long wanted = granules() == mostGranules ? kept * SlotWord.GRANULE :
            HeapLayout.keptLength(mostGranules * SlotWord.GRANULE, recordGranules() * SlotWord.GRANULE);
        reserveMemory.ensure(wanted);
        final long usable = Math.min(reserveSeen, wanted);
        final long spare = usable == kept * SlotWord.GRANULE ? 0 : HeapLayout.READ_BEYOND;
        reserve.grow(Math.max(0, usable / SlotWord.GRANULE - spare - reserve.start()));
    }

    /** Asks for memory ahead of need, so that puts seldom wait for it. */
    void growAhead()
    {
        if ((heap.freeGranules() + untaken()) * SlotWord.GRANULE < memory.ahead())
        {
            // The same again until some has come: whoever prepares it is told once.
            memory.ensure(memory.usable() + 1);
        }
    }

    /** Asks for memory for an extent that waits for it. */
    void growFor(final long granules)
    {
        if (memory.growable() > 0)
        {
            // What is free at the end counts, so a put that is tried again does not ask for more than before.
            final long end = granules() - heap.freeBefore(granules(), granules) + granules + HeapLayout.READ_BEYOND;
            if (!memory.ensure((end - kept) * SlotWord.GRANULE))
            {
                memory.await();
            }
        }
    }

    /** Bytes that the heap may still get; some of them may be there and not taken in. */
    long growable()
    {
        return memory.growable() + untaken() * SlotWord.GRANULE;
    }

    /** Granules that are there, and not taken in. */
    private long untaken()
    {
        return granules(memory.usable()) - granules();
    }
}
