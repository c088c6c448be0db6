package org.onesided.verbs.shm;

import org.agrona.BitUtil;

/**
 * Layout of a frame in a ring: a message, or a piece of one. Frames begin at multiples of 32 bytes; the header never
 * wraps around the ring's end, the payload may.
 *
 * <pre>
 *   0         4         8         12        16
 *  +---------+---------+---------+---------+
 *  | length  | flags   | imm_data| total   |
 *  +---------+---------+---------+---------+
 *  | place in shared   | padding           |
 *  | receive queue     |                   |
 *  +---------+---------+---------+---------+
 *  | payload                          ...  |
 *  +---------+---------+---------+---------+
 * </pre>
 */
final class FrameDescriptor
{
    /** Bytes of payload in this frame. */
    static final int LENGTH_OFFSET = 0;
    /** Flags. */
    static final int FLAGS_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** Immediate data, as in the request. */
    static final int IMMEDIATE_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    /** Length of the whole message; for an RDMA WRITE with immediate, the number of bytes written. */
    static final int TOTAL_OFFSET = IMMEDIATE_OFFSET + Integer.BYTES;
    /** Position of the receive that was claimed from a shared receive queue. */
    static final int SHARED_POSITION_OFFSET = TOTAL_OFFSET + Integer.BYTES;
    /** Length of the header. Lengths of frames are multiples of it. */
    static final int HEADER_LENGTH = 32;
    /** Length of the longest message in bytes. */
    static final int MAX_MESSAGE_LENGTH = 1 << 30;

    /** Flag: the message begins here. */
    static final int FIRST = 1;
    /** Flag: the message ends here. */
    static final int LAST = 1 << 1;
    /** Flag: there is immediate data. */
    static final int WITH_IMMEDIATE = 1 << 2;
    /** Flag: the receiver may be woken even if it waits for solicited messages only. */
    static final int SOLICITED = 1 << 3;
    /** Flag: an RDMA WRITE with immediate, which has written already. */
    static final int WRITE = 1 << 4;
    /** Flag: the message is longer than the receive, and does not follow. */
    static final int TOO_LONG = 1 << 5;
    /** Flag: the receive's memory may not be written, and the message does not follow. */
    static final int UNUSABLE = 1 << 6;

    private FrameDescriptor()
    {
    }

    /**
     * @return bytes that a frame takes in the ring.
     */
    static long alignedLength(final long payloadLength)
    {
        return HEADER_LENGTH + BitUtil.align(payloadLength, HEADER_LENGTH);
    }
}
