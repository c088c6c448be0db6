package org.onesided.verbs;

/**
 * Layout of a completion, {@code struct ibv_wc}, in native byte order but for the immediate data.
 *
 * <pre>
 *   0         4         8         12        16
 *  +---------+---------+---------+---------+
 *  | wr_id             | status  | opcode  |
 *  +---------+---------+---------+---------+
 *  | vendor  | byte_len| imm_data| qp_num  |
 *  +---------+---------+---------+---------+
 *  | src_qp  | flags   | not used here     |
 *  +---------+---------+---------+---------+
 * </pre>
 */
public final class CompletionDescriptor
{
    /** The id of the work request. */
    public static final int ID_OFFSET = 0;
    /** Status, see {@link CompletionStatus}. */
    public static final int STATUS_OFFSET = ID_OFFSET + Long.BYTES;
    /** Operation, see {@link CompletionOpcode}; only on success. */
    public static final int OPCODE_OFFSET = STATUS_OFFSET + Integer.BYTES;
    /** The vendor's own code of an error. */
    public static final int VENDOR_ERROR_OFFSET = OPCODE_OFFSET + Integer.BYTES;
    /** Bytes that arrived, for receives, READs and atomics. */
    public static final int BYTE_LENGTH_OFFSET = VENDOR_ERROR_OFFSET + Integer.BYTES;
    /** Immediate data, in network byte order. */
    public static final int IMMEDIATE_OFFSET = BYTE_LENGTH_OFFSET + Integer.BYTES;
    /** Number of this side's queue pair. */
    public static final int QUEUE_PAIR_OFFSET = IMMEDIATE_OFFSET + Integer.BYTES;
    /** Number of the peer's queue pair, for unreliable services. */
    public static final int SOURCE_QUEUE_PAIR_OFFSET = QUEUE_PAIR_OFFSET + Integer.BYTES;
    /** Flags. */
    public static final int FLAGS_OFFSET = SOURCE_QUEUE_PAIR_OFFSET + Integer.BYTES;
    /** Length of the whole. */
    public static final int LENGTH = 48;

    /** Flag: immediate data is there. */
    public static final int WITH_IMMEDIATE = 1 << 1;

    private CompletionDescriptor()
    {
    }
}
