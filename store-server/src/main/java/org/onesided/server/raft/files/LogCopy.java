package org.onesided.server.raft.files;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;

/**
 * Copies the log of a group's member as that of a group of one. Indexes, terms and the shard's own entries stay. Those
 * of Ratis that say who the members are name that one only, so it is a majority, and all entries count as committed.
 */
public final class LogCopy
{
    private static final RaftConfigurationProto ALONE = RaftConfigurationProto.newBuilder()
        .addPeers(RaftPeer.newBuilder().setId(LogFiles.MEMBER).build().getRaftPeerProto()).build();

    private LogCopy()
    {
    }

    /**
     * Writes the copy, which is on the disk when this returns. What a crash has left unfinished is not in it.
     *
     * @param report        of the log, which nobody has changed since.
     * @param snapshotTerm  of the last entry in the snapshot that the log continues, or 0 without one.
     * @param snapshotIndex of that entry, or -1 without one. Segments that end before are left out.
     * @param directory     of the copy, which is there, and empty.
     * @throws LogDamageException if the log is not as the report says.
     * @throws IOException        if a file cannot be read or written.
     */
    public static void write(
        final LogReport report, final long snapshotTerm, final long snapshotIndex, final Path directory)
        throws IOException
    {
        final Path current = Files.createDirectory(directory.resolve(LogFiles.CURRENT));
        final List<LogReport.SegmentReport> segments = report.segments();
        for (int i = 0; i < segments.size(); i++)
        {
            final LogReport.SegmentReport segment = segments.get(i);
            if (segment.lastIndex() > snapshotIndex)
            {
                final boolean isOpen = segment.isOpen() && i == segments.size() - 1;
                final Path file = current.resolve(isOpen ? "log_inprogress_" + segment.firstIndex() :
                    "log_" + segment.firstIndex() + "-" + segment.lastIndex());
                copy(segment, file);
                SyncedFiles.force(file);
            }
        }
        // Forces the names of the segments, too.
        RaftMeta.write(current, Math.max(report.lastTerm(), snapshotTerm));
        SyncedFiles.force(directory);
    }

    private static void copy(final LogReport.SegmentReport segment, final Path file) throws IOException
    {
        final byte[] data = Files.readAllBytes(segment.file());
        final EntryReader reader = new EntryReader(data, (int)Math.min(data.length, segment.bytes()));
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file)))
        {
            out.write(data, 0, Segment.HEADER_LENGTH);
            int at = Segment.HEADER_LENGTH;
            for (long index = segment.firstIndex(); index <= segment.lastIndex(); index++)
            {
                final int end = reader.endOfWhole(at);
                final LogEntryProto entry = end < 0 ? null : reader.parse(at);
                if (entry == null || entry.getIndex() != index)
                {
                    throw new LogDamageException("a segment of the log has changed while it was copied, stop whoever " +
                        "uses it: file=" + segment.file() + ", offset=" + at + ", index=" + index);
                }
                if (entry.hasConfigurationEntry())
                {
                    write(entry.toBuilder().setConfigurationEntry(ALONE).build(), out);
                }
                else
                {
                    out.write(data, at, end - at);
                }
                at = end;
            }
        }
    }

    /** As {@link EntryReader} reads it. */
    private static void write(final LogEntryProto entry, final OutputStream out) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final CodedOutputStream coded = CodedOutputStream.newInstance(bytes);
        coded.writeUInt32NoTag(entry.getSerializedSize());
        entry.writeTo(coded);
        coded.flush();
        final CRC32C crc = new CRC32C();
        crc.update(bytes.toByteArray());
        bytes.writeTo(out);
        out.write(ByteBuffer.allocate(EntryReader.CHECKSUM_LENGTH).putInt((int)crc.getValue()).array());
    }
}
