package org.onesided.verbs.tcp;

import static org.onesided.verbs.tcp.FrameDescriptor.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;
import org.agrona.UnsafeApi;

/**
 * Frames as they come from a socket: many with one read, taken out one by one. Not thread-safe.
 */
final class FrameReader
{
    /** What {@link #next} returns if the frame has not come whole yet. */
    static final int INCOMPLETE = -1;
    /** What {@link #next} returns if the frame's checksum is wrong. */
    static final int BAD_CRC = -2;

    private final StagingPool pool;
    private final CRC32C crc = new CRC32C();
    private StagingBuffer buffer;
    private int head;
    private int tail;

    FrameReader(final StagingPool pool)
    {
        this.pool = pool;
    }

    /**
     * Reads once.
     *
     * @return bytes that came, or -1 at the end of the stream.
     * @throws IOException if the connection is lost.
     */
    int fill(final ReadableByteChannel socket) throws IOException
    {
        if (buffer == null)
        {
            buffer = pool.take();
            head = 0;
            tail = 0;
        }
        else if (StagingBuffer.CAPACITY - tail < MAX_LENGTH)
        {
            final int length = tail - head;
            UnsafeApi.copyMemory(buffer.address() + head, buffer.address(), length);
            head = 0;
            tail = length;
        }
        final ByteBuffer bytes = buffer.bytes();
        bytes.limit(StagingBuffer.CAPACITY).position(tail);
        final int count = socket.read(bytes);
        tail = bytes.position();
        if (count <= 0)
        {
            release();
        }
        return count;
    }

    /**
     * @return whether the last read took all there was room for, so that there may be more.
     */
    boolean wasFilled()
    {
        return buffer != null && tail == StagingBuffer.CAPACITY;
    }

    /**
     * Looks at the oldest frame, whose checksum is looked at before anything in it.
     *
     * @return length of its ULPDU, {@link #INCOMPLETE} or {@link #BAD_CRC}.
     */
    int next()
    {
        final int available = tail - head;
        if (buffer == null || available < ULPDU_OFFSET)
        {
            return INCOMPLETE;
        }
        final long frame = buffer.address() + head;
        final int ulpduLength = Wire.getShort(frame + LENGTH_OFFSET);
        if (available < frameLength(ulpduLength))
        {
            return INCOMPLETE;
        }
        final int length = crcOffset(ulpduLength);
        final int sent = Wire.getCrc(frame + length);
        return FrameWriter.crc32c(crc, buffer.view(), head, length) == sent ? ulpduLength : BAD_CRC;
    }

    /**
     * @return address of the ULPDU of the oldest frame.
     */
    long ulpdu()
    {
        return buffer.address() + head + ULPDU_OFFSET;
    }

    /**
     * Is done with the oldest frame.
     */
    void consume(final int ulpduLength)
    {
        head += frameLength(ulpduLength);
    }

    /**
     * Gives the memory back if nothing is in it.
     */
    void release()
    {
        if (head == tail)
        {
            close();
        }
    }

    /**
     * Drops what was not taken out.
     */
    void close()
    {
        if (buffer != null)
        {
            pool.giveBack(buffer);
            buffer = null;
        }
    }
}
