package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_mr}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | context                                                                       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | pd                                                                            |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | addr                                                                          |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | length                                                                        |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | handle                                | lkey                                  |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | rkey                                  |
 *  +---------+---------+---------+---------+
 * </pre>
 */
final class MemoryRegionDescriptor
{
    /** Address of the {@code ibv_context}. */
    static final int CONTEXT_OFFSET = 0;
    /** Address of the {@code ibv_pd}. */
    static final int PD_OFFSET = CONTEXT_OFFSET + Long.BYTES;
    /** Address of the memory. */
    static final int ADDR_OFFSET = PD_OFFSET + Long.BYTES;
    /** Length of the memory. */
    static final int LENGTH_OFFSET = ADDR_OFFSET + Long.BYTES;
    /** The kernel's number. */
    static final int HANDLE_OFFSET = LENGTH_OFFSET + Long.BYTES;
    /** Local key. */
    static final int LKEY_OFFSET = HANDLE_OFFSET + Integer.BYTES;
    /** Remote key. */
    static final int RKEY_OFFSET = LKEY_OFFSET + Integer.BYTES;

    private MemoryRegionDescriptor()
    {
    }
}
