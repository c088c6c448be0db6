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

    /** Words of a chunk, a multiple of those of a stretch: chunks are added as the heap grows, and never copied. */
    private static final int CHUNK_SHIFT = 12;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    private static final int CHUNK_MASK = CHUNK - 1;

    private long[][] chunks = new long[1][];
    private int chunkCount;
    private long granules;
    private int first;
    private int longest;
    private int last;

    /** All granules beyond {@code granules} count as taken. */
    BitRuns(final long granules)
    {
        grow(granules);
    }

    /** Adds free granules until there are so many. */
    void grow(final long newGranules)
    {
        final int stretches = stretches(newGranules);
        final int needed = Math.toIntExact((long)stretches * WORDS + CHUNK_MASK >>> CHUNK_SHIFT);
        if (needed > chunks.length)
        {
            chunks = Arrays.copyOf(chunks, Math.max(needed, 2 * chunks.length));
        }
        while (chunkCount < needed)
        {
            chunks[chunkCount++] = new long[CHUNK];
        }
        fill(granules, Math.min(newGranules, (long)stretches(granules) * STRETCH), false);
        granules = newGranules;
        fill(newGranules, (long)stretches * STRETCH, true);
    }

    private static int stretches(final long granules)
    {
        return Math.toIntExact((granules + STRETCH - 1) / STRETCH);
    }

    int stretchCount()
    {
        return stretches(granules);
    }

    private long word(final int index)
    {
        return chunks[index >>> CHUNK_SHIFT][index & CHUNK_MASK];
    }

    boolean isTaken(final long granule)
    {
        return (word((int)(granule >>> 6)) & 1L << granule) != 0;
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
            fillWords(from + 1, to, taken ? -1L : 0);
            fillWord(to, tail, taken);
        }
    }

    private void fillWord(final int index, final long mask, final boolean taken)
    {
        final long[] words = chunks[index >>> CHUNK_SHIFT];
        final int at = index & CHUNK_MASK;
        words[at] = taken ? words[at] | mask : words[at] & ~mask;
    }

    private void fillWords(final int from, final int to, final long word)
    {
        int at = from;
        while (at < to)
        {
            final int end = Math.min(to, (at | CHUNK_MASK) + 1);
            final int start = at & CHUNK_MASK;
            Arrays.fill(chunks[at >>> CHUNK_SHIFT], start, start + end - at, word);
            at = end;
        }
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
        long word = (word(index) ^ invert) & -1L << from;
        while (word == 0 && index < to)
        {
            index++;
            word = word(index) ^ invert;
        }
        return word == 0 ? end : Math.min(end, ((long)index << 6) + Long.numberOfTrailingZeros(word));
    }

    /** How many granules right before {@code end} are free, {@code most} at most. */
    long freeBefore(final long end, final long most)
    {
        final long least = Math.max(0, end - most);
        long at = end;
        long word = 0;
        while (at > least && word == 0)
        {
            final long begin = at - 1 >>> 6 << 6;
            word = word((int)(begin >>> 6)) << -at;
            at = word == 0 ? begin : at - Long.numberOfLeadingZeros(word);
        }
        return end - Math.max(at, least);
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
        final long[] words = chunks[stretch * WORDS >>> CHUNK_SHIFT];
        final int base = stretch * WORDS & CHUNK_MASK;
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
            final int low = Long.numberOfTrailingZeros(word);
            final int high = Long.numberOfLeadingZeros(word);
            run += low;
            if (first < 0)
            {
                first = run;
            }
            best = Math.max(best, run);
            run = high;
            // The runs at both ends of the word are known; usually there is no other.
            best = Math.max(best, longestRun(~word << high >>> high + low, best));
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
