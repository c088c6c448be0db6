package org.onesided.iwarp;

import java.nio.ByteBuffer;

/**
 * What an RDMA READ request says (RFC 5040, 4.4).
 */
record ReadRequest(int sinkStag, long sinkTo, int size, int sourceStag, long sourceTo)
{
    static final int LENGTH = 28;

    byte[] bytes()
    {
        return ByteBuffer.allocate(LENGTH)
            .putInt(sinkStag).putLong(sinkTo).putInt(size).putInt(sourceStag).putLong(sourceTo).array();
    }

    static ReadRequest of(final Segment segment)
    {
        if (segment.isTagged() || segment.opcode() != Segment.READ_REQUEST || !segment.isLast() ||
            segment.queue() != Segment.READ_QUEUE || segment.offset() != 0 || segment.payload().length != LENGTH)
        {
            throw new ProtocolException("no READ request: " + segment);
        }
        final ByteBuffer fields = ByteBuffer.wrap(segment.payload());
        return new ReadRequest(fields.getInt(), fields.getLong(), fields.getInt(), fields.getInt(), fields.getLong());
    }
}
