package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_port_attr}. Older libraries fill less than this, so it is zeroed before.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | state                                 | max_mtu                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | active_mtu                            | gid_tbl_len                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | port_cap_flags                        | max_msg_sz                            |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | bad_pkey_cntr                         | qkey_viol_cntr                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | pkey_tbl_len      | lid               | sm_lid            | lmc     | max_vl  |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | sm_sl   | sub_time| init_typ| width   | speed   | phys_st | link    | flags   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | port_cap_flags2   |
 *  +---------+---------+
 * </pre>
 */
final class PortAttributesDescriptor
{
    /** State, see {@link org.onesided.verbs.PortState}. */
    static final int STATE_OFFSET = 0;
    /** Largest path MTU, see {@link Mtu}. */
    static final int MAX_MTU_OFFSET = STATE_OFFSET + Integer.BYTES;
    /** Path MTU in use, see {@link Mtu}. */
    static final int ACTIVE_MTU_OFFSET = MAX_MTU_OFFSET + Integer.BYTES;
    /** Entries of the GID table. */
    static final int GID_TBL_LEN_OFFSET = ACTIVE_MTU_OFFSET + Integer.BYTES;
    /** What the port can do. */
    static final int PORT_CAP_FLAGS_OFFSET = GID_TBL_LEN_OFFSET + Integer.BYTES;
    /** Length of the longest message, unsigned. */
    static final int MAX_MSG_SZ_OFFSET = PORT_CAP_FLAGS_OFFSET + Integer.BYTES;
    /** Packets with a wrong P_Key. */
    static final int BAD_PKEY_CNTR_OFFSET = MAX_MSG_SZ_OFFSET + Integer.BYTES;
    /** Packets with a wrong Q_Key. */
    static final int QKEY_VIOL_CNTR_OFFSET = BAD_PKEY_CNTR_OFFSET + Integer.BYTES;
    /** Entries of the P_Key table. */
    static final int PKEY_TBL_LEN_OFFSET = QKEY_VIOL_CNTR_OFFSET + Integer.BYTES;
    /** Local identifier. */
    static final int LID_OFFSET = PKEY_TBL_LEN_OFFSET + Short.BYTES;
    /** The subnet manager's local identifier. */
    static final int SM_LID_OFFSET = LID_OFFSET + Short.BYTES;
    /** LID mask count. */
    static final int LMC_OFFSET = SM_LID_OFFSET + Short.BYTES;
    /** Virtual lanes. */
    static final int MAX_VL_NUM_OFFSET = LMC_OFFSET + Byte.BYTES;
    /** The subnet manager's service level. */
    static final int SM_SL_OFFSET = MAX_VL_NUM_OFFSET + Byte.BYTES;
    /** The subnet's timeout. */
    static final int SUBNET_TIMEOUT_OFFSET = SM_SL_OFFSET + Byte.BYTES;
    /** How the subnet manager initialised the port. */
    static final int INIT_TYPE_REPLY_OFFSET = SUBNET_TIMEOUT_OFFSET + Byte.BYTES;
    /** Lanes, as a code. */
    static final int ACTIVE_WIDTH_OFFSET = INIT_TYPE_REPLY_OFFSET + Byte.BYTES;
    /** Speed of a lane, as a code. */
    static final int ACTIVE_SPEED_OFFSET = ACTIVE_WIDTH_OFFSET + Byte.BYTES;
    /** Physical state. */
    static final int PHYS_STATE_OFFSET = ACTIVE_SPEED_OFFSET + Byte.BYTES;
    /** What carries the port. */
    static final int LINK_LAYER_OFFSET = PHYS_STATE_OFFSET + Byte.BYTES;
    /** Flags. */
    static final int FLAGS_OFFSET = LINK_LAYER_OFFSET + Byte.BYTES;
    /** What else the port can do. */
    static final int PORT_CAP_FLAGS2_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    /** What to allocate: more than the whole, which grew from 52 to 56 bytes. */
    static final int LENGTH = 64;

    /** Link layer: not told, which means InfiniBand. */
    static final int LINK_LAYER_UNSPECIFIED = 0;
    /** Link layer: InfiniBand. */
    static final int LINK_LAYER_INFINIBAND = 1;
    /** Link layer: Ethernet. */
    static final int LINK_LAYER_ETHERNET = 2;

    /** Flag: each packet needs a global route header. */
    static final int QPF_GRH_REQUIRED = 1;

    private PortAttributesDescriptor()
    {
    }
}
