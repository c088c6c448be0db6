package org.onesided.verbs.tcp;

import static org.onesided.verbs.tcp.FrameDescriptor.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;
import org.agrona.UnsafeApi;

/**
 * Frames on their way to a socket: built one behind the other, written many at a time. The checksum is taken of this
 * copy, so that it fits whatever happens to the memory the bytes came from. Not thread-safe.
 */
final class FrameWriter
{
    private final StagingPool pool;
    private final CRC32C crc = new CRC32C();
    private StagingBuffer buffer;
    private int head;
    private int tail;
    private long staged;
    private long written;

    FrameWriter(final StagingPool pool)
    {
        this.pool = pool;
    }

    /**
     * @return whether all was written.
     */
    boolean isEmpty()
    {
        return buffer == null;
    }

    /**
     * @return whether a frame with a ULPDU of that length can be built now.
     */
    boolean hasRoom(final int ulpduLength)
    {
        return buffer == null || StagingBuffer.CAPACITY - tail >= frameLength(ulpduLength) || compact(ulpduLength);
    }

    /**
     * Begins a frame, for which there must be room.
     *
     * @return address of its ULPDU.
     */
    long begin()
    {
        if (buffer == null)
        {
            buffer = pool.take();
            head = 0;
            tail = 0;
        }
        return buffer.address() + tail + ULPDU_OFFSET;
    }

    /**
     * Ends the frame begun last.
     */
    void end(final int ulpduLength)
    {
        final long frame = buffer.address() + tail;
        Wire.putShort(frame + LENGTH_OFFSET, ulpduLength);
        final int length = crcOffset(ulpduLength);
        for (int i = ULPDU_OFFSET + ulpduLength; i < length; i++)
        {
            UnsafeApi.putByte(frame + i, (byte)0);
        }
        Wire.putCrc(frame + length, crc32c(crc, buffer.view(), tail, length));
        tail += length + CRC_LENGTH;
        staged += length + CRC_LENGTH;
    }

    /**
     * Writes as much as the socket takes.
     *
     * @return whether all was written.
     * @throws IOException if the connection is lost.
     */
    boolean flush(final WritableByteChannel socket) throws IOException
    {
        if (buffer == null)
        {
            return true;
        }
        final ByteBuffer bytes = buffer.bytes();
        bytes.limit(tail).position(head);
        written += socket.write(bytes);
        head = bytes.position();
        if (head != tail)
        {
            return false;
        }
        close();
        return true;
    }

    /**
     * @return bytes of all frames built so far.
     */
    long staged()
    {
        return staged;
    }

    /**
     * @return bytes that the socket has taken so far.
     */
    long written()
    {
        return written;
    }

    /**
     * Drops what was not written.
     */
    void close()
    {
        if (buffer != null)
        {
            pool.giveBack(buffer);
            buffer = null;
        }
    }

    static int crc32c(final CRC32C crc, final ByteBuffer view, final int offset, final int length)
    {
        view.limit(offset + length).position(offset);
        crc.reset();
        crc.update(view);
        return (int)crc.getValue();
    }

    private boolean compact(final int ulpduLength)
    {
        final int length = tail - head;
        if (StagingBuffer.CAPACITY - length < frameLength(ulpduLength) || head < StagingBuffer.CAPACITY / 2)
        {
            return false;
        }
        UnsafeApi.copyMemory(buffer.address() + head, buffer.address(), length);
        head = 0;
        tail = length;
        return true;
    }
}
