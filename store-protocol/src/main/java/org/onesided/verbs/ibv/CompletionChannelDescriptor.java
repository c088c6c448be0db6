package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_comp_channel}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | context                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | fd                                    |
 *  +---------+---------+---------+---------+
 * </pre>
 */
final class CompletionChannelDescriptor
{
    /** Address of the {@code ibv_context}. */
    static final int CONTEXT_OFFSET = 0;
    /** File descriptor of events. */
    static final int FD_OFFSET = CONTEXT_OFFSET + Long.BYTES;

    private CompletionChannelDescriptor()
    {
    }
}
