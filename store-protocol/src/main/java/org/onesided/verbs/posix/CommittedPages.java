package org.onesided.verbs.posix;

import java.util.Map;
import java.util.TreeMap;
import org.onesided.verbs.MemoryRange;

/**
 * Which pages of a {@link org.onesided.verbs.GrowableMemory} exist. Pieces that touch are kept as one, so memory that
 * grows at the ends of a few parts takes a few entries. Thread-safe.
 */
public final class CommittedPages
{
    /** Makes pages exist. */
    public interface Maker
    {
        /**
         * @param pages as offsets from the start of the memory; none of them exists.
         */
        void make(MemoryRange pages);
    }

    /** Ends by starts; no two touch. */
    private final TreeMap<Long, Long> pieces = new TreeMap<>();
    private long bytes;

    /**
     * No pages.
     */
    public CommittedPages()
    {
    }

    /**
     * Makes those pages of a piece that do not exist; if that fails, those before stay.
     *
     * @param offset   of the piece.
     * @param length   of the piece in bytes.
     * @param unit     length of a page in bytes.
     * @param capacity end of the last page.
     * @param maker    of the pages.
     */
    public synchronized void commit(
        final long offset, final long length, final long unit, final long capacity, final Maker maker)
    {
        final long end = Math.min(capacity, -Math.floorDiv(-offset - length, unit) * unit);
        long start = offset / unit * unit;
        while (start < end)
        {
            final Map.Entry<Long, Long> below = pieces.floorEntry(start);
            if (below != null && below.getValue() > start)
            {
                start = below.getValue();
                continue;
            }
            final Long above = pieces.higherKey(start);
            final long gapEnd = above == null ? end : Math.min(end, above);
            maker.make(new MemoryRange(start, gapEnd - start));
            add(start, gapEnd);
            start = gapEnd;
        }
    }

    /**
     * @return bytes that exist.
     */
    public synchronized long bytes()
    {
        return bytes;
    }

    private void add(final long start, final long end)
    {
        bytes += end - start;
        final Map.Entry<Long, Long> below = pieces.floorEntry(start);
        final long from = below != null && below.getValue() == start ? below.getKey() : start;
        final Long next = pieces.remove(end);
        pieces.put(from, next == null ? end : next);
    }
}
