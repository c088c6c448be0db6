package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_qp_init_attr}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | qp_context                                                                    |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | send_cq                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | recv_cq                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | srq                                                                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | cap, see CapacityDescriptor (20 bytes)                                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | ...                                                                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | ...                                   | qp_type                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | sq_sig_all                            | -                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class QueuePairInitDescriptor
{
    /** Context pointer of the caller. */
    static final int QP_CONTEXT_OFFSET = 0;
    /** Address of the {@code ibv_cq} of sends. */
    static final int SEND_CQ_OFFSET = QP_CONTEXT_OFFSET + Long.BYTES;
    /** Address of the {@code ibv_cq} of receives. */
    static final int RECV_CQ_OFFSET = SEND_CQ_OFFSET + Long.BYTES;
    /** Address of the {@code ibv_srq}, or 0. */
    static final int SRQ_OFFSET = RECV_CQ_OFFSET + Long.BYTES;
    /** Capacities, see {@link CapacityDescriptor}. */
    static final int CAP_OFFSET = SRQ_OFFSET + Long.BYTES;
    /** Transport. */
    static final int QP_TYPE_OFFSET = CAP_OFFSET + CapacityDescriptor.LENGTH;
    /** Whether all send requests are signaled. */
    static final int SQ_SIG_ALL_OFFSET = QP_TYPE_OFFSET + Integer.BYTES;
    /** Length of the whole. */
    static final int LENGTH = SQ_SIG_ALL_OFFSET + 2 * Integer.BYTES;

    private QueuePairInitDescriptor()
    {
    }
}
