package org.onesided.verbs;

/**
 * Status of a completion, with the values of {@code enum ibv_wc_status}.
 */
public final class CompletionStatus
{
    /** Done. */
    public static final int SUCCESS = 0;
    /** A receive was too small for its message. */
    public static final int LOC_LEN_ERR = 1;
    /** The queue pair cannot do what was asked. */
    public static final int LOC_QP_OP_ERR = 2;
    /** A local buffer's lkey, range or access is wrong. */
    public static final int LOC_PROT_ERR = 4;
    /** Not done: the queue pair was in, or went to, the error state. */
    public static final int WR_FLUSH_ERR = 5;
    /** A peer's request to this side's memory was refused. */
    public static final int LOC_ACCESS_ERR = 8;
    /** The peer refused the request, for one because its receive was too small. */
    public static final int REM_INV_REQ_ERR = 9;
    /** The rkey, range or access of the peer's memory is wrong. */
    public static final int REM_ACCESS_ERR = 10;
    /** The peer could not finish the request. */
    public static final int REM_OP_ERR = 11;
    /** The peer did not answer, however often it was tried. */
    public static final int RETRY_EXC_ERR = 12;
    /** The peer had no receive posted, however often it was tried. */
    public static final int RNR_RETRY_EXC_ERR = 13;
    /** The device or the driver failed. */
    public static final int FATAL_ERR = 19;
    /** Anything else. */
    public static final int GENERAL_ERR = 21;

    private CompletionStatus()
    {
    }

    /**
     * @param status of a completion.
     * @return its name as libibverbs spells it, without the prefix; {@code status=N} for an unknown one.
     */
    public static String name(final int status)
    {
        return switch (status)
        {
            case SUCCESS -> "SUCCESS";
            case LOC_LEN_ERR -> "LOC_LEN_ERR";
            case LOC_QP_OP_ERR -> "LOC_QP_OP_ERR";
            case 3 -> "LOC_EEC_OP_ERR";
            case LOC_PROT_ERR -> "LOC_PROT_ERR";
            case WR_FLUSH_ERR -> "WR_FLUSH_ERR";
            case 6 -> "MW_BIND_ERR";
            case 7 -> "BAD_RESP_ERR";
            case LOC_ACCESS_ERR -> "LOC_ACCESS_ERR";
            case REM_INV_REQ_ERR -> "REM_INV_REQ_ERR";
            case REM_ACCESS_ERR -> "REM_ACCESS_ERR";
            case REM_OP_ERR -> "REM_OP_ERR";
            case RETRY_EXC_ERR -> "RETRY_EXC_ERR";
            case RNR_RETRY_EXC_ERR -> "RNR_RETRY_EXC_ERR";
            case 14 -> "LOC_RDD_VIOL_ERR";
            case 15 -> "REM_INV_RD_REQ_ERR";
            case 16 -> "REM_ABORT_ERR";
            case 17 -> "INV_EECN_ERR";
            case 18 -> "INV_EEC_STATE_ERR";
            case FATAL_ERR -> "FATAL_ERR";
            case 20 -> "RESP_TIMEOUT_ERR";
            case GENERAL_ERR -> "GENERAL_ERR";
            default -> "status=" + status;
        };
    }
}
