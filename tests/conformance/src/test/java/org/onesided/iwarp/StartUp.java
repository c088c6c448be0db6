package org.onesided.iwarp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * MPA's request and reply frames (RFC 5044, 7.1; revision 2 in RFC 6581, 9).
 *
 * <pre>
 *   0..15  key
 *   16     M marker | C CRC | R rejected | S enhanced | 4 reserved bits
 *   17     revision
 *   18     length of the private data
 *   20     private data; if enhanced it begins with A | B | IRD:14 and C | D | ORD:14
 * </pre>
 *
 * @param isReply     whether it is a reply.
 * @param flags       the byte of flags.
 * @param revision    1 or 2.
 * @param privateData with IRD and ORD, if there are any.
 */
record StartUp(boolean isReply, int flags, int revision, byte[] privateData)
{
    static final int MARKERS = 0x80;
    static final int CRC = 0x40;
    static final int REJECTED = 0x20;
    static final int ENHANCED = 0x10;

    /** In the first word: both may send first, after an RTR frame (A). */
    static final int PEER_TO_PEER = 0x8000;
    /** In the second word: the RTR frame is a zero-length RDMA WRITE (C). */
    static final int RTR_WRITE = 0x8000;
    static final int DEPTH_MASK = 0x3FFF;

    static final int HEAD_LENGTH = 20;

    private static final String REQUEST_KEY = "MPA ID Req Frame";
    private static final String REPLY_KEY = "MPA ID Rep Frame";

    /** What this project's devices put behind the depths. */
    private static final int MAGIC = 0x3153_4B56;

    static StartUp enhanced(
        final boolean isReply, final int ird, final int ord, final int target, final int own, final byte[] secret)
    {
        final ByteBuffer data = ByteBuffer.allocate(4 + 16 + secret.length);
        data.putShort((short)(PEER_TO_PEER | ird)).putShort((short)(RTR_WRITE | ord));
        data.putInt(MAGIC).putInt(target).putInt(own).putInt(0).put(secret);
        return new StartUp(isReply, CRC | ENHANCED, 2, data.array());
    }

    byte[] bytes()
    {
        final ByteBuffer frame = ByteBuffer.allocate(HEAD_LENGTH + privateData.length);
        frame.put((isReply ? REPLY_KEY : REQUEST_KEY).getBytes(US_ASCII));
        frame.put((byte)flags).put((byte)revision).putShort((short)privateData.length).put(privateData);
        return frame.array();
    }

    static StartUp read(final DataInputStream input) throws IOException
    {
        final byte[] head = new byte[HEAD_LENGTH];
        input.readFully(head);
        final String key = new String(head, 0, 16, US_ASCII);
        if (!key.equals(REQUEST_KEY) && !key.equals(REPLY_KEY))
        {
            throw new ProtocolException("neither a request nor a reply: key=" + key);
        }
        final ByteBuffer fields = ByteBuffer.wrap(head);
        final byte[] data = new byte[fields.getShort(18) & 0xFFFF];
        input.readFully(data);
        return new StartUp(key.equals(REPLY_KEY), head[16] & 0xFF, head[17], data);
    }

    boolean has(final int flag)
    {
        return (flags & flag) != 0;
    }

    int ird()
    {
        return ByteBuffer.wrap(privateData).getShort(0) & DEPTH_MASK;
    }

    int ord()
    {
        return ByteBuffer.wrap(privateData).getShort(2) & DEPTH_MASK;
    }

    boolean isPeerToPeer()
    {
        return (ByteBuffer.wrap(privateData).getShort(0) & PEER_TO_PEER) != 0;
    }

    boolean hasWriteForRtr()
    {
        return (ByteBuffer.wrap(privateData).getShort(2) & RTR_WRITE) != 0;
    }

    /** Number of the queue pair that is spoken to. */
    int target()
    {
        checkMagic();
        return ByteBuffer.wrap(privateData).getInt(8);
    }

    int own()
    {
        return ByteBuffer.wrap(privateData).getInt(12);
    }

    byte[] secret()
    {
        final byte[] secret = new byte[16];
        ByteBuffer.wrap(privateData).position(20).get(secret);
        return secret;
    }

    private void checkMagic()
    {
        if (ByteBuffer.wrap(privateData).getInt(4) != MAGIC)
        {
            throw new ProtocolException("another private data than this project's");
        }
    }
}
