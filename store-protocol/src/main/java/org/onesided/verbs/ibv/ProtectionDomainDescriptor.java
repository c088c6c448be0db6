package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_pd}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | context                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class ProtectionDomainDescriptor
{
    /** Address of the {@code ibv_context}. */
    static final int CONTEXT_OFFSET = 0;

    private ProtectionDomainDescriptor()
    {
    }
}
