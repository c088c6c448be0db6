package org.onesided.verbs.shm;

import org.agrona.UnsafeApi;
import org.onesided.verbs.soft.MemoryCopy;

/**
 * The end of a ring that puts frames in. It never writes outside the ring, whatever the other end writes.
 */
final class RingWriter
{
    private final long ring;
    private final long length;
    private final long producedAddress;
    private final long consumedAddress;
    private long produced;

    RingWriter(final long ring, final long length, final long producedAddress, final long consumedAddress)
    {
        this.ring = ring;
        this.length = length;
        this.producedAddress = producedAddress;
        this.consumedAddress = consumedAddress;
    }

    /**
     * @return bytes that are free; less than 0 if the other end does not keep to the rules.
     */
    long room()
    {
        final long used = produced - UnsafeApi.getLongVolatile(null, consumedAddress);
        return used < 0 || used > length ? -1 : length - used;
    }

    long position()
    {
        return produced;
    }

    /**
     * Writes a header at the position.
     */
    void header(
        final int payloadLength, final int flags, final int immediate, final int total, final long sharedPosition)
    {
        final long frame = ring + (produced & length - 1);
        UnsafeApi.putInt(frame + FrameDescriptor.LENGTH_OFFSET, payloadLength);
        UnsafeApi.putInt(frame + FrameDescriptor.FLAGS_OFFSET, flags);
        UnsafeApi.putInt(frame + FrameDescriptor.IMMEDIATE_OFFSET, immediate);
        UnsafeApi.putInt(frame + FrameDescriptor.TOTAL_OFFSET, total);
        UnsafeApi.putLong(frame + FrameDescriptor.SHARED_POSITION_OFFSET, sharedPosition);
    }

    /**
     * Copies payload to an offset behind the position.
     */
    void payload(final long offset, final long source, final long payloadLength)
    {
        final long index = produced + FrameDescriptor.HEADER_LENGTH + offset & length - 1;
        final long first = Math.min(payloadLength, length - index);
        MemoryCopy.write(source, ring + index, first);
        if (first < payloadLength)
        {
            MemoryCopy.write(source + first, ring, payloadLength - first);
        }
    }

    /**
     * Shows the frame at the position to the other end.
     */
    void commit(final int payloadLength)
    {
        produced += FrameDescriptor.alignedLength(payloadLength);
        UnsafeApi.putLongRelease(null, producedAddress, produced);
    }
}
