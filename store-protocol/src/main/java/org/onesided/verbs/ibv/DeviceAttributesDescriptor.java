package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_device_attr}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | fw_ver (64 bytes)                                                             |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | node_guid                                                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | sys_image_guid                                                                |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_mr_size                                                                   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | page_size_cap                                                                 |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | vendor_id                             | vendor_part_id                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | hw_ver                                | max_qp                                |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_qp_wr                             | device_cap_flags                      |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_sge                               | max_sge_rd                            |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_cq                                | max_cqe                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_mr                                | max_pd                                |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_qp_rd_atom                        | max_ee_rd_atom                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_res_rd_atom                       | max_qp_init_rd_atom                   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_ee_init_rd_atom                   | atomic_cap                            |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_ee                                | max_rdd                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_mw                                | max_raw_ipv6_qp                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_raw_ethy_qp                       | max_mcast_grp                         |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_mcast_qp_attach                   | max_total_mcast_qp_attach             |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_ah                                | max_fmr                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_map_per_fmr                       | max_srq                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_srq_wr                            | max_srq_sge                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_pkeys         | ackdelay| ports   | -                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class DeviceAttributesDescriptor
{
    /** Length of the firmware's version, its zero byte included. */
    static final int FW_VER_LENGTH = 64;

    /** Version of the firmware, ended by a zero byte. */
    static final int FW_VER_OFFSET = 0;
    /** Globally unique identifier of the node, in network byte order. */
    static final int NODE_GUID_OFFSET = FW_VER_OFFSET + FW_VER_LENGTH;
    /** Identifier of the system, in network byte order. */
    static final int SYS_IMAGE_GUID_OFFSET = NODE_GUID_OFFSET + Long.BYTES;
    /** Length of the longest memory region. */
    static final int MAX_MR_SIZE_OFFSET = SYS_IMAGE_GUID_OFFSET + Long.BYTES;
    /** Page sizes. */
    static final int PAGE_SIZE_CAP_OFFSET = MAX_MR_SIZE_OFFSET + Long.BYTES;
    /** Vendor. */
    static final int VENDOR_ID_OFFSET = PAGE_SIZE_CAP_OFFSET + Long.BYTES;
    /** Vendor's part. */
    static final int VENDOR_PART_ID_OFFSET = VENDOR_ID_OFFSET + Integer.BYTES;
    /** Version of the part. */
    static final int HW_VER_OFFSET = VENDOR_PART_ID_OFFSET + Integer.BYTES;
    /** Queue pairs. */
    static final int MAX_QP_OFFSET = HW_VER_OFFSET + Integer.BYTES;
    /** Requests of one queue. */
    static final int MAX_QP_WR_OFFSET = MAX_QP_OFFSET + Integer.BYTES;
    /** Capability flags. */
    static final int DEVICE_CAP_FLAGS_OFFSET = MAX_QP_WR_OFFSET + Integer.BYTES;
    /** Elements of a request. */
    static final int MAX_SGE_OFFSET = DEVICE_CAP_FLAGS_OFFSET + Integer.BYTES;
    /** Elements of a READ, for iWARP. */
    static final int MAX_SGE_RD_OFFSET = MAX_SGE_OFFSET + Integer.BYTES;
    /** Completion queues. */
    static final int MAX_CQ_OFFSET = MAX_SGE_RD_OFFSET + Integer.BYTES;
    /** Completions that a queue holds. */
    static final int MAX_CQE_OFFSET = MAX_CQ_OFFSET + Integer.BYTES;
    /** Memory regions. */
    static final int MAX_MR_OFFSET = MAX_CQE_OFFSET + Integer.BYTES;
    /** Protection domains. */
    static final int MAX_PD_OFFSET = MAX_MR_OFFSET + Integer.BYTES;
    /** READs and atomics that a queue pair can answer at a time. */
    static final int MAX_QP_RD_ATOM_OFFSET = MAX_PD_OFFSET + Integer.BYTES;
    /** The same for an end-to-end context, which no device has. */
    static final int MAX_EE_RD_ATOM_OFFSET = MAX_QP_RD_ATOM_OFFSET + Integer.BYTES;
    /** READs and atomics that the device can answer at a time. */
    static final int MAX_RES_RD_ATOM_OFFSET = MAX_EE_RD_ATOM_OFFSET + Integer.BYTES;
    /** READs and atomics that a queue pair can have outstanding. */
    static final int MAX_QP_INIT_RD_ATOM_OFFSET = MAX_RES_RD_ATOM_OFFSET + Integer.BYTES;
    /** The same of an end-to-end context. */
    static final int MAX_EE_INIT_RD_ATOM_OFFSET = MAX_QP_INIT_RD_ATOM_OFFSET + Integer.BYTES;
    /** Atomicity. */
    static final int ATOMIC_CAP_OFFSET = MAX_EE_INIT_RD_ATOM_OFFSET + Integer.BYTES;
    /** End-to-end contexts. */
    static final int MAX_EE_OFFSET = ATOMIC_CAP_OFFSET + Integer.BYTES;
    /** Reliable datagram domains. */
    static final int MAX_RDD_OFFSET = MAX_EE_OFFSET + Integer.BYTES;
    /** Memory windows. */
    static final int MAX_MW_OFFSET = MAX_RDD_OFFSET + Integer.BYTES;
    /** Raw IPv6 queue pairs. */
    static final int MAX_RAW_IPV6_QP_OFFSET = MAX_MW_OFFSET + Integer.BYTES;
    /** Raw Ethertype queue pairs. */
    static final int MAX_RAW_ETHY_QP_OFFSET = MAX_RAW_IPV6_QP_OFFSET + Integer.BYTES;
    /** Multicast groups. */
    static final int MAX_MCAST_GRP_OFFSET = MAX_RAW_ETHY_QP_OFFSET + Integer.BYTES;
    /** Queue pairs of a multicast group. */
    static final int MAX_MCAST_QP_ATTACH_OFFSET = MAX_MCAST_GRP_OFFSET + Integer.BYTES;
    /** Queue pairs of all multicast groups. */
    static final int MAX_TOTAL_MCAST_QP_ATTACH_OFFSET = MAX_MCAST_QP_ATTACH_OFFSET + Integer.BYTES;
    /** Address handles. */
    static final int MAX_AH_OFFSET = MAX_TOTAL_MCAST_QP_ATTACH_OFFSET + Integer.BYTES;
    /** Fast memory regions. */
    static final int MAX_FMR_OFFSET = MAX_AH_OFFSET + Integer.BYTES;
    /** Mappings of a fast memory region. */
    static final int MAX_MAP_PER_FMR_OFFSET = MAX_FMR_OFFSET + Integer.BYTES;
    /** Shared receive queues. */
    static final int MAX_SRQ_OFFSET = MAX_MAP_PER_FMR_OFFSET + Integer.BYTES;
    /** Receives of one shared receive queue. */
    static final int MAX_SRQ_WR_OFFSET = MAX_SRQ_OFFSET + Integer.BYTES;
    /** Elements of a receive in a shared receive queue. */
    static final int MAX_SRQ_SGE_OFFSET = MAX_SRQ_WR_OFFSET + Integer.BYTES;
    /** Partitions. */
    static final int MAX_PKEYS_OFFSET = MAX_SRQ_SGE_OFFSET + Integer.BYTES;
    /** Delay of acknowledgements. */
    static final int LOCAL_CA_ACK_DELAY_OFFSET = MAX_PKEYS_OFFSET + Short.BYTES;
    /** Ports. */
    static final int PHYS_PORT_CNT_OFFSET = LOCAL_CA_ACK_DELAY_OFFSET + Byte.BYTES;
    /** Length of the whole. */
    static final int LENGTH = PHYS_PORT_CNT_OFFSET + Byte.BYTES + Integer.BYTES;

    /** Atomicity: peers may neither compare-and-swap nor fetch-and-add. */
    static final int ATOMIC_NONE = 0;

    private DeviceAttributesDescriptor()
    {
    }
}
