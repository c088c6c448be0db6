package org.onesided.server.table;

/**
 * Hands out extents of a shard's record heap, counted in granules from the heap's start. Extents are placed at the
 * lowest run of free granules that is long enough (first fit by address, which fragments little: Wilson and others,
 * "Dynamic Storage Allocation", 1995); a freed extent is one with the free granules beside it at once, whatever their
 * sizes were.
 *
 * <p>What it knows is kept outside the heap, in two bits a granule and a tree of summaries: below 2 % of the heap's
 * length, whatever the number of extents. The same calls give the same places. Not thread-safe.
 */
final class HeapAllocator
{
    /** Most granules that the tree may not know of: what it takes to tell them is a bounded step. */
    private static final long MOST_UNTOLD = 8L * BitRuns.STRETCH;

    private long granules;
    private final BitRuns taken;
    private final BitRuns starts;
    private final RunTree tree;
    private long freeGranules;
    private long freed;
    /** Taken granules that the tree does not know of yet: extents are often taken one behind the other. */
    private long untold;
    private long untoldEnd;
    /** End of the extent that was handed out last. */
    private long next;
    /** No free run before {@link #next} has so many granules, as long as {@link #freed} stays. */
    private int nextLength = Integer.MAX_VALUE;
    /** What {@link #freed} was then. */
    private long nextFreed;

    /**
     * @param granules of the heap.
     * @param kept     granules at its start that are never handed out.
     */
    HeapAllocator(final long granules, final long kept)
    {
        if (kept < 0 || kept > granules)
        {
            throw new IllegalArgumentException("kept must lie inside the heap: kept=" + kept + " granules=" + granules);
        }
        this.granules = granules;
        taken = new BitRuns(granules);
        taken.fill(0, kept, true);
        starts = new BitRuns(granules);
        tree = new RunTree(taken);
        freeGranules = granules - kept;
    }

    /** The start of a new extent of {@code length} granules, at least 1, or -1 if no run of free ones is so long. */
    long allocate(final int length)
    {
        final boolean isNext = isNext(length);
        final long start = isNext ? next : lowest(length);
        if (start >= 0)
        {
            take(start, length);
            nextLength = isNext ? nextLength : length;
            next = start + length;
            nextFreed = freed;
        }
        return start;
    }

    /** Whether the lowest run of {@code length} free granules begins behind what was handed out last. */
    private boolean isNext(final int length)
    {
        return length >= nextLength && freed == nextFreed && next + length <= granules &&
            taken.next(next, next + length, true) == next + length;
    }

    /** Makes an extent of {@code length} free granules at {@code start}. */
    void take(final long start, final long length)
    {
        final long end = start + length;
        if (length < 1 || start < 0 || end > granules || taken.next(start, end, true) < end)
        {
            throw new IllegalStateException("not free: start=" + start + " length=" + length);
        }
        taken.fill(start, end, true);
        starts.fill(start, start + 1, true);
        freeGranules -= length;
        if (start != untoldEnd)
        {
            tellTree();
            untold = start;
        }
        untoldEnd = end;
        if (untoldEnd - untold >= MOST_UNTOLD)
        {
            tellTree();
        }
    }

    private void tellTree()
    {
        if (untold < untoldEnd)
        {
            tree.changed(untold, untoldEnd);
            untold = untoldEnd;
        }
    }

    /** Frees the extent that starts at {@code start}. */
    void free(final long start)
    {
        final long length = length(start);
        taken.fill(start, start + length, false);
        starts.fill(start, start + 1, false);
        freeGranules += length;
        freed += length;
        tree.changed(start, start + length);
    }

    /**
     * Adds free granules to a gap: an extent without a record, between records that move.
     *
     * @param start  of the gap.
     * @param end    of the gap; equal to its start if it has no granules yet.
     * @param newEnd of the free granules behind it.
     */
    void grow(final long start, final long end, final long newEnd)
    {
        take(end, newEnd - end);
        join(start, end);
    }

    /** Makes the extent that starts at a gap's end a part of the gap. */
    void join(final long start, final long end)
    {
        if (start < end)
        {
            starts.fill(end, end + 1, false);
        }
    }

    /** Makes the first {@code length} granules of an extent one of their own. */
    void split(final long start, final long end, final long length)
    {
        if (length < end - start)
        {
            starts.fill(start + length, start + length + 1, true);
        }
    }

    /** Granules of the extent that starts at {@code start}. */
    long length(final long start)
    {
        if (!isExtent(start))
        {
            throw new IllegalStateException("no extent starts here: start=" + start);
        }
        return end(start) - start;
    }

    boolean isExtent(final long start)
    {
        return start >= 0 && start < granules && starts.isTaken(start);
    }

    /** Where the extent that starts at {@code start} ends: at the next one, or at a free granule. */
    private long end(final long start)
    {
        // Both maps are searched in growing steps: each alone may say nothing for a long way.
        long from = start + 1;
        long step = Long.SIZE;
        while (true)
        {
            final long limit = Math.min(from + step, granules);
            final long next = starts.next(from, limit, true);
            final long free = taken.next(from, next, false);
            if (free < limit || limit == granules)
            {
                return free;
            }
            from = limit;
            step *= 2;
        }
    }

    /** The start of the lowest run of {@code length} free granules, or -1. */
    long lowest(final int length)
    {
        tellTree();
        return tree.find(length);
    }

    /** The first free granule from {@code from} to before {@code end}, or {@code end}, or the heap's end. */
    long nextFree(final long from, final long end)
    {
        return taken.next(from, Math.min(end, granules), false);
    }

    /** The first taken granule from {@code from} to before {@code end}, or {@code end}, or the heap's end. */
    long nextTaken(final long from, final long end)
    {
        return taken.next(from, Math.min(end, granules), true);
    }

    long granules()
    {
        return granules;
    }

    long freeGranules()
    {
        return freeGranules;
    }

    /** Free granules right before {@code end}, {@code most} at most. */
    long freeBefore(final long end, final long most)
    {
        return taken.freeBefore(end, most);
    }

    /** Where the extent begins that a taken granule belongs to. */
    long extentAt(final long granule)
    {
        return granule - starts.freeBefore(granule + 1, granule + 1);
    }

    /** Adds free granules at the heap's end until there are so many. */
    void grow(final long newGranules)
    {
        if (newGranules < granules)
        {
            throw new IllegalArgumentException("heaps do not shrink: granules=" + newGranules);
        }
        tellTree();
        final long before = granules;
        taken.grow(newGranules);
        starts.grow(newGranules);
        granules = newGranules;
        freeGranules += newGranules - before;
        freed += newGranules - before;
        tree.grow(before);
    }

    /** Granules freed so far, or added. */
    long freed()
    {
        return freed;
    }

    /** Longest run of free granules, up to {@link RunTree#CAP}. */
    int longestFree()
    {
        tellTree();
        return tree.longest();
    }

    /** Checks that the maps, the tree and the count tell the same; for tests. */
    void verify()
    {
        long free = 0;
        long best = 0;
        long at = 0;
        while (at < granules)
        {
            final long start = taken.next(at, granules, false);
            if (starts.next(start, taken.next(start, granules, true), true) < taken.next(start, granules, true))
            {
                throw new IllegalStateException("an extent starts in free granules: start=" + start);
            }
            at = taken.next(start, granules, true);
            free += at - start;
            best = Math.max(best, at - start);
        }
        if (free != freeGranules || Math.min(best, RunTree.CAP) != longestFree())
        {
            throw new IllegalStateException("heap does not add up: free=" + free + " counted=" + freeGranules +
                " longest=" + best + " told=" + longestFree());
        }
    }
}
