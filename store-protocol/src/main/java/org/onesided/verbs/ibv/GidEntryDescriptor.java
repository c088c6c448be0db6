package org.onesided.verbs.ibv;

import org.onesided.verbs.Gid;

/**
 * Layout of {@code struct ibv_gid_entry}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | gid (16 bytes)                                                                |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | gid_index                             | port_num                              |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | gid_type                              | ndev_ifindex                          |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class GidEntryDescriptor
{
    /** The GID, in network byte order. */
    static final int GID_OFFSET = 0;
    /** Index into the GID table. */
    static final int GID_INDEX_OFFSET = GID_OFFSET + Gid.LENGTH;
    /** Port. */
    static final int PORT_NUM_OFFSET = GID_INDEX_OFFSET + Integer.BYTES;
    /** What the GID is used for. */
    static final int GID_TYPE_OFFSET = PORT_NUM_OFFSET + Integer.BYTES;
    /** Index of the network interface, or 0. */
    static final int NDEV_IFINDEX_OFFSET = GID_TYPE_OFFSET + Integer.BYTES;
    /** Length of the whole. */
    static final int LENGTH = NDEV_IFINDEX_OFFSET + Integer.BYTES;

    /** Type: InfiniBand. */
    static final int GID_TYPE_IB = 0;
    /** Type: RoCE v1. */
    static final int GID_TYPE_ROCE_V1 = 1;
    /** Type: RoCE v2. */
    static final int GID_TYPE_ROCE_V2 = 2;

    private GidEntryDescriptor()
    {
    }
}
