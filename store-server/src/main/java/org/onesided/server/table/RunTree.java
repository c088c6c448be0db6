package org.onesided.server.table;

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
    private final int[][] first;
    private final int[][] longest;
    private final int[][] last;

    RunTree(final BitRuns bits)
    {
        this.bits = bits;
        int levels = 1;
        for (int count = bits.stretchCount(); count > 1; count = parents(count))
        {
            levels++;
        }
        first = new int[levels][];
        longest = new int[levels][];
        last = new int[levels][];
        int count = bits.stretchCount();
        for (int level = 0; level < levels; level++)
        {
            first[level] = new int[count];
            longest[level] = new int[count];
            last[level] = new int[count];
            count = parents(count);
        }
        changed(0, (long)bits.stretchCount() * BitRuns.STRETCH);
    }

    private static int parents(final int count)
    {
        return (count + FANOUT - 1) / FANOUT;
    }

    /** Longest run of free granules, up to {@link #CAP}. */
    int longest()
    {
        return longest[longest.length - 1][0];
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
            final int end = Math.min(node * FANOUT + FANOUT, first[below].length);
            long run = 0;
            int next = -1;
            for (int child = node * FANOUT; child < end; child++)
            {
                if (run + first[below][child] >= length)
                {
                    return child * span - run;
                }
                if (longest[below][child] >= length)
                {
                    next = child;
                    break;
                }
                run = first[below][child] == span ? run + span : last[below][child];
            }
            node = next;
        }
        return bits.find(node, length);
    }

    /** Tells that granules from {@code start} to before {@code end} were taken or freed. */
    void changed(final long start, final long end)
    {
        int from = (int)(start / BitRuns.STRETCH);
        int to = (int)((end - 1) / BitRuns.STRETCH);
        boolean changed = false;
        for (int node = from; node <= to; node++)
        {
            bits.measure(node);
            changed |= put(0, node, bits.first(), bits.longest(), bits.last());
        }
        for (int level = 1; changed && level < first.length; level++)
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
        final int end = Math.min(begin + FANOUT, first[below].length);
        long start = 0;
        long best = 0;
        long run = 0;
        boolean whole = true;
        for (int child = begin; child < end; child++)
        {
            final int head = first[below][child];
            best = Math.max(best, Math.max(run + head, longest[below][child]));
            if (whole)
            {
                start += head;
            }
            final boolean free = head == Math.min(span, CAP);
            run = free ? run + span : last[below][child];
            whole &= free;
        }
        return put(level, node, cap(start), cap(best), cap(run));
    }

    private boolean put(final int level, final int node, final int head, final int best, final int tail)
    {
        if (first[level][node] == head && longest[level][node] == best && last[level][node] == tail)
        {
            return false;
        }
        first[level][node] = head;
        longest[level][node] = best;
        last[level][node] = tail;
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
