package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_qp_attr}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | qp_state                              | cur_qp_state                          |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | path_mtu                              | path_mig_state                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | qkey                                  | rq_psn                                |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | sq_psn                                | dest_qp_num                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | qp_access_flags                       | cap                                   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | ...                                                                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | ...                                                                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | ah_attr (32 bytes)                                                            |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | alt_ah_attr (32 bytes)                                                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | pkey_index        | alt_pkey_index    | sqd_ntfy| draining| max_rd  | max_dest|
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | min_rnr | port_num| timeout | retry   | rnr     | alt_port| alt_time| -       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | rate_limit                            | -                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class QueuePairAttributesDescriptor
{
    /** State to move to, or the present state. */
    static final int QP_STATE_OFFSET = 0;
    /** State that the caller expects. */
    static final int CUR_QP_STATE_OFFSET = QP_STATE_OFFSET + Integer.BYTES;
    /** Path MTU, see {@link Mtu}. */
    static final int PATH_MTU_OFFSET = CUR_QP_STATE_OFFSET + Integer.BYTES;
    /** Path migration state. */
    static final int PATH_MIG_STATE_OFFSET = PATH_MTU_OFFSET + Integer.BYTES;
    /** Q_Key, for datagrams. */
    static final int QKEY_OFFSET = PATH_MIG_STATE_OFFSET + Integer.BYTES;
    /** First packet sequence number to receive. */
    static final int RQ_PSN_OFFSET = QKEY_OFFSET + Integer.BYTES;
    /** First packet sequence number to send. */
    static final int SQ_PSN_OFFSET = RQ_PSN_OFFSET + Integer.BYTES;
    /** The peer's queue pair number. */
    static final int DEST_QP_NUM_OFFSET = SQ_PSN_OFFSET + Integer.BYTES;
    /** What the peer may do. */
    static final int QP_ACCESS_FLAGS_OFFSET = DEST_QP_NUM_OFFSET + Integer.BYTES;
    /** Capacities, see {@link CapacityDescriptor}. */
    static final int CAP_OFFSET = QP_ACCESS_FLAGS_OFFSET + Integer.BYTES;
    /** Path to the peer, see {@link AddressVectorDescriptor}. */
    static final int AH_ATTR_OFFSET = CAP_OFFSET + CapacityDescriptor.LENGTH;
    /** Alternate path to the peer. */
    static final int ALT_AH_ATTR_OFFSET = AH_ATTR_OFFSET + AddressVectorDescriptor.LENGTH;
    /** Index into the P_Key table. */
    static final int PKEY_INDEX_OFFSET = ALT_AH_ATTR_OFFSET + AddressVectorDescriptor.LENGTH;
    /** The same of the alternate path. */
    static final int ALT_PKEY_INDEX_OFFSET = PKEY_INDEX_OFFSET + Short.BYTES;
    /** Whether a drained send queue is an event. */
    static final int EN_SQD_ASYNC_NOTIFY_OFFSET = ALT_PKEY_INDEX_OFFSET + Short.BYTES;
    /** Whether the send queue is draining. */
    static final int SQ_DRAINING_OFFSET = EN_SQD_ASYNC_NOTIFY_OFFSET + Byte.BYTES;
    /** READs and atomics that this side may have outstanding. */
    static final int MAX_RD_ATOMIC_OFFSET = SQ_DRAINING_OFFSET + Byte.BYTES;
    /** READs and atomics that the peer may have outstanding. */
    static final int MAX_DEST_RD_ATOMIC_OFFSET = MAX_RD_ATOMIC_OFFSET + Byte.BYTES;
    /** RNR timer, as a code. */
    static final int MIN_RNR_TIMER_OFFSET = MAX_DEST_RD_ATOMIC_OFFSET + Byte.BYTES;
    /** Port. */
    static final int PORT_NUM_OFFSET = MIN_RNR_TIMER_OFFSET + Byte.BYTES;
    /** Acknowledgement timeout, as a code. */
    static final int TIMEOUT_OFFSET = PORT_NUM_OFFSET + Byte.BYTES;
    /** Retries after timeouts. */
    static final int RETRY_CNT_OFFSET = TIMEOUT_OFFSET + Byte.BYTES;
    /** Retries while the peer has no receive posted. */
    static final int RNR_RETRY_OFFSET = RETRY_CNT_OFFSET + Byte.BYTES;
    /** Port of the alternate path. */
    static final int ALT_PORT_NUM_OFFSET = RNR_RETRY_OFFSET + Byte.BYTES;
    /** Acknowledgement timeout of the alternate path. */
    static final int ALT_TIMEOUT_OFFSET = ALT_PORT_NUM_OFFSET + Byte.BYTES;
    /** Limit of the rate, for raw packets. */
    static final int RATE_LIMIT_OFFSET = ALT_TIMEOUT_OFFSET + Byte.BYTES + Byte.BYTES;
    /** Length of the whole. */
    static final int LENGTH = RATE_LIMIT_OFFSET + 2 * Integer.BYTES;

    private QueuePairAttributesDescriptor()
    {
    }
}
