package org.onesided.verbs.posix;

import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.VerbsException;

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
         * @return 0 if they are no more, or why the system keeps them: a negative errno.
         */
        int drop(MemoryRange pages);
    }

    private final PageRanges pages = new PageRanges();
    /** Those of them that were released and that the system did not take back. */
    private final PageRanges kept = new PageRanges();

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
        final long first = offset / unit * unit;
        final long end = Math.min(capacity, -Math.floorDiv(-offset - length, unit) * unit);
        long start = pages.end(first);
        while (start < end)
        {
            final long gapEnd = pages.nextStart(start, end);
            maker.make(new MemoryRange(start, gapEnd - start));
            pages.add(start, gapEnd);
            start = pages.end(gapEnd);
        }
        kept.remove(first, end);
    }

    /**
     * Gives those pages back that exist and are whole within a piece.
     *
     * @param offset  of the piece.
     * @param length  of the piece in bytes.
     * @param unit    length of a page in bytes.
     * @param dropper of the pages.
     * @throws VerbsException if the system keeps some of them, after all were tried.
     */
    public synchronized void release(final long offset, final long length, final long unit, final Dropper dropper)
    {
        final long start = -Math.floorDiv(-offset, unit) * unit;
        int errno = 0;
        MemoryRange piece = pages.last(start, (offset + length) / unit * unit);
        while (piece != null)
        {
            final long end = piece.address() + piece.length();
            kept.remove(piece.address(), end);
            final int result = dropper.drop(piece);
            if (result == 0)
            {
                pages.remove(piece.address(), end);
            }
            else
            {
                kept.add(piece.address(), end);
                errno = -result;
            }
            piece = pages.last(start, piece.address());
        }
        if (errno != 0)
        {
            throw new VerbsException("free", errno, "system does not take memory back: length=" + length +
                " kept=" + kept.bytes());
        }
    }

    /**
     * @return bytes that exist.
     */
    public synchronized long bytes()
    {
        return pages.bytes();
    }

    /**
     * @return bytes of those that the system did not take back.
     */
    public synchronized long kept()
    {
        return kept.bytes();
    }
}
