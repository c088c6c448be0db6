package org.onesided.tools.kvctl.rdma.talk;

import java.nio.ByteBuffer;
import org.onesided.tools.kvctl.rdma.machine.Gids;
import org.onesided.verbs.Gid;

/**
 * What each side of the classic example tells the other, packed and in network byte order:
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                            address                            |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                              rkey                             |
 *  +---------------------------------------------------------------+
 *  |                       queue pair number                       |
 *  +-------------------------------+-------------------------------+
 *  |              LID              |              GID              |
 *  +-------------------------------+                               |
 *  |                              ...                              |
 *  |                               +-------------------------------+
 *  |                               |
 *  +-------------------------------+
 * </pre>
 *
 * @param address         of the buffer.
 * @param remoteKey       of the buffer's memory region.
 * @param queuePairNumber number of the queue pair, 24 bits.
 * @param lid             local identifier of the port; 0 on RoCE.
 * @param gid             address of the port; null for none, told as zeros.
 */
record ExampleRecord(long address, int remoteKey, int queuePairNumber, int lid, Gid gid)
{
    /** Length of the record in old versions, which have no GID. */
    static final int LENGTH_WITHOUT_GID = Long.BYTES + 2 * Integer.BYTES + Short.BYTES;
    /** Length of the record. */
    static final int LENGTH = LENGTH_WITHOUT_GID + Gid.LENGTH;

    private static final int MAX_QUEUE_PAIR_NUMBER = 0xFF_FFFF;

    byte[] encode()
    {
        return ByteBuffer.allocate(LENGTH)
            .putLong(address)
            .putInt(remoteKey)
            .putInt(queuePairNumber)
            .putShort((short)lid)
            .putLong(gid == null ? 0 : gid.high())
            .putLong(gid == null ? 0 : gid.low())
            .array();
    }

    /**
     * Reads a peer's record.
     *
     * @param bytes of the record's length.
     * @return the record, or null if the bytes are none.
     */
    static ExampleRecord decode(final byte[] bytes)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final long address = buffer.getLong();
        final int remoteKey = buffer.getInt();
        final int queuePairNumber = buffer.getInt();
        final int lid = Short.toUnsignedInt(buffer.getShort());
        final Gid gid = new Gid(buffer.getLong(), buffer.getLong());
        return queuePairNumber < 1 || queuePairNumber > MAX_QUEUE_PAIR_NUMBER ? null :
            new ExampleRecord(address, remoteKey, queuePairNumber, lid, Gids.isZero(gid) ? null : gid);
    }

    @Override
    public String toString()
    {
        return String.format("LID 0x%04x, QPN 0x%06x, GID %s, address 0x%x, rkey 0x%x",
            lid, queuePairNumber, Gids.text(gid), address, remoteKey);
    }
}
