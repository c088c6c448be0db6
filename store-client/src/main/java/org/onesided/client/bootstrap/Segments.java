package org.onesided.client.bootstrap;

import java.util.Comparator;
import java.util.List;

/**
 * The registered memory that holds the table, in table offsets. Immutable.
 */
public final class Segments
{
    /**
     * One registered piece.
     *
     * @param tableOffset where it begins in the table.
     * @param length      in bytes.
     * @param address     at the server.
     * @param remoteKey   at the server.
     */
    public record Segment(long tableOffset, long length, long address, int remoteKey)
    {
        /**
         * @param tableOffset where it begins in the table.
         * @param length      in bytes.
         * @param address     at the server.
         * @param remoteKey   at the server.
         */
        public Segment
        {
            if (tableOffset < 0 || length < 1 || tableOffset + length < 0)
            {
                throw new IllegalArgumentException(
                    "not a segment: tableOffset=" + tableOffset + " length=" + length);
            }
        }

        boolean covers(final long offset)
        {
            return offset >= tableOffset && offset - tableOffset < length;
        }

        /**
         * @return the table offset behind its last byte.
         */
        public long end()
        {
            return tableOffset + length;
        }
    }

    private final Segment[] segments;

    /**
     * @param segments in any order.
     * @throws IllegalArgumentException if they overlap.
     */
    public Segments(final List<Segment> segments)
    {
        this.segments = segments.stream()
            .sorted(Comparator.comparingLong(Segment::tableOffset))
            .toArray(Segment[]::new);
        for (int i = 1; i < this.segments.length; i++)
        {
            if (this.segments[i - 1].end() > this.segments[i].tableOffset())
            {
                throw new IllegalArgumentException("segments overlap: tableOffset=" + this.segments[i].tableOffset());
            }
        }
    }

    /**
     * @param tableOffset of a byte.
     * @return the segment that it lies in, or null.
     */
    public Segment at(final long tableOffset)
    {
        for (final Segment segment : segments)
        {
            if (segment.covers(tableOffset))
            {
                return segment;
            }
        }
        return null;
    }

    /**
     * Tells whether all bytes of a range are in segments, which may be several.
     *
     * @param tableOffset of the first byte.
     * @param length      in bytes.
     * @return whether they are.
     */
    public boolean contains(final long tableOffset, final long length)
    {
        if (tableOffset < 0 || length < 0 || tableOffset + length < 0)
        {
            return false;
        }
        final long end = tableOffset + length;
        long offset = tableOffset;
        while (offset < end)
        {
            final Segment segment = at(offset);
            if (segment == null)
            {
                return false;
            }
            offset = segment.end();
        }
        return true;
    }
}
