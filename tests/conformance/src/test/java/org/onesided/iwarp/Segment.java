package org.onesided.iwarp;

import java.nio.ByteBuffer;

/**
 * A DDP segment (RFC 5041, 4) with RDMAP's control field (RFC 5040, 4.1).
 *
 * <pre>
 *   tagged:   T L rsvd:4 DV:2 | RV:2 rsvd:2 opcode:4 | STag:32 | TO:64
 *   untagged: T L rsvd:4 DV:2 | RV:2 rsvd:2 opcode:4 | invalidate STag:32 | QN:32 | MSN:32 | MO:32
 * </pre>
 *
 * @param isTagged whether it names its place.
 * @param isLast   of its message.
 * @param opcode   of RDMAP.
 * @param stag     of a tagged one.
 * @param to       offset of a tagged one.
 * @param queue    of an untagged one.
 * @param msn      message sequence number of an untagged one.
 * @param offset   in the message, of an untagged one.
 * @param payload  all that follows the header.
 */
record Segment(
    boolean isTagged, boolean isLast, int opcode, int stag, long to, int queue, int msn, int offset, byte[] payload)
{
    static final int WRITE = 0;
    static final int READ_REQUEST = 1;
    static final int READ_RESPONSE = 2;
    static final int SEND = 3;
    static final int SEND_INVALIDATE = 4;
    static final int SEND_SOLICITED = 5;
    static final int SEND_SOLICITED_INVALIDATE = 6;
    static final int TERMINATE = 7;

    static final int SEND_QUEUE = 0;
    static final int READ_QUEUE = 1;
    static final int TERMINATE_QUEUE = 2;

    static final int TAGGED_LENGTH = 14;
    static final int UNTAGGED_LENGTH = 18;

    private static final int TAGGED_FLAG = 0x80;
    private static final int LAST_FLAG = 0x40;
    private static final int DDP_VERSION = 1;
    private static final int RDMAP_VERSION = 1;

    static Segment tagged(
        final int opcode, final boolean isLast, final int stag, final long to, final byte[] payload)
    {
        return new Segment(true, isLast, opcode, stag, to, 0, 0, 0, payload);
    }

    static Segment untagged(
        final int opcode,
        final boolean isLast,
        final int queue,
        final int msn,
        final int offset,
        final byte[] payload)
    {
        return new Segment(false, isLast, opcode, 0, 0, queue, msn, offset, payload);
    }

    /** The ULPDU. */
    byte[] bytes()
    {
        final ByteBuffer ulpdu = ByteBuffer.allocate(headerLength() + payload.length);
        ulpdu.put((byte)((isTagged ? TAGGED_FLAG : 0) | (isLast ? LAST_FLAG : 0) | DDP_VERSION));
        ulpdu.put((byte)(RDMAP_VERSION << 6 | opcode));
        ulpdu.putInt(stag);
        if (isTagged)
        {
            ulpdu.putLong(to);
        }
        else
        {
            ulpdu.putInt(queue).putInt(msn).putInt(offset);
        }
        return ulpdu.put(payload).array();
    }

    int headerLength()
    {
        return isTagged ? TAGGED_LENGTH : UNTAGGED_LENGTH;
    }

    static Segment of(final byte[] ulpdu)
    {
        final ByteBuffer fields = ByteBuffer.wrap(ulpdu);
        if (ulpdu.length < TAGGED_LENGTH)
        {
            throw new ProtocolException("shorter than a header: length=" + ulpdu.length);
        }
        final int ddp = fields.get();
        final int rdmap = fields.get();
        if ((ddp & 0x3F) != DDP_VERSION || (rdmap & 0xF0) != RDMAP_VERSION << 6)
        {
            throw new ProtocolException("wrong version or reserved bits: ddp=" + ddp + " rdmap=" + rdmap);
        }
        final boolean isTagged = (ddp & TAGGED_FLAG) != 0;
        final int stag = fields.getInt();
        final long to = isTagged ? fields.getLong() : 0;
        final int queue = isTagged ? 0 : fields.getInt();
        final int msn = isTagged ? 0 : fields.getInt();
        final int offset = isTagged ? 0 : fields.getInt();
        final byte[] payload = new byte[fields.remaining()];
        fields.get(payload);
        return new Segment(
            isTagged, (ddp & LAST_FLAG) != 0, rdmap & 0xF, stag, to, queue, msn, offset, payload);
    }

    @Override
    public String toString()
    {
        return "opcode=" + opcode + (isLast ? " last" : "") +
            (isTagged ? " stag=" + Integer.toHexString(stag) + " to=" + Long.toHexString(to) :
            " queue=" + queue + " msn=" + msn + " offset=" + offset) + " length=" + payload.length;
    }
}
