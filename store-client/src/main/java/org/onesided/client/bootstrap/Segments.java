package org.onesided.client.bootstrap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The registered memory that holds the table, as far as it is known, in table offsets. It grows as entries of the
 * server's directory become known, and is forgotten when some of it is removed. Segments of one region that adjoin are
 * one here: then lookups find theirs at once, and the device the region. Not thread-safe.
 */
public final class Segments
{
    /** {@link #directory}: the server has announced all segments. */
    public static final long NO_DIRECTORY = 0;

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

        boolean covers(final long offset, final long rangeLength)
        {
            return offset >= tableOffset && rangeLength >= 0 && offset - tableOffset <= length - rangeLength;
        }

        /** Whether another segment is a part of this one. */
        boolean contains(final Segment other)
        {
            return covers(other.tableOffset) && covers(other.end() - 1) && remoteKey == other.remoteKey &&
                address - tableOffset == other.address - other.tableOffset;
        }

        /** Whether the next segment goes on where this one ends, in the table and at the server. */
        boolean adjoins(final Segment next)
        {
            return end() == next.tableOffset && remoteKey == next.remoteKey && address + length == next.address;
        }

        /**
         * @return the table offset behind its last byte.
         */
        public long end()
        {
            return tableOffset + length;
        }
    }

    private final long directory;
    /** Known from the start. */
    private final List<Segment> first;
    /** By table offset. */
    private Segment[] segments;
    /** Where each begins. */
    private long[] starts;
    /** Found last: a range is looked up twice as a rule. */
    private Segment last;
    private long learned;
    private long generation;

    /**
     * Segments that are all there are.
     *
     * @param segments in any order.
     * @throws IllegalArgumentException if they overlap.
     */
    public Segments(final List<Segment> segments)
    {
        this(segments, NO_DIRECTORY);
    }

    /**
     * @param segments  in any order; if there is a directory, it is in one of them.
     * @param directory table offset of the directory, which names these segments and others, or {@link #NO_DIRECTORY}.
     * @throws IllegalArgumentException if they overlap.
     */
    public Segments(final List<Segment> segments, final long directory)
    {
        this.directory = directory;
        first = List.copyOf(segments);
        begin();
    }

    private void begin()
    {
        segments = new Segment[0];
        starts = new long[0];
        add(first);
    }

    /**
     * @return table offset of the directory, or {@link #NO_DIRECTORY}.
     */
    public long directory()
    {
        return directory;
    }

    /**
     * @return entries of the directory that are known.
     */
    public long learned()
    {
        return learned;
    }

    /**
     * @return generation of the directory that the known entries are of.
     */
    public long generation()
    {
        return generation;
    }

    /** Forgets all entries of the directory: segments are about to be removed. */
    public void forget()
    {
        begin();
        learned = 0;
    }

    /**
     * Begins anew with the directory, as entries of it were written anew. What is known stays known: a segment is not
     * removed before it was {@linkplain #forget forgotten}.
     *
     * @param newGeneration of the directory.
     */
    public void learnAnew(final long newGeneration)
    {
        learned = 0;
        generation = newGeneration;
    }

    /**
     * Adds the next entries of the directory.
     *
     * @param entries in their order, from the first that is not known; those known from the start may be among them,
     *                and those of removed segments need not be.
     * @param count   of the directory's entries up to the last of these.
     * @throws IllegalArgumentException if they overlap; then none is added.
     */
    public void learn(final List<Segment> entries, final long count)
    {
        final List<Segment> added = entries.stream().filter((each) -> !isKnown(each)).toList();
        if (!added.isEmpty())
        {
            add(added);
        }
        learned = count;
    }

    private boolean isKnown(final Segment segment)
    {
        final Segment known = at(segment.tableOffset());
        return known != null && known.contains(segment);
    }

    private void add(final List<Segment> added)
    {
        final List<Segment> sorted = Stream.concat(Stream.of(segments), added.stream())
            .sorted(Comparator.comparingLong(Segment::tableOffset))
            .toList();
        final List<Segment> joined = new ArrayList<>();
        for (final Segment next : sorted)
        {
            final Segment before = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (before != null && before.end() > next.tableOffset())
            {
                throw new IllegalArgumentException("segments overlap: tableOffset=" + next.tableOffset());
            }
            if (before != null && before.adjoins(next))
            {
                joined.set(joined.size() - 1, new Segment(
                    before.tableOffset(), before.length() + next.length(), before.address(), before.remoteKey()));
            }
            else
            {
                joined.add(next);
            }
        }
        segments = joined.toArray(Segment[]::new);
        starts = joined.stream().mapToLong(Segment::tableOffset).toArray();
        last = joined.isEmpty() ? null : joined.get(0);
    }

    /**
     * @param tableOffset of a byte.
     * @return the segment that it lies in, or null.
     */
    public Segment at(final long tableOffset)
    {
        final Segment known = last;
        return known != null && known.covers(tableOffset) ? known : find(tableOffset);
    }

    private Segment find(final long tableOffset)
    {
        int low = 0;
        int count = starts.length;
        while (count > 1)
        {
            final int half = count >>> 1;
            low = starts[low + half] <= tableOffset ? low + half : low;
            count -= half;
        }
        if (count == 0 || !segments[low].covers(tableOffset))
        {
            return null;
        }
        last = segments[low];
        return last;
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
        final Segment known = at(tableOffset);
        return known != null && known.covers(tableOffset, length) || containsByParts(tableOffset, length);
    }

    private boolean containsByParts(final long tableOffset, final long length)
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
