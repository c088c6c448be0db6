package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_srq_init_attr}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | srq_context                                                                   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | max_wr                                | max_sge                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | srq_limit                             | -                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class SharedReceiveInitDescriptor
{
    /** What its maker gives. */
    static final int SRQ_CONTEXT_OFFSET = 0;
    /** Receives. */
    static final int MAX_WR_OFFSET = SRQ_CONTEXT_OFFSET + Long.BYTES;
    /** Elements of a receive. */
    static final int MAX_SGE_OFFSET = MAX_WR_OFFSET + Integer.BYTES;
    /** Limit below which an event is due; not used here. */
    static final int SRQ_LIMIT_OFFSET = MAX_SGE_OFFSET + Integer.BYTES;
    /** Length of the whole. */
    static final int LENGTH = SRQ_LIMIT_OFFSET + 2 * Integer.BYTES;

    private SharedReceiveInitDescriptor()
    {
    }
}
