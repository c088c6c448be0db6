package org.onesided.verbs;

/**
 * Operations of send work requests, with the values of {@code enum ibv_wr_opcode}.
 */
public final class Opcode
{
    /** Writes to the peer's memory. */
    public static final int RDMA_WRITE = 0;

    /** Writes to the peer's memory and completes one of its receives with 32 bits of immediate data. */
    public static final int RDMA_WRITE_WITH_IMM = 1;

    /** Fills one of the peer's receives. */
    public static final int SEND = 2;

    /** Fills one of the peer's receives and passes 32 bits of immediate data. */
    public static final int SEND_WITH_IMM = 3;

    /** Reads the peer's memory. */
    public static final int RDMA_READ = 4;

    /** Compares the peer's 64-bit word and swaps it if equal; the old value comes back. */
    public static final int ATOMIC_CMP_AND_SWP = 5;

    /** Adds to the peer's 64-bit word; the old value comes back. */
    public static final int ATOMIC_FETCH_AND_ADD = 6;

    private Opcode()
    {
    }

    /**
     * @param opcode of a send work request.
     * @return its name as libibverbs spells it, without the prefix; {@code opcode=N} for an unknown one.
     */
    public static String name(final int opcode)
    {
        return switch (opcode)
        {
            case RDMA_WRITE -> "RDMA_WRITE";
            case RDMA_WRITE_WITH_IMM -> "RDMA_WRITE_WITH_IMM";
            case SEND -> "SEND";
            case SEND_WITH_IMM -> "SEND_WITH_IMM";
            case RDMA_READ -> "RDMA_READ";
            case ATOMIC_CMP_AND_SWP -> "ATOMIC_CMP_AND_SWP";
            case ATOMIC_FETCH_AND_ADD -> "ATOMIC_FETCH_AND_ADD";
            default -> "opcode=" + opcode;
        };
    }
}
