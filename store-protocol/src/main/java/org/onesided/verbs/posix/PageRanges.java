package org.onesided.verbs.posix;

import java.util.Map;
import java.util.TreeMap;
import org.onesided.verbs.MemoryRange;

/**
 * A set of pages, by their offsets. Those that touch are kept as one. Not thread-safe.
 */
final class PageRanges
{
    /** Ends by starts; no two touch. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();
    private long bytes;

    long bytes()
    {
        return bytes;
    }

    /** Where the pages end that an offset is in, or the offset if it is in none. */
    long end(final long offset)
    {
        final Map.Entry<Long, Long> below = ends.floorEntry(offset);
        return below == null ? offset : Math.max(offset, below.getValue());
    }

    /** Where the next pages begin behind an offset that is in none, or the end. */
    long nextStart(final long offset, final long end)
    {
        final Long above = ends.higherKey(offset);
        return above == null ? end : Math.min(end, above);
    }

    /** The last pages between two offsets, those that touch as one; null if there are none. */
    MemoryRange last(final long start, final long end)
    {
        final Map.Entry<Long, Long> last = ends.lowerEntry(end);
        if (start >= end || last == null || last.getValue() <= start)
        {
            return null;
        }
        final long from = Math.max(start, last.getKey());
        return new MemoryRange(from, Math.min(end, last.getValue()) - from);
    }

    /** Adds pages of which none is there. */
    void add(final long start, final long end)
    {
        bytes += end - start;
        final Map.Entry<Long, Long> below = ends.floorEntry(start);
        final long from = below != null && below.getValue() == start ? below.getKey() : start;
        final Long next = ends.remove(end);
        ends.put(from, next == null ? end : next);
    }

    /** Removes those pages that are there. */
    void remove(final long start, final long end)
    {
        for (MemoryRange last = last(start, end); last != null; last = last(start, last.address()))
        {
            final Map.Entry<Long, Long> whole = ends.floorEntry(last.address());
            final long lastEnd = last.address() + last.length();
            bytes -= last.length();
            ends.remove(whole.getKey());
            if (whole.getKey() < last.address())
            {
                ends.put(whole.getKey(), last.address());
            }
            if (lastEnd < whole.getValue())
            {
                ends.put(lastEnd, whole.getValue());
            }
        }
    }
}
