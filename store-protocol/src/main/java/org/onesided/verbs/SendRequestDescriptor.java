package org.onesided.verbs;

/**
 * Layout of {@code struct ibv_send_wr} on 64-bit platforms, in native byte order but for the immediate data.
 *
 * <pre>
 *   0         4         8         12        16
 *  +---------+---------+---------+---------+
 *  | wr_id             | next              |
 *  +---------+---------+---------+---------+
 *  | sg_list           | num_sge | opcode  |
 *  +---------+---------+---------+---------+
 *  | flags   | imm_data| remote_addr       |
 *  +---------+---------+---------+---------+
 *  | rkey / compare_add| swap              |
 *  +---------+---------+---------+---------+
 *  | rkey (of atomics) | not used here     |
 *  +---------+---------+                   |
 *  |                              ... 128  |
 *  +---------+---------+---------+---------+
 * </pre>
 */
public final class SendRequestDescriptor
{
    /** The caller's own number, returned by the completion. */
    public static final int ID_OFFSET = 0;
    /** Address of the next request of the chain, or 0. */
    public static final int NEXT_OFFSET = ID_OFFSET + Long.BYTES;
    /** Address of the array of scatter/gather elements. */
    public static final int ELEMENTS_OFFSET = NEXT_OFFSET + Long.BYTES;
    /** How many elements. */
    public static final int ELEMENT_COUNT_OFFSET = ELEMENTS_OFFSET + Long.BYTES;
    /** Operation, see {@link Opcode}. */
    public static final int OPCODE_OFFSET = ELEMENT_COUNT_OFFSET + Integer.BYTES;
    /** Flags, see {@link SendFlags}. */
    public static final int FLAGS_OFFSET = OPCODE_OFFSET + Integer.BYTES;
    /** Immediate data, in network byte order. */
    public static final int IMMEDIATE_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    /** Address of the peer's memory. */
    public static final int REMOTE_ADDRESS_OFFSET = IMMEDIATE_OFFSET + Integer.BYTES;
    /** Key of the peer's memory, for READ and WRITE. */
    public static final int REMOTE_KEY_OFFSET = REMOTE_ADDRESS_OFFSET + Long.BYTES;
    /** What an atomic compares with, or adds. */
    public static final int COMPARE_ADD_OFFSET = REMOTE_ADDRESS_OFFSET + Long.BYTES;
    /** What a compare-and-swap writes. */
    public static final int SWAP_OFFSET = COMPARE_ADD_OFFSET + Long.BYTES;
    /** Key of the peer's memory, for atomics. */
    public static final int ATOMIC_REMOTE_KEY_OFFSET = SWAP_OFFSET + Long.BYTES;
    /** Length of the whole. */
    public static final int LENGTH = 128;

    private SendRequestDescriptor()
    {
    }
}
