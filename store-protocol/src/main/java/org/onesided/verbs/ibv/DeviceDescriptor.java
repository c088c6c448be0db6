package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_device}, as far as it is used here.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | two functions, not used any more (16 bytes)                                   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | node_type                             | transport_type                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | name (64 bytes)                                                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | dev_name (64 bytes)                                                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class DeviceDescriptor
{
    /** Length of a name, its zero byte included. */
    static final int NAME_LENGTH = 64;

    /** Kind of node. */
    static final int NODE_TYPE_OFFSET = 2 * Long.BYTES;
    /** Transport. */
    static final int TRANSPORT_TYPE_OFFSET = NODE_TYPE_OFFSET + Integer.BYTES;
    /** Name, ended by a zero byte. */
    static final int NAME_OFFSET = TRANSPORT_TYPE_OFFSET + Integer.BYTES;
    /** Name of the device file, such as {@code uverbs0}, ended by a zero byte. */
    static final int DEV_NAME_OFFSET = NAME_OFFSET + NAME_LENGTH;

    /** Kind of node: an iWARP adapter. */
    static final int NODE_RNIC = 4;
    /** Transport: InfiniBand and RoCE. */
    static final int TRANSPORT_IB = 0;
    /** Transport: iWARP. */
    static final int TRANSPORT_IWARP = 1;

    private DeviceDescriptor()
    {
    }
}
