package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_cq}, as far as it is used here: behind that is a mutex, whose length differs by
 * architecture.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | context                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | channel                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | cq_context                                                                    |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | handle                                | cqe                                   |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class CompletionQueueDescriptor
{
    /** Address of the {@code ibv_context}. */
    static final int CONTEXT_OFFSET = 0;
    /** Address of the {@code ibv_comp_channel}, or 0. */
    static final int CHANNEL_OFFSET = CONTEXT_OFFSET + Long.BYTES;
    /** What its maker gave. */
    static final int CQ_CONTEXT_OFFSET = CHANNEL_OFFSET + Long.BYTES;
    /** The kernel's number. */
    static final int HANDLE_OFFSET = CQ_CONTEXT_OFFSET + Long.BYTES;
    /** Capacity. */
    static final int CQE_OFFSET = HANDLE_OFFSET + Integer.BYTES;

    private CompletionQueueDescriptor()
    {
    }
}
