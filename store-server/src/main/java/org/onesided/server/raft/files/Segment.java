package org.onesided.server.raft.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/**
 * A segment's file, read to the end of its good entries.
 */
final class Segment
{
    static final int HEADER_LENGTH = 8;

    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern CLOSED = Pattern.compile("log_(\\d{1,18})-(\\d{1,18})");
    private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d{1,18})");
    private static final long MOST_BYTES = 1L << 30;

    private final Path file;
    private final long firstIndex;
    private final long namedEnd;
    private byte[] data = {};
    private long lastIndex;
    private long lastTerm;
    private int goodEnd;
    private long entryBytes;
    private boolean isBad;

    private Segment(final Path file, final long firstIndex, final long namedEnd)
    {
        this.file = file;
        this.firstIndex = firstIndex;
        this.namedEnd = namedEnd;
        lastIndex = firstIndex - 1;
    }

    /** The segment in a file, or null if the file's name is not that of one. */
    static Segment of(final Path file)
    {
        final String name = file.getFileName().toString();
        final Matcher closed = CLOSED.matcher(name);
        if (closed.matches())
        {
            return new Segment(file, Long.parseLong(closed.group(1)), Long.parseLong(closed.group(2)));
        }
        final Matcher open = OPEN.matcher(name);
        return open.matches() ? new Segment(file, Long.parseLong(open.group(1)), -1) : null;
    }

    /** Segments of a directory, in the order of their first entries; an open one behind a closed one. */
    static List<Segment> list(final Path directory) throws IOException
    {
        final List<Segment> segments = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                final Segment segment = of(file);
                if (segment != null)
                {
                    segments.add(segment);
                }
            }
        }
        segments.sort(Comparator.comparingLong(Segment::firstIndex).thenComparing(Segment::isOpen));
        return segments;
    }

    /** Reads entries until the end or the first bad one. Counts those that the snapshot does not contain. */
    void read(final long termBefore, final long snapshotIndex) throws IOException
    {
        lastTerm = termBefore;
        if (Files.size(file) > MOST_BYTES)
        {
            throw new LogDamageException("a segment of the log is longer than any that is written; restore the file: " +
                "file=" + file + ", bytes=" + Files.size(file));
        }
        data = Files.readAllBytes(file);
        goodEnd = 0;
        final int headerLength = Math.min(data.length, HEADER_LENGTH);
        if (!Arrays.equals(data, 0, headerLength, HEADER, 0, headerLength))
        {
            isBad = !isZero(0);
            return;
        }
        if (data.length < HEADER_LENGTH)
        {
            return;
        }
        goodEnd = HEADER_LENGTH;
        final EntryReader reader = new EntryReader(data, data.length);
        while (goodEnd < data.length)
        {
            final int end = reader.endOfWhole(goodEnd);
            final LogEntryProto entry = end < 0 ? null : reader.parse(goodEnd);
            if (entry == null || entry.getIndex() != lastIndex + 1 || entry.getTerm() < lastTerm)
            {
                isBad = !isZero(goodEnd);
                return;
            }
            lastIndex++;
            lastTerm = entry.getTerm();
            goodEnd = end;
            entryBytes += lastIndex > snapshotIndex ? entry.getStateMachineLogEntry().getLogData().size() : 0;
        }
    }

    private boolean isZero(final int from)
    {
        for (int i = from; i < data.length; i++)
        {
            if (data[i] != 0)
            {
                return false;
            }
        }
        return true;
    }

    /** Forgets the file's bytes. */
    void release()
    {
        data = new byte[0];
    }

    Path file()
    {
        return file;
    }

    byte[] data()
    {
        return data;
    }

    boolean isOpen()
    {
        return namedEnd < 0;
    }

    long firstIndex()
    {
        return firstIndex;
    }

    /** Last index that the name of a closed segment says. */
    long namedEnd()
    {
        return namedEnd;
    }

    /** Index of the last good entry; one less than the first without entries. */
    long lastIndex()
    {
        return lastIndex;
    }

    long lastTerm()
    {
        return lastTerm;
    }

    /** Where the good entries end: behind the header without entries, and 0 without a header. */
    int goodEnd()
    {
        return goodEnd;
    }

    /** Bytes of the shard's own entries behind the snapshot. */
    long entryBytes()
    {
        return entryBytes;
    }

    /** Whether something that is neither an entry nor zeros follows the good entries. */
    boolean isBad()
    {
        return isBad;
    }

    LogReport.SegmentReport report()
    {
        return new LogReport.SegmentReport(file, firstIndex, lastIndex, goodEnd, isOpen());
    }
}
