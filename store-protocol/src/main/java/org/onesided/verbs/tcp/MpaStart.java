package org.onesided.verbs.tcp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The frames that a connection starts with (RFC 5044, 7.1; RFC 6581): MPA's request and reply, revision 2, without
 * markers, with CRC and enhanced connection data. In network byte order:
 *
 * <pre>
 *   0                   16        17        18        20
 *  +-------------------+---------+---------+---------+
 *  | key               | M C R S | revision| length  |
 *  +-------------------+---------+---------+---------+
 *  | A B  IRD | C D ORD| magic             | target  |
 *  +-------------------+---------+---------+---------+
 *  | number            | 0                 | secret  |
 *  +-------------------+                   |         |
 *  | of the sender     |                   |   16    |
 *  +-------------------+-------------------+---------+
 * </pre>
 *
 * The private data begin with IRD and ORD and go on with what tells queue pairs: in a request the number of the queue
 * pair that is asked for, the number of the one that asks, and the secret of the former; in a reply the number of the
 * one that answers, the number of the one that asked, and the secret of the latter. Neither side can claim to be the
 * other without the secret that it was told beforehand.
 */
final class MpaStart
{
    /** Length of a queue pair's secret. */
    static final int SECRET_LENGTH = 16;
    /** Length of the fields before the private data. */
    static final int HEADER_LENGTH = 20;
    /** Length of the private data. */
    static final int PRIVATE_LENGTH = 2 * Short.BYTES + 4 * Integer.BYTES + SECRET_LENGTH;
    /** Length of the whole. */
    static final int LENGTH = HEADER_LENGTH + PRIVATE_LENGTH;

    private static final byte[] REQUEST_KEY = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY_KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY_LENGTH = 16;
    private static final int FLAGS_OFFSET = KEY_LENGTH;
    private static final int REVISION_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    private static final int LENGTH_OFFSET = REVISION_OFFSET + Byte.BYTES;
    private static final int IRD_OFFSET = HEADER_LENGTH;
    private static final int ORD_OFFSET = IRD_OFFSET + Short.BYTES;
    private static final int MAGIC_OFFSET = ORD_OFFSET + Short.BYTES;
    private static final int FIRST_NUMBER_OFFSET = MAGIC_OFFSET + Integer.BYTES;
    private static final int SECOND_NUMBER_OFFSET = FIRST_NUMBER_OFFSET + Integer.BYTES;
    private static final int SECRET_OFFSET = SECOND_NUMBER_OFFSET + 2 * Integer.BYTES;

    private static final int MARKERS = 0x80;
    private static final int CRC = 0x40;
    private static final int REJECTED = 0x20;
    private static final int ENHANCED = 0x10;
    private static final int REVISION = 2;
    private static final int MAGIC = 0x31534B56;
    /** In IRD: the initiator sends first. */
    private static final int PEER_TO_PEER = 0x8000;
    /** In ORD: the initiator may send an RDMA WRITE of length 0 first. */
    private static final int WRITE_FIRST = 0x8000;
    private static final int DEPTH_MASK = 0x3FFF;

    private final ByteBuffer bytes;

    private MpaStart(final ByteBuffer bytes)
    {
        this.bytes = bytes;
    }

    /**
     * @param bytes a whole frame.
     */
    static MpaStart wrap(final byte[] bytes)
    {
        return new MpaStart(ByteBuffer.wrap(bytes));
    }

    /**
     * @param header that was filled so far as its position tells.
     * @return whether it may become a request.
     */
    static boolean mayBeRequest(final ByteBuffer header)
    {
        return mayHaveKey(header, REQUEST_KEY);
    }

    /**
     * @return whether the first bytes are those of a request that this side understands, as far as they say.
     */
    static boolean isRequest(final ByteBuffer header)
    {
        return isFrame(header, REQUEST_KEY) && (flags(header) & (MARKERS | REJECTED | ENHANCED)) == ENHANCED;
    }

    /**
     * @param header that was filled so far as its position tells.
     * @return whether it may become a reply.
     */
    static boolean mayBeReply(final ByteBuffer header)
    {
        return mayHaveKey(header, REPLY_KEY);
    }

