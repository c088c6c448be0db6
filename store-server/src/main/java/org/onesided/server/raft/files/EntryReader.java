package org.onesided.server.raft.files;

import java.io.IOException;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.onesided.server.log.EntryDescriptor;

/**
 * Reads entries as Ratis writes them into a segment:
 *
 * <pre>
 *  +------------------+----------------------------+------------------+
 *  | length, a varint | LogEntryProto              | CRC-32C, 4 bytes |
 *  +------------------+----------------------------+------------------+
 * </pre>
 *
 * <p>The checksum covers the length too, and is big-endian. Zeros follow the last entry of an open segment.
 */
final class EntryReader
{
    static final int CHECKSUM_LENGTH = Integer.BYTES;
    /** Longest LogEntryProto that is written. */
    static final int MOST_LENGTH = 1 << 20;
    /** Bytes of the longest varint that is a length. */
    static final int MOST_LENGTH_BYTES = 3;

    private static final int PAYLOAD_BITS = 7;
    private static final int PAYLOAD_MASK = 0x7f;
    private static final int MORE = 0x80;

    private final byte[] data;
    private final int limit;
    private final CRC32C crc = new CRC32C();
    private int varintLength;

    /**
     * @param data  of a segment.
     * @param limit end of the data.
     */
    EntryReader(final byte[] data, final int limit)
    {
        this.data = data;
        this.limit = limit;
    }

    /** Length of the LogEntryProto at an offset, or -1 if there is none that fits. Sets the length of that length. */
    int length(final int offset)
    {
        int value = 0;
        for (int i = 0; i < MOST_LENGTH_BYTES && offset + i < limit; i++)
        {
            final int b = data[offset + i];
            value |= (b & PAYLOAD_MASK) << (PAYLOAD_BITS * i);
            if ((b & MORE) == 0)
            {
                varintLength = i + 1;
                // A longer encoding of the same number is none that Ratis writes.
                final boolean isShortest = i == 0 || b != 0;
                return isShortest && value > 0 && value <= MOST_LENGTH ? value : -1;
            }
        }
        return -1;
    }

    /** Length of the length that was read last. */
    int varintLength()
    {
        return varintLength;
    }

    /** End of the entry at an offset, checksum included, or -1 if it is not whole or its checksum differs. */
    int endOfWhole(final int offset)
    {
        final int length = length(offset);
        if (length < 0 || (long)offset + varintLength + length + CHECKSUM_LENGTH > limit)
        {
            return -1;
        }
        final int end = offset + varintLength + length;
        return checksum(offset, end) == storedChecksum(end) ? end + CHECKSUM_LENGTH : -1;
    }

    int checksum(final int offset, final int end)
    {
        crc.reset();
        crc.update(data, offset, end - offset);
        return (int)crc.getValue();
    }

    int storedChecksum(final int offset)
    {
        return (data[offset] & 0xff) << 24 | (data[offset + 1] & 0xff) << 16 | (data[offset + 2] & 0xff) << 8 |
            data[offset + 3] & 0xff;
    }

    /** The entry at an offset whose checksum is right, or null if it cannot be parsed. */
    LogEntryProto parse(final int offset)
    {
        final int length = length(offset);
        try
        {
            return LogEntryProto.parseFrom(CodedInputStream.newInstance(data, offset + varintLength, length));
        }
        catch (final IOException e)
        {
            return null;
        }
    }

    /** What an entry of ours says was on the disk before it; -1 for an entry of Ratis. */
    static long durableIndex(final LogEntryProto entry)
    {
        if (!entry.hasStateMachineLogEntry())
        {
            return -1;
        }
        final ByteString bytes = entry.getStateMachineLogEntry().getLogData();
        final byte[] header = bytes.substring(0, Math.min(bytes.size(), EntryDescriptor.HEADER_LENGTH)).toByteArray();
        final UnsafeBuffer buffer = new UnsafeBuffer(header);
        return EntryDescriptor.isReadable(buffer, 0, header.length) ? EntryDescriptor.durableIndex(buffer, 0) : -1;
    }
}
