package org.onesided.verbs.tcp;

import static org.onesided.verbs.tcp.FrameDescriptor.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * Frames from a socket: many per read, taken out one by one. An incomplete frame waits outside the staging buffer if it
 * is short or if buffers are scarce. Not thread-safe.
 */
final class FrameReader
{
    /** Result of {@link #next} for an incomplete frame. */
    static final int INCOMPLETE = -1;
    /** Result of {@link #next} for a frame with a wrong checksum. */
    static final int BAD_CRC = -2;

    /**
     * Up to this length, bytes wait in the connection's own memory: room for the longest frame without data, a READ
     * request, and so for the head of any frame.
     */
    static final int HEAD_LENGTH = 64;

    private final StagingPool pool;
    private final CRC32C crc = new CRC32C();
    private StagingBuffer buffer;
    private int head;
    private int tail;
    private byte[] ownMemory;
    /** Memory for longer frames. */
    private byte[] aside;
    /** One of these two buffers; null if it holds no bytes. */
    private byte[] waiting;
    private int waitingLength;
    private long frames;
    private long framesThen;
    private boolean insideThen;
    private long unfinishedNs;

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
            bringBack();
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
        frames++;
    }

    /**
     * Returns the memory if it is empty or if its bytes can wait elsewhere. No complete frame may be in it.
     */
    void release()
    {
        final int length = buffer == null ? 0 : tail - head;
        if (length <= HEAD_LENGTH)
        {
            forgetAside();
            if (length > 0 && ownMemory == null)
            {
                ownMemory = new byte[HEAD_LENGTH];
            }
            move(ownMemory, length);
            return;
        }
        // Allocate for the whole frame, not anew for every few bytes.
        final int room = Math.max(length, frameLength(Wire.getShort(buffer.address() + head + LENGTH_OFFSET)));
        if (aside != null && aside.length < room)
        {
            forgetAside();
        }
        if (aside == null)
        {
            aside = pool.setAside(room);
        }
        if (aside != null)
        {
            move(aside, length);
        }
    }

    /**
     * Advances the clock of periodic checks.
     *
     * @param passedNs since the last call, in nanoseconds.
     * @return minimum time for which the present frame has been incomplete, in nanoseconds.
     */
    long unfinishedNs(final long passedNs)
    {
        final boolean inside = isInside();
        unfinishedNs = inside && insideThen && frames == framesThen ? unfinishedNs + passedNs : 0;
        insideThen = inside;
        framesThen = frames;
        return unfinishedNs;
    }

    /**
     * @return whether the same frame is unfinished that was so when {@link #unfinishedNs} was called last.
     */
    boolean isStillUnfinished()
    {
        return isInside() && frames == framesThen;
    }

    /**
     * Drops what was not taken out.
     */
    void close()
    {
        waiting = null;
        forgetAside();
        giveBack();
    }

    private boolean isInside()
    {
        return waiting != null || buffer != null && head != tail;
    }

    private void move(final byte[] to, final int length)
    {
        if (length > 0)
        {
            UnsafeApi.copyMemory(null, buffer.address() + head, to, BufferUtil.ARRAY_BASE_OFFSET, length);
            waiting = to;
            waitingLength = length;
        }
        giveBack();
    }

    private void bringBack()
    {
        if (waiting != null)
        {
            UnsafeApi.copyMemory(waiting, BufferUtil.ARRAY_BASE_OFFSET, null, buffer.address(), waitingLength);
            tail = waitingLength;
            waiting = null;
        }
    }

    private void forgetAside()
    {
        if (aside != null)
        {
            pool.forget(aside.length);
            aside = null;
        }
    }

    private void giveBack()
    {
        if (buffer != null)
        {
            pool.giveBack(buffer);
            buffer = null;
        }
    }
}
