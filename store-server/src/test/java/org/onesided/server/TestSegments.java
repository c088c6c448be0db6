package org.onesided.server;

import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.protocol.table.SegmentDirectoryDescriptor;

/** What a client knows of the segments of a table. */
final class TestSegments
{
    /** READs a part of the first segment; returns where it is. */
    interface Reader
    {
        long read(long tableOffset, int length);
    }

    record Segment(long start, long length, int key)
    {
        long end()
        {
            return start + length;
        }
    }

    private final long directory;
    private final int firstKey;
    private List<Segment> known;

    TestSegments(final long directory, final long firstLength, final int firstKey)
    {
        this.directory = directory;
        this.firstKey = firstKey;
        known = List.of(new Segment(0, firstLength, firstKey));
    }

    /** The segment of a byte; where there is none, one that the server does not know. */
    Segment at(final long tableOffset, final Reader reader)
    {
        Segment found = find(tableOffset);
        if (found == null)
        {
            learn(reader);
            found = find(tableOffset);
        }
        return found == null ? new Segment(tableOffset, Integer.MAX_VALUE, firstKey) : found;
    }

    List<Segment> all(final Reader reader)
    {
        learn(reader);
        return known;
    }

    private Segment find(final long tableOffset)
    {
        return known.stream()
            .filter((each) -> tableOffset >= each.start && tableOffset < each.end())
            .findFirst().orElse(null);
    }

    private void learn(final Reader reader)
    {
        final long count = UnsafeApi.getLong(reader.read(directory, Long.BYTES));
        final long at = reader.read(directory, (int)SegmentDirectoryDescriptor.length((int)count));
        final List<Segment> all = new ArrayList<>();
        for (long i = 0; i < count; i++)
        {
            final long entry = at + SegmentDirectoryDescriptor.entryOffset(i);
            if (UnsafeApi.getInt(entry + SegmentDirectoryDescriptor.STATE_OFFSET) != SegmentDirectoryDescriptor.PRESENT)
            {
                continue;
            }
            all.add(new Segment(
                UnsafeApi.getLong(entry + SegmentDirectoryDescriptor.TABLE_OFFSET_OFFSET),
                UnsafeApi.getLong(entry + SegmentDirectoryDescriptor.LENGTH_OFFSET),
                UnsafeApi.getInt(entry + SegmentDirectoryDescriptor.REMOTE_KEY_OFFSET)));
        }
        known = List.copyOf(all);
    }
}
