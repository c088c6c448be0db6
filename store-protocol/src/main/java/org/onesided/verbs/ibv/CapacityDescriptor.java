package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_qp_cap}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_send_wr                           | max_recv_wr                           |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_send_sge                          | max_recv_sge                          |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_inline_data                       |
 *  +---------+---------+---------+---------+
 * </pre>
 */
final class CapacityDescriptor
{
    /** Send requests. */
    static final int MAX_SEND_WR_OFFSET = 0;
    /** Receives. */
    static final int MAX_RECV_WR_OFFSET = MAX_SEND_WR_OFFSET + Integer.BYTES;
    /** Elements of a send request. */
    static final int MAX_SEND_SGE_OFFSET = MAX_RECV_WR_OFFSET + Integer.BYTES;
    /** Elements of a receive. */
    static final int MAX_RECV_SGE_OFFSET = MAX_SEND_SGE_OFFSET + Integer.BYTES;
    /** Bytes that a send request may carry inline. */
    static final int MAX_INLINE_DATA_OFFSET = MAX_RECV_SGE_OFFSET + Integer.BYTES;
    /** Length of the whole. */
    static final int LENGTH = MAX_INLINE_DATA_OFFSET + Integer.BYTES;

    private CapacityDescriptor()
    {
    }
}
