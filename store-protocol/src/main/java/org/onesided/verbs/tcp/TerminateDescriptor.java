package org.onesided.verbs.tcp;

import static org.onesided.verbs.tcp.SegmentDescriptor.*;

import org.agrona.UnsafeApi;

/**
 * Layout of the payload of a TERMINATE (RFC 5040, 4.8), in network byte order: what is wrong, and the headers of the
 * segment that was found wrong, of which the last is there for READ requests only.
 *
 * <pre>
 *   0                   4         6                             6+h
 *  +---------+---------+---------+-----------------------------+-----------------+
 *  | layer, type, code | segment | DDP header of h = 14 or 18  | READ request 28 |
 *  | M D R             | length  |                             |                 |
 *  +---------+---------+---------+-----------------------------+-----------------+
 * </pre>
 */
final class TerminateDescriptor
{
    /** Layer, type, code, and flags of the fields that follow. */
    static final int CONTROL_OFFSET = 0;
    /** Length of the segment, 16 bits. */
    static final int SEGMENT_LENGTH_OFFSET = CONTROL_OFFSET + Integer.BYTES;
    /** Header of the segment. */
    static final int HEADER_OFFSET = SEGMENT_LENGTH_OFFSET + Short.BYTES;
    /** Maximum length. */
    static final int MAX_LENGTH = HEADER_OFFSET + UNTAGGED_LENGTH + ReadRequestDescriptor.LENGTH;

    private static final int HAS_SEGMENT_LENGTH = 1 << 15;
    private static final int HAS_HEADER = 1 << 14;
    private static final int HAS_READ_REQUEST = 1 << 13;

    private TerminateDescriptor()
    {
    }

    /**
     * Writes a payload.
     *
     * @param payload       address to write to.
     * @param fault         what is wrong.
     * @param segment       address of the segment found wrong, or 0.
     * @param segmentLength its length; checked to be at least that of its header.
     * @return length of the payload.
     */
    static int encode(final long payload, final Fault fault, final long segment, final int segmentLength)
    {
        if (segment == 0)
        {
            Wire.putInt(payload + CONTROL_OFFSET, fault.control());
            return SEGMENT_LENGTH_OFFSET;
        }
        int headerLength = headerLength(segment);
        int flags = HAS_SEGMENT_LENGTH | HAS_HEADER;
        if (opcode(segment) == READ_REQUEST && segmentLength >= headerLength + ReadRequestDescriptor.LENGTH)
        {
            headerLength += ReadRequestDescriptor.LENGTH;
            flags |= HAS_READ_REQUEST;
        }
        Wire.putInt(payload + CONTROL_OFFSET, fault.control() | flags);
        Wire.putShort(payload + SEGMENT_LENGTH_OFFSET, segmentLength);
        UnsafeApi.copyMemory(segment, payload + HEADER_OFFSET, headerLength);
        return HEADER_OFFSET + headerLength;
    }

    /**
     * @param payload address of a payload.
     * @param length  of the payload.
     * @return address of the header of the segment that was found wrong, 0 if it is not there whole.
     */
    static long header(final long payload, final int length)
    {
        final boolean isThere = length >= HEADER_OFFSET + TAGGED_LENGTH &&
            (Wire.getInt(payload + CONTROL_OFFSET) & HAS_HEADER) != 0 &&
            length >= HEADER_OFFSET + headerLength(payload + HEADER_OFFSET);
        return isThere ? payload + HEADER_OFFSET : 0;
    }
}
