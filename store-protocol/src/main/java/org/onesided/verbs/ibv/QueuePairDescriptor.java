package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_qp}, as far as it is used here: behind that is a mutex, whose length differs by
 * architecture.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | context                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | qp_context                                                                    |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | pd                                                                            |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | send_cq                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | recv_cq                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | srq                                                                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | handle                                | qp_num                                |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | state                                 | qp_type                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class QueuePairDescriptor
{
    /** Address of the {@code ibv_context}. */
    static final int CONTEXT_OFFSET = 0;
    /** What its maker gave. */
    static final int QP_CONTEXT_OFFSET = CONTEXT_OFFSET + Long.BYTES;
    /** Address of the {@code ibv_pd}. */
    static final int PD_OFFSET = QP_CONTEXT_OFFSET + Long.BYTES;
    /** Address of the {@code ibv_cq} of sends. */
    static final int SEND_CQ_OFFSET = PD_OFFSET + Long.BYTES;
    /** Address of the {@code ibv_cq} of receives. */
    static final int RECV_CQ_OFFSET = SEND_CQ_OFFSET + Long.BYTES;
    /** Address of the {@code ibv_srq}, or 0. */
    static final int SRQ_OFFSET = RECV_CQ_OFFSET + Long.BYTES;
    /** The kernel's number. */
    static final int HANDLE_OFFSET = SRQ_OFFSET + Long.BYTES;
    /** Number. */
    static final int QP_NUM_OFFSET = HANDLE_OFFSET + Integer.BYTES;
    /** State that the library believes it to be in. */
    static final int STATE_OFFSET = QP_NUM_OFFSET + Integer.BYTES;
    /** Transport. */
    static final int QP_TYPE_OFFSET = STATE_OFFSET + Integer.BYTES;

    private QueuePairDescriptor()
    {
    }
}
