package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_srq}, as far as it is used here: behind that is a mutex, whose length differs by
 * architecture.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | context                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | srq_context                                                                   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | pd                                                                            |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class SharedReceiveQueueDescriptor
{
    /** Address of the {@code ibv_context}. */
    static final int CONTEXT_OFFSET = 0;
    /** Context pointer of the caller. */
    static final int SRQ_CONTEXT_OFFSET = CONTEXT_OFFSET + Long.BYTES;
    /** Address of the {@code ibv_pd}. */
    static final int PD_OFFSET = SRQ_CONTEXT_OFFSET + Long.BYTES;

    private SharedReceiveQueueDescriptor()
    {
    }
}
