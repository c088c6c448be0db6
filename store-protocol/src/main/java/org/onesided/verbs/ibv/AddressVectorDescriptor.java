package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_ah_attr}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | grh, see GlobalRouteDescriptor (24 bytes)                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | dlid              | sl      | src_bits| rate    | global  | port_num| -       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class AddressVectorDescriptor
{
    /** Global route, see {@link GlobalRouteDescriptor}. */
    static final int GRH_OFFSET = 0;
    /** The peer's LID. */
    static final int DLID_OFFSET = GRH_OFFSET + GlobalRouteDescriptor.LENGTH;
    /** Service level. */
    static final int SL_OFFSET = DLID_OFFSET + Short.BYTES;
    /** Low bits of this side's LID. */
    static final int SRC_PATH_BITS_OFFSET = SL_OFFSET + Byte.BYTES;
    /** Limit of the rate. */
    static final int STATIC_RATE_OFFSET = SRC_PATH_BITS_OFFSET + Byte.BYTES;
    /** Whether the global route counts. */
    static final int IS_GLOBAL_OFFSET = STATIC_RATE_OFFSET + Byte.BYTES;
    /** This side's port. */
    static final int PORT_NUM_OFFSET = IS_GLOBAL_OFFSET + Byte.BYTES;
    /** Length of the whole. */
    static final int LENGTH = PORT_NUM_OFFSET + 2 * Byte.BYTES;

    private AddressVectorDescriptor()
    {
    }
}
