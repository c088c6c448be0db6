package org.onesided.verbs.tcp;

import static org.onesided.verbs.tcp.FrameDescriptor.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * Frames on their way to a socket: built one after the other, many per write. The checksum is computed over this copy,
 * so that it is correct even if the source memory changes. Bytes that a socket does not accept wait outside the staging
 * buffer while buffers are scarce, and no frame is built meanwhile. Not thread-safe.
 */
final class FrameWriter
{
    /**
     * Maximum bytes per write of waiting bytes, because Java copies them to direct memory and caches that per thread.
     */
    private static final int PIECE = 64 * 1024;

    private final StagingPool pool;
    private final CRC32C crc = new CRC32C();
    private StagingBuffer buffer;
    private int head;
    private int tail;
    /** Bytes that wait for the socket, or null. */
    private ByteBuffer waiting;
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
        return buffer == null && waiting == null;
    }

    /**
     * Moves what is there, if need be.
     *
     * @return whether a frame with a ULPDU of that length can be built now.
     */
    boolean makeRoom(final int ulpduLength)
    {
        return waiting == null &&
            (buffer == null || StagingBuffer.CAPACITY - tail >= frameLength(ulpduLength) || compact(ulpduLength));
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
        if (waiting != null)
        {
            return flushWaiting(socket);
        }
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
            setAside();
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
        if (waiting != null)
        {
            pool.forget(waiting.capacity());
            waiting = null;
        }
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

    private void setAside()
    {
        final byte[] aside = pool.setAside(tail - head);
        if (aside != null)
        {
            UnsafeApi.copyMemory(null, buffer.address() + head, aside, BufferUtil.ARRAY_BASE_OFFSET, aside.length);
            close();
            waiting = ByteBuffer.wrap(aside);
        }
    }

    private boolean flushWaiting(final WritableByteChannel socket) throws IOException
    {
        while (waiting.position() != waiting.capacity())
        {
            waiting.limit(Math.min(waiting.capacity(), waiting.position() + PIECE));
            written += socket.write(waiting);
            if (waiting.hasRemaining())
            {
                return false;
            }
        }
        close();
        return true;
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
