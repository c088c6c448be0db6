package org.onesided.verbs.tcp;

import org.agrona.UnsafeApi;

/**
 * Layout of DDP segments (RFC 5041, 4) with RDMAP's control byte (RFC 5040, 4.1), in network byte order. A tagged one
 * names its place in the peer's memory:
 *
 * <pre>
 *   0         1         2                   6                   14
 *  +---------+---------+-------------------+-------------------+--------
 *  | T L   DV| RV   op | STag              | tagged offset     | payload
 *  +---------+---------+-------------------+-------------------+--------
 * </pre>
 *
 * An untagged one belongs to a message of a queue:
 *
 * <pre>
 *   0         1         2         6         10        14        18
 *  +---------+---------+---------+---------+---------+---------+--------
 *  | T L   DV| RV   op | reserved| queue   | message | offset  | payload
 *  +---------+---------+---------+---------+---------+---------+--------
 * </pre>
 */
final class SegmentDescriptor
{
    /** T, L and DDP's version. */
    static final int DDP_CONTROL_OFFSET = 0;
    /** RDMAP's version and operation. */
    static final int RDMAP_CONTROL_OFFSET = DDP_CONTROL_OFFSET + Byte.BYTES;
    /** Steering tag of a tagged segment. */
    static final int STAG_OFFSET = RDMAP_CONTROL_OFFSET + Byte.BYTES;
    /** Offset of a tagged segment in the buffer of its steering tag. */
    static final int TAGGED_OFFSET_OFFSET = STAG_OFFSET + Integer.BYTES;
    /** Length of a tagged segment's header. */
    static final int TAGGED_LENGTH = TAGGED_OFFSET_OFFSET + Long.BYTES;
    /** Not used by the operations here. */
    static final int RESERVED_OFFSET = RDMAP_CONTROL_OFFSET + Byte.BYTES;
    /** Queue of an untagged segment. */
    static final int QUEUE_OFFSET = RESERVED_OFFSET + Integer.BYTES;
    /** Number of the message in its queue, from 1. */
    static final int MESSAGE_OFFSET = QUEUE_OFFSET + Integer.BYTES;
    /** Offset of an untagged segment in its message. */
    static final int MESSAGE_OFFSET_OFFSET = MESSAGE_OFFSET + Integer.BYTES;
    /** Length of an untagged segment's header. */
    static final int UNTAGGED_LENGTH = MESSAGE_OFFSET_OFFSET + Integer.BYTES;

    /** Length of the longest message in bytes. */
    static final int MAX_MESSAGE_LENGTH = 1 << 30;

    /** In DDP's control: the segment is tagged. */
    static final int TAGGED = 0x80;
    /** In DDP's control: the segment is the last of its message. */
    static final int LAST = 0x40;
    /** DDP's version. */
    static final int DDP_VERSION = 1;
    /** Bits of DDP's version. */
    static final int DDP_VERSION_MASK = 3;
    /** RDMAP's version, in its place. */
    static final int RDMAP_VERSION = 1 << 6;
    /** Bits of RDMAP's version. */
    static final int RDMAP_VERSION_MASK = 3 << 6;
    /** Bits of the operation. */
    static final int OPCODE_MASK = 0x0F;

    /** RDMA WRITE, tagged. */
    static final int WRITE = 0;
    /** RDMA READ request, untagged. */
    static final int READ_REQUEST = 1;
    /** RDMA READ response, tagged. */
    static final int READ_RESPONSE = 2;
    /** SEND, untagged. */
    static final int SEND = 3;
    /** SEND with solicited event, untagged. */
    static final int SEND_SOLICITED = 5;
    /** TERMINATE, untagged. */
    static final int TERMINATE = 7;

    /** Queue of SENDs. */
    static final int SEND_QUEUE = 0;
    /** Queue of READ requests. */
    static final int READ_QUEUE = 1;
    /** Queue of the TERMINATE. */
    static final int TERMINATE_QUEUE = 2;

    private SegmentDescriptor()
    {
    }

    static void tagged(
        final long segment, final int opcode, final boolean last, final int steeringTag, final long offset)
    {
        UnsafeApi.putByte(
            segment + DDP_CONTROL_OFFSET, (byte)(TAGGED | (last ? LAST : 0) | DDP_VERSION));
        UnsafeApi.putByte(segment + RDMAP_CONTROL_OFFSET, (byte)(RDMAP_VERSION | opcode));
        Wire.putInt(segment + STAG_OFFSET, steeringTag);
        Wire.putLong(segment + TAGGED_OFFSET_OFFSET, offset);
    }

    static void untagged(
        final long segment,
        final int opcode,
        final boolean last,
        final int queue,
        final int message,
        final int offset)
    {
        UnsafeApi.putByte(segment + DDP_CONTROL_OFFSET, (byte)((last ? LAST : 0) | DDP_VERSION));
        UnsafeApi.putByte(segment + RDMAP_CONTROL_OFFSET, (byte)(RDMAP_VERSION | opcode));
        UnsafeApi.putInt(segment + RESERVED_OFFSET, 0);
        Wire.putInt(segment + QUEUE_OFFSET, queue);
        Wire.putInt(segment + MESSAGE_OFFSET, message);
        Wire.putInt(segment + MESSAGE_OFFSET_OFFSET, offset);
    }

    static boolean isTagged(final long segment)
    {
        return (UnsafeApi.getByte(segment + DDP_CONTROL_OFFSET) & TAGGED) != 0;
    }

    static boolean isLast(final long segment)
    {
        return (UnsafeApi.getByte(segment + DDP_CONTROL_OFFSET) & LAST) != 0;
    }

    static int ddpVersion(final long segment)
    {
        return UnsafeApi.getByte(segment + DDP_CONTROL_OFFSET) & DDP_VERSION_MASK;
    }

    static int rdmapVersion(final long segment)
    {
        return UnsafeApi.getByte(segment + RDMAP_CONTROL_OFFSET) & RDMAP_VERSION_MASK;
    }

    static int opcode(final long segment)
    {
        return UnsafeApi.getByte(segment + RDMAP_CONTROL_OFFSET) & OPCODE_MASK;
    }

    static int headerLength(final long segment)
    {
        return isTagged(segment) ? TAGGED_LENGTH : UNTAGGED_LENGTH;
    }
}