    /**
     * @return whether the first bytes are those of a reply that accepts.
     */
    static boolean isAcceptance(final ByteBuffer header)
    {
        return isFrame(header, REPLY_KEY) &&
            (flags(header) & (MARKERS | CRC | REJECTED | ENHANCED)) == (CRC | ENHANCED);
    }

    /**
     * @return whether the first bytes are those of a reply that refuses.
     */
    static boolean isRefusal(final ByteBuffer header)
    {
        return isFrame(header, REPLY_KEY) && (flags(header) & REJECTED) != 0;
    }

    /**
     * @return a request, ready to be written.
     */
    static ByteBuffer request(
        final int ird, final int ord, final int target, final int initiator, final byte[] targetSecret)
    {
        return frame(REQUEST_KEY, CRC | ENHANCED, ird, ord, target, initiator, targetSecret);
    }

    /**
     * @return a reply that accepts, ready to be written.
     */
    static ByteBuffer reply(
        final int ird, final int ord, final int responder, final int initiator, final byte[] initiatorSecret)
    {
        return frame(REPLY_KEY, CRC | ENHANCED, ird, ord, responder, initiator, initiatorSecret);
    }

    /**
     * @return a reply that refuses, ready to be written.
     */
    static ByteBuffer refusal()
    {
        return frame(REPLY_KEY, CRC | ENHANCED | REJECTED, 0, 0, 0, 0, new byte[SECRET_LENGTH]);
    }

    /**
     * @return whether the private data are ours, and the connection is to start with an RDMA WRITE of no length.
     */
    boolean isUnderstood()
    {
        return bytes.getInt(MAGIC_OFFSET) == MAGIC && (bytes.getShort(IRD_OFFSET) & PEER_TO_PEER) != 0 &&
            (bytes.getShort(ORD_OFFSET) & WRITE_FIRST) != 0;
    }

    int ird()
    {
        return bytes.getShort(IRD_OFFSET) & DEPTH_MASK;
    }

    int ord()
    {
        return bytes.getShort(ORD_OFFSET) & DEPTH_MASK;
    }

    /**
     * @return number of the queue pair that is asked for, or that answers.
     */
    int responder()
    {
        return bytes.getInt(FIRST_NUMBER_OFFSET);
    }

    /**
     * @return number of the queue pair that asks.
     */
    int initiator()
    {
        return bytes.getInt(SECOND_NUMBER_OFFSET);
    }

    /**
     * Compares in constant time, so that the time does not reveal how much of the secret is right.
     */
    boolean hasSecret(final byte[] expected)
    {
        final byte[] secret = new byte[SECRET_LENGTH];
        bytes.get(SECRET_OFFSET, secret);
        return MessageDigest.isEqual(secret, expected);
    }

    private static int flags(final ByteBuffer header)
    {
        return header.get(FLAGS_OFFSET) & 0xFF;
    }

    private static boolean mayHaveKey(final ByteBuffer header, final byte[] key)
    {
        final int length = Math.min(KEY_LENGTH, header.position());
        return header.duplicate().flip().limit(length).equals(ByteBuffer.wrap(key, 0, length));
    }

    private static boolean isFrame(final ByteBuffer header, final byte[] key)
    {
        final byte[] actual = new byte[KEY_LENGTH];
        header.get(0, actual);
        return MessageDigest.isEqual(actual, key) && header.get(REVISION_OFFSET) == REVISION &&
            header.getShort(LENGTH_OFFSET) == PRIVATE_LENGTH;
    }

    private static ByteBuffer frame(
        final byte[] key,
        final int flags,
        final int ird,
        final int ord,
        final int first,
        final int second,
        final byte[] secret)
    {
        return ByteBuffer.allocate(LENGTH)
            .put(key)
            .put((byte)flags)
            .put((byte)REVISION)
            .putShort((short)PRIVATE_LENGTH)
            .putShort((short)(PEER_TO_PEER | ird))
            .putShort((short)(WRITE_FIRST | ord))
            .putInt(MAGIC)
            .putInt(first)
            .putInt(second)
            .putInt(0)
            .put(secret)
            .flip();
    }
}
