package org.onesided.verbs;

/**
 * Operations of completions, with the values of {@code enum ibv_wc_opcode}. Meaningful only where the status is
 * {@link CompletionStatus#SUCCESS} (ibv_poll_cq(3)).
 */
public final class CompletionOpcode
{
    /** A SEND, with or without immediate. */
    public static final int SEND = 0;

    /** An RDMA WRITE, with or without immediate. */
    public static final int RDMA_WRITE = 1;

    /** An RDMA READ. */
    public static final int RDMA_READ = 2;

    /** A compare-and-swap. */
    public static final int COMP_SWAP = 3;

    /** A fetch-and-add. */
    public static final int FETCH_ADD = 4;

    /** A receive filled by a SEND. */
    public static final int RECV = 1 << 7;

    /** A receive consumed by an RDMA WRITE with immediate. */
    public static final int RECV_RDMA_WITH_IMM = RECV + 1;

    private CompletionOpcode()
    {
    }

    /**
     * @param opcode of a completion.
     * @return its name as libibverbs spells it, without the prefix; {@code opcode=N} for an unknown one.
     */
    public static String name(final int opcode)
    {
        return switch (opcode)
        {
            case SEND -> "SEND";
            case RDMA_WRITE -> "RDMA_WRITE";
            case RDMA_READ -> "RDMA_READ";
            case COMP_SWAP -> "COMP_SWAP";
            case FETCH_ADD -> "FETCH_ADD";
            case RECV -> "RECV";
            case RECV_RDMA_WITH_IMM -> "RECV_RDMA_WITH_IMM";
            default -> "opcode=" + opcode;
        };
    }
}
