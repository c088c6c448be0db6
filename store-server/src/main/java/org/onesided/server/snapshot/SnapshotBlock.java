package org.onesided.server.snapshot;

import static org.onesided.server.snapshot.SnapshotDescriptor.*;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;

/** Memory of a block, which is filled or read by one thread at a time. */
final class SnapshotBlock
{
    private static final int CAPACITY = BLOCK_HEADER_LENGTH + MAX_BODY_LENGTH;
    /** Odd, so that no bit of the checksums before is lost. */
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer idBuffer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private final long address = BufferUtil.address(buffer);
    private int length;

    /** Begins to fill the block. */
    void begin(final int kind)
    {
        buffer.putInt(KIND_OFFSET, kind);
        length = 0;
    }

    /** Bytes that still fit into the body. */
    int room()
    {
        return MAX_BODY_LENGTH - length;
    }

    /** Takes so many bytes of the body; returns their place in the buffer. */
    int take(final int bytes)
    {
        final int at = BLOCK_HEADER_LENGTH + length;
        length += bytes;
        return at;
    }

    ByteBuffer buffer()
    {
        return buffer;
    }

    /** Raw address of a place in the buffer. */
    long address(final int at)
    {
        return address + at;
    }

    /** Length of the body. */
    int length()
    {
        return length;
    }

    int kind()
    {
        return buffer.getInt(KIND_OFFSET);
    }

    int crc()
    {
        return buffer.getInt(CRC_OFFSET);
    }

    /** Completes the block, which is the buffer's rest then. */
    void seal(final long id, final int number)
    {
        buffer.putInt(LENGTH_OFFSET, length);
        buffer.putInt(NUMBER_OFFSET, number);
        buffer.putInt(CRC_OFFSET, computeCrc(id));
        buffer.limit(BLOCK_HEADER_LENGTH + length).position(0);
    }

    /** Takes over what was read into the buffer. */
    void length(final int bodyLength)
    {
        length = bodyLength;
    }

    /** CRC32C of a block's id, header and body. */
    int computeCrc(final long id)
    {
        crc.reset();
        crc.update(idBuffer.putLong(0, id).clear());
        crc.update(buffer.limit(CRC_OFFSET).position(0));
        crc.update(buffer.limit(BLOCK_HEADER_LENGTH + length).position(BLOCK_HEADER_LENGTH));
        buffer.clear();
        return (int)crc.getValue();
    }

    /** The checksum of all blocks up to this one. */
    long addTo(final long checksum)
    {
        return Long.rotateLeft((checksum ^ Integer.toUnsignedLong(crc())) * MULTIPLIER, 31);
    }

    void free()
    {
        BufferUtil.free(buffer);
    }
}
