package org.onesided.client.session;

import java.util.Comparator;
import java.util.List;

/**
 * The registered memory that holds the table, in table offsets. Immutable.
 */
final class Segments
{
    /**
     * One registered piece.
     *
     * @param tableOffset where it begins in the table.
     * @param length      in bytes.
     * @param address     at the server.
     * @param remoteKey   at the server.
     */
    record Segment(long tableOffset, long length, long address, int remoteKey)
    {
        Segment
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

        long end()
        {
            return tableOffset + length;
        }
    }

    private final Segment[] segments;

    Segments(final List<Segment> segments)
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

    /** The segment that an offset lies in, or null. */
    Segment at(final long tableOffset)
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

    /** Whether all bytes of a range are in segments, which may be several. */
    boolean contains(final long tableOffset, final long length)
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
