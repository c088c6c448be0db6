package org.onesided.server.table;

import java.util.Arrays;

/**
 * For each stretch of a bitmap, how long its runs of free granules are: the run it begins with, the longest one, and
 * the run it ends with. Stretches of eight make a stretch of the next level, up to one over all; so the lowest run of
 * a given length is found, and a change told to all levels, in a time that grows with the logarithm of the heap. (The
 * page allocator of the Go runtime keeps such summaries.)
 */
final class RunTree
{
    /** Runs are not told apart beyond this; longer than any extent. */
    static final int CAP = 1 << 28;
    /** Stretches of a level that make one of the next. */
    static final int FANOUT = 8;

    private final BitRuns bits;
    /** By level, from that of single stretches. */
    private IntChunks[] first = new IntChunks[0];
    private IntChunks[] longest = new IntChunks[0];
    private IntChunks[] last = new IntChunks[0];

    RunTree(final BitRuns bits)
    {
        this.bits = bits;
        grow(0);
    }

    /**
     * Takes granules in that were added to the bitmap.
     *
     * @param from the first of them.
     */
    void grow(final long from)
    {
        int count = bits.stretchCount();
        int level = 0;
        boolean isTop = false;
        while (!isTop)
        {
            if (level == first.length)
            {
                first = added(first);
                longest = added(longest);
                last = added(last);
            }
            first[level].grow(count);
            longest[level].grow(count);
            last[level].grow(count);
            isTop = count <= 1;
            count = parents(count);
            level++;
        }
        measure(from, (long)bits.stretchCount() * BitRuns.STRETCH, true);
    }

    private static IntChunks[] added(final IntChunks[] levels)
    {
        final IntChunks[] more = Arrays.copyOf(levels, levels.length + 1);
        more[levels.length] = new IntChunks();
        return more;
    }

    private static int parents(final int count)
    {
        return (count + FANOUT - 1) / FANOUT;
    }

    /** Longest run of free granules, up to {@link #CAP}. */
    int longest()
    {
        return longest[longest.length - 1].get(0);
    }

    /** The lowest run of {@code length} free granules, or -1. */
    long find(final int length)
    {
        if (longest() < length)
        {
            return -1;
        }
        int node = 0;
        for (int level = first.length - 1; level > 0; level--)
        {
            final int below = level - 1;
            final long span = span(below);
            final IntChunks heads = first[below];
            final int end = Math.min(node * FANOUT + FANOUT, heads.count());
            long run = 0;
            int next = -1;
            for (int child = node * FANOUT; child < end; child++)
            {
                final int head = heads.get(child);
                if (run + head >= length)
                {
                    return child * span - run;
                }
                if (longest[below].get(child) >= length)
                {
                    next = child;
                    break;
                }
                run = head == span ? run + span : last[below].get(child);
            }
            node = next;
        }
        return bits.find(node, length);
    }

    /** Tells that granules from {@code start} to before {@code end} were taken or freed. */
    void changed(final long start, final long end)
    {
        measure(start, end, false);
    }

    /** @param isAll whether nodes above those that do not change are looked at, too: some may be new. */
    private void measure(final long start, final long end, final boolean isAll)
    {
        int from = (int)(start / BitRuns.STRETCH);
        int to = (int)((end - 1) / BitRuns.STRETCH);
        boolean changed = false;
        for (int node = from; node <= to; node++)
        {
            bits.measure(node);
            changed |= put(0, node, bits.first(), bits.longest(), bits.last());
        }
        for (int level = 1; (changed || isAll) && level < first.length; level++)
        {
            from /= FANOUT;
            to /= FANOUT;
            changed = false;
            for (int node = from; node <= to; node++)
            {
                changed |= join(level, node);
            }
        }
    }

    private boolean join(final int level, final int node)
    {
        final int below = level - 1;
        final long span = span(below);
        final int begin = node * FANOUT;
        final int count = Math.min(FANOUT, first[below].count() - begin);
        // Chunks have a multiple of so many.
        final int[] heads = first[below].chunk(begin);
        final int[] bests = longest[below].chunk(begin);
        final int[] tails = last[below].chunk(begin);
        final int place = IntChunks.place(begin);
        long start = 0;
        long best = 0;
        long run = 0;
        boolean whole = true;
        for (int child = place; child < place + count; child++)
        {
            final int head = heads[child];
            best = Math.max(best, Math.max(run + head, bests[child]));
            if (whole)
            {
                start += head;
            }
            final boolean free = head == Math.min(span, CAP);
            run = free ? run + span : tails[child];
            whole &= free;
        }
        return put(level, node, cap(start), cap(best), cap(run));
    }

    private boolean put(final int level, final int node, final int head, final int best, final int tail)
    {
        final IntChunks heads = first[level];
        final IntChunks bests = longest[level];
        final IntChunks tails = last[level];
        if (heads.get(node) == head && bests.get(node) == best && tails.get(node) == tail)
        {
            return false;
        }
        heads.set(node, head);
        bests.set(node, best);
        tails.set(node, tail);
        return true;
    }

    private static long span(final int level)
    {
        return (long)BitRuns.STRETCH << 3 * level;
    }

    private static int cap(final long run)
    {
        return (int)Math.min(run, CAP);
    }
}
