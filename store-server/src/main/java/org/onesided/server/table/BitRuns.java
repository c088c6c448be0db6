package org.onesided.server.table;

import java.util.Arrays;

/**
 * A bitmap of granules, a set bit for a taken one, cut into stretches of 512 granules (16 KiB of heap) whose runs of
 * free granules it can measure.
 */
final class BitRuns
{
    /** Granules of a stretch. */
    static final int STRETCH = 512;

    private static final int WORDS = STRETCH / Long.SIZE;

    private final long[] words;
    private int first;
    private int longest;
    private int last;

    /** All granules beyond {@code granules} count as taken, for ever. */
    BitRuns(final long granules)
    {
        final long stretches = (granules + STRETCH - 1) / STRETCH;
        words = new long[Math.toIntExact(stretches * WORDS)];
        fill(granules, stretches * STRETCH, true);
    }

    int stretchCount()
    {
        return words.length / WORDS;
    }

    boolean isTaken(final long granule)
    {
        return (words[(int)(granule >>> 6)] & 1L << granule) != 0;
    }

    /** Takes or frees the granules from {@code start} to before {@code end}. */
    void fill(final long start, final long end, final boolean taken)
    {
        if (start >= end)
        {
            return;
        }
        final int from = (int)(start >>> 6);
        final int to = (int)(end - 1 >>> 6);
        final long head = -1L << start;
        final long tail = -1L >>> -end;
        if (from == to)
        {
            fillWord(from, head & tail, taken);
        }
        else
        {
            fillWord(from, head, taken);
            Arrays.fill(words, from + 1, to, taken ? -1L : 0);
            fillWord(to, tail, taken);
        }
    }

    private void fillWord(final int index, final long mask, final boolean taken)
    {
        words[index] = taken ? words[index] | mask : words[index] & ~mask;
    }

    /** The first granule at or after {@code from} that is taken, or is free, or {@code end}. */
    long next(final long from, final long end, final boolean taken)
    {
        if (from >= end)
        {
            return end;
        }
        final long invert = taken ? 0 : -1L;
        final int to = (int)(end - 1 >>> 6);
        int index = (int)(from >>> 6);
        long word = (words[index] ^ invert) & -1L << from;
        while (word == 0 && index < to)
        {
            index++;
            word = words[index] ^ invert;
        }
        return word == 0 ? end : Math.min(end, ((long)index << 6) + Long.numberOfTrailingZeros(word));
    }

    /** The lowest run of {@code length} free granules within one stretch, or -1. */
    long find(final int stretch, final int length)
    {
        final long end = (long)(stretch + 1) * STRETCH;
        long from = next((long)stretch * STRETCH, end, false);
        while (from < end)
        {
            final long to = next(from, end, true);
            if (to - from >= length)
            {
                return from;
            }
            from = next(to, end, false);
        }
        return -1;
    }

    /** Measures the runs of a stretch; {@link #first}, {@link #longest} and {@link #last} say them. */
    void measure(final int stretch)
    {
        final int base = stretch * WORDS;
        int run = 0;
        int best = 0;
        first = -1;
        for (int i = base; i < base + WORDS; i++)
        {
            final long word = words[i];
            if (word == 0)
            {
                run += Long.SIZE;
                continue;
            }
            run += Long.numberOfTrailingZeros(word);
            if (first < 0)
            {
                first = run;
            }
            best = Math.max(best, run);
            run = Long.numberOfLeadingZeros(word);
            best = Math.max(best, longestRun(~word, best));
        }
        first = first < 0 ? run : first;
        longest = Math.max(best, run);
        last = run;
    }

    /** Longest run of ones in a word, if it is longer than {@code known}; else something no longer than that. */
    private static int longestRun(final long ones, final int known)
    {
        long word = ones;
        int length = 0;
        while (word != 0)
        {
            word &= word << 1;
            length++;
        }
        return Math.max(length, known);
    }

    int first()
    {
        return first;
    }

    int longest()
    {
        return longest;
    }

    int last()
    {
        return last;
    }
}
