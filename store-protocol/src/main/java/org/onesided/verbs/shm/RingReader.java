package org.onesided.verbs.shm;

import org.agrona.UnsafeApi;
import org.onesided.verbs.soft.MemoryCopy;

/**
 * The end of a ring that takes frames out. It never reads outside the ring, whatever the other end writes: it loads
 * each value once and checks it before use.
 */
final class RingReader
{
    private final long ring;
    private final long length;
    private final long producedAddress;
    private final long consumedAddress;
    private long consumed;
    private int payloadLength;
    private int flags;
    private int immediate;
    private int total;
    private long sharedPosition;

    RingReader(final long ring, final long length, final long producedAddress, final long consumedAddress)
    {
        this.ring = ring;
        this.length = length;
        this.producedAddress = producedAddress;
        this.consumedAddress = consumedAddress;
    }

    /**
     * @return whether anything is in the ring.
     */
    boolean hasMore()
    {
        return UnsafeApi.getLongVolatile(null, producedAddress) != consumed;
    }

    /**
     * @return bytes in the ring; less than 0 if the other end does not keep to the rules.
     */
    long available()
    {
        final long used = UnsafeApi.getLongVolatile(null, producedAddress) - consumed;
        return used < 0 || used > length || (used & FrameDescriptor.HEADER_LENGTH - 1) != 0 ? -1 : used;
    }

    /**
     * Fetches the header of the oldest frame.
     *
     * @param available bytes in the ring, more than 0.
     * @return bytes that the frame takes; less than 0 if it is not a valid one.
     */
    long fetch(final long available)
    {
        final long frame = ring + (consumed & length - 1);
        payloadLength = UnsafeApi.getInt(frame + FrameDescriptor.LENGTH_OFFSET);
        flags = UnsafeApi.getInt(frame + FrameDescriptor.FLAGS_OFFSET);
        immediate = UnsafeApi.getInt(frame + FrameDescriptor.IMMEDIATE_OFFSET);
        total = UnsafeApi.getInt(frame + FrameDescriptor.TOTAL_OFFSET);
        sharedPosition = UnsafeApi.getLong(frame + FrameDescriptor.SHARED_POSITION_OFFSET);
        if (payloadLength < 0 || payloadLength > length)
        {
            return -1;
        }
        final long frameLength = FrameDescriptor.alignedLength(payloadLength);
        return frameLength <= available ? frameLength : -1;
    }

    int payloadLength()
    {
        return payloadLength;
    }

    int flags()
    {
        return flags;
    }

    boolean has(final int flag)
    {
        return (flags & flag) != 0;
    }

    int immediate()
    {
        return immediate;
    }

    int total()
    {
        return total;
    }

    long sharedPosition()
    {
        return sharedPosition;
    }

    /**
     * Copies payload of the oldest frame out.
     */
    void payload(final long offset, final long target, final long count)
    {
        final long index = consumed + FrameDescriptor.HEADER_LENGTH + offset & length - 1;
        final long first = Math.min(count, length - index);
        MemoryCopy.read(ring + index, target, first);
        if (first < count)
        {
            MemoryCopy.read(ring, target + first, count - first);
        }
    }

    /**
     * Frees the oldest frame.
     */
    void release(final long frameLength)
    {
        consumed += frameLength;
        UnsafeApi.putLongRelease(null, consumedAddress, consumed);
    }
}
