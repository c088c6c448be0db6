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

    /** Gives pages back. */
    public interface Dropper
    {
        /**
         * @param pages as offsets from the start of the memory; all of them exist.
         * @return whether they are no more.
         */
        boolean drop(MemoryRange pages);
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
     * Gives those pages back that exist and are whole within a piece.
     *
     * @param offset  of the piece.
     * @param length  of the piece in bytes.
     * @param unit    length of a page in bytes.
     * @param dropper of the pages.
     */
    public synchronized void release(final long offset, final long length, final long unit, final Dropper dropper)
    {
        final long end = (offset + length) / unit * unit;
        long start = -Math.floorDiv(-offset, unit) * unit;
        while (start < end)
        {
            final Map.Entry<Long, Long> piece = pieces.lowerEntry(end);
            if (piece == null || piece.getValue() <= start)
            {
                return;
            }
            start = releaseOne(Math.max(start, piece.getKey()), Math.min(end, piece.getValue()), piece, dropper) ?
                start : end;
        }
    }

    /**
     * @return bytes that exist.
     */
    public synchronized long bytes()
    {
        return bytes;
    }

    /** Gives a part of a piece back. */
    private boolean releaseOne(
        final long start, final long end, final Map.Entry<Long, Long> piece, final Dropper dropper)
    {
        if (!dropper.drop(new MemoryRange(start, end - start)))
        {
            return false;
        }
        bytes -= end - start;
        pieces.remove(piece.getKey());
        if (piece.getKey() < start)
        {
            pieces.put(piece.getKey(), start);
        }
        if (end < piece.getValue())
        {
            pieces.put(end, piece.getValue());
        }
        return true;
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
