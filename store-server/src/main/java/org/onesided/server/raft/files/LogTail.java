package org.onesided.server.raft.files;

import java.io.IOException;
import java.nio.file.Files;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.onesided.server.log.EntryDescriptor;

/**
 * The end of a log.
 */
public final class LogTail
{
    private LogTail()
    {
    }

    /**
     * Reads when the shard wrote last.
     *
     * @param report of the log, which nobody has changed since.
     * @return time of the last entry that is the shard's own, in milliseconds since 1970; -1 if there is none.
     * @throws IOException if a file cannot be read.
     */
    public static long timeMs(final LogReport report) throws IOException
    {
        long timeMs = -1;
        for (int i = report.segments().size() - 1; i >= 0 && timeMs < 0; i--)
        {
            final LogReport.SegmentReport segment = report.segments().get(i);
            final byte[] data = Files.readAllBytes(segment.file());
            final EntryReader reader = new EntryReader(data, (int)Math.min(data.length, segment.bytes()));
            int at = Segment.HEADER_LENGTH;
            for (int end = reader.endOfWhole(at); end >= 0; end = reader.endOfWhole(at))
            {
                timeMs = Math.max(timeMs, timeMs(reader.parse(at)));
                at = end;
            }
        }
        return timeMs;
    }

    /** Time of one entry; -1 if it is not the shard's own. */
    private static long timeMs(final LogEntryProto entry)
    {
        if (entry == null || !entry.hasStateMachineLogEntry())
        {
            return -1;
        }
        final byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        return EntryDescriptor.isReadable(buffer, 0, bytes.length) ? EntryDescriptor.timeMs(buffer, 0) : -1;
    }
}
