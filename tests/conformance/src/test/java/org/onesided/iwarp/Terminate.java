package org.onesided.iwarp;

import java.nio.ByteBuffer;

/**
 * What a TERMINATE says (RFC 5040, 4.8).
 *
 * <pre>
 *   layer:4 etype:4 | code:8 | M D R reserved:13 | DDP segment length:16 if M | DDP header if D | RDMAP header if R
 * </pre>
 *
 * @param layer   that found the error.
 * @param type    of error, in that layer.
 * @param code    of the error, in that type.
 * @param headers with the segment's length, the DDP and the RDMAP header, as far as they are there.
 */
record Terminate(int layer, int type, int code, boolean hasLength, boolean hasDdp, boolean hasRdma, byte[] headers)
{
    static final int RDMAP = 0;
    static final int DDP = 1;
    static final int MPA = 2;

    static final int REMOTE_PROTECTION = 1;
    static final int REMOTE_OPERATION = 2;
    static final int TAGGED_BUFFER = 1;
    static final int UNTAGGED_BUFFER = 2;

    static Terminate of(final Segment segment)
    {
        if (segment.isTagged() || segment.opcode() != Segment.TERMINATE || !segment.isLast() ||
            segment.queue() != Segment.TERMINATE_QUEUE || segment.msn() != 1 || segment.offset() != 0)
        {
            throw new ProtocolException("no TERMINATE: " + segment);
        }
        final ByteBuffer fields = ByteBuffer.wrap(segment.payload());
        final int control = fields.getInt();
        final boolean hasLength = (control & 0x8000) != 0;
        final boolean hasDdp = (control & 0x4000) != 0;
        final boolean hasRdma = (control & 0x2000) != 0;
        final byte[] headers = new byte[fields.remaining()];
        fields.get(headers);
        if (hasDdp != hasLength || headers.length < (hasDdp ? 2 + Segment.TAGGED_LENGTH : 0))
        {
            throw new ProtocolException("headers do not fit their flags: control=" + Integer.toHexString(control) +
                " length=" + headers.length);
        }
        return new Terminate(
            control >>> 28, control >>> 24 & 0xF, control >>> 16 & 0xFF, hasLength, hasDdp, hasRdma, headers);
    }

    /** A TERMINATE of ours, with the segment that it is about. */
    static Segment about(final int layer, final int type, final int code, final byte[] ulpdu, final boolean withRdma)
    {
        final int header = (ulpdu[0] & 0x80) != 0 ? Segment.TAGGED_LENGTH : Segment.UNTAGGED_LENGTH;
        final int copied = header + (withRdma ? ReadRequest.LENGTH : 0);
        final ByteBuffer payload = ByteBuffer.allocate(4 + 2 + copied);
        payload.putInt(layer << 28 | type << 24 | code << 16 | (withRdma ? 0xE000 : 0xC000));
        payload.putShort((short)ulpdu.length).put(ulpdu, 0, copied);
        return Segment.untagged(Segment.TERMINATE, true, Segment.TERMINATE_QUEUE, 1, 0, payload.array());
    }

    /** {@code layer/type/code}, for comparing. */
    String error()
    {
        return name(layer, type, code);
    }

    static String name(final int layer, final int type, final int code)
    {
        return layer + "/" + type + "/" + Integer.toHexString(code);
    }
}
