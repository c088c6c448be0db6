package org.onesided.tools.kvctl.rdma.talk;

import java.nio.ByteBuffer;
import org.onesided.tools.kvctl.rdma.machine.Gids;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

/**
 * What each shell tells the other, in network byte order; the device's own bytes come behind it, see
 * {@link DeviceBytesExchange}.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                       mark, with version                      |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                       address of the buffer                   |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                      length of the buffer                     |
 *  +---------------------------------------------------------------+
 *  |                              rkey                             |
 *  +---------------------------------------------------------------+
 *  |                       queue pair number                       |
 *  +---------------------------------------------------------------+
 *  |                              PSN                              |
 *  +-------------------------------+-------------------------------+
 *  |              LID              |              MTU              |
 *  +-------------------------------+-------------------------------+
 *  |           READ depth          |        initiator depth        |
 *  +-------------------------------+-------------------------------+
 *  |                       GID, zero for none                      |
 *  |                              ...                              |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * @param endpoint  the queue pair; its device bytes are not part of the record.
 * @param address   of the buffer.
 * @param length    of the buffer in bytes.
 * @param remoteKey of the buffer's memory region.
 */
record ShellRecord(Endpoint endpoint, long address, int length, int remoteKey)
{
    /** Length of the record. */
    static final int LENGTH = 2 * Long.BYTES + 4 * Integer.BYTES + 4 * Short.BYTES + Gid.LENGTH;

    /** "kvsh", 0, 0, 0, version 1. */
    private static final long MARK = 0x6B76_7368_0000_0001L;
    private static final int MAX_24_BITS = 0xFF_FFFF;
    private static final int MIN_MTU = 256;
    private static final int MAX_MTU = 4096;
    private static final int MAX_DEPTH = 0xFFFF;

    byte[] encode()
    {
        return ByteBuffer.allocate(LENGTH)
            .putLong(MARK)
            .putLong(address)
            .putInt(length)
            .putInt(remoteKey)
            .putInt(endpoint.queuePairNumber())
            .putInt(endpoint.psn())
            .putShort((short)endpoint.lid())
            .putShort((short)endpoint.mtu())
            .putShort((short)Math.min(endpoint.readDepth(), MAX_DEPTH))
            .putShort((short)Math.min(endpoint.initiatorDepth(), MAX_DEPTH))
            .putLong(endpoint.gid() == null ? 0 : endpoint.gid().high())
            .putLong(endpoint.gid() == null ? 0 : endpoint.gid().low())
            .array();
    }

    /**
     * Reads a peer's record.
     *
     * @param bytes       of the record's length.
     * @param deviceBytes that followed it.
     * @return the record, or null if the bytes are none.
     */
    static ShellRecord decode(final byte[] bytes, final byte[] deviceBytes)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (!isMarked(bytes))
        {
            return null;
        }
        buffer.getLong();
        final long address = buffer.getLong();
        final int length = buffer.getInt();
        final int remoteKey = buffer.getInt();
        final int queuePairNumber = buffer.getInt();
        final int psn = buffer.getInt();
        final int lid = Short.toUnsignedInt(buffer.getShort());
        final int mtu = Short.toUnsignedInt(buffer.getShort());
        final int readDepth = Short.toUnsignedInt(buffer.getShort());
        final int initiatorDepth = Short.toUnsignedInt(buffer.getShort());
        final Gid gid = new Gid(buffer.getLong(), buffer.getLong());
        if (length < 1 || queuePairNumber < 1 || queuePairNumber > MAX_24_BITS || psn < 0 || psn > MAX_24_BITS ||
            mtu < MIN_MTU || mtu > MAX_MTU || Integer.bitCount(mtu) != 1)
        {
            return null;
        }
        return new ShellRecord(
            new Endpoint(queuePairNumber, lid, Gids.isZero(gid) ? null : gid, psn, mtu, readDepth, initiatorDepth,
                deviceBytes),
            address, length, remoteKey);
    }

    /** Whether bytes begin like a record. */
    static boolean isMarked(final byte[] bytes)
    {
        return bytes.length >= LENGTH && ByteBuffer.wrap(bytes).getLong() == MARK;
    }

    @Override
    public String toString()
    {
        return String.format("LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s, address 0x%x, length %d, rkey 0x%x",
            endpoint.lid(), endpoint.queuePairNumber(), endpoint.psn(), Gids.text(endpoint.gid()), address, length,
            remoteKey);
    }
}
