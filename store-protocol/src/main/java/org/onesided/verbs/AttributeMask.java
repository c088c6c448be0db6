package org.onesided.verbs;

/**
 * Which attributes a {@link QueuePair#modify} changes, with the values of {@code enum ibv_qp_attr_mask}.
 */
public final class AttributeMask
{
    /** The state to go to. */
    public static final int STATE = 1;
    /** The state the caller takes the queue pair to be in. */
    public static final int CUR_STATE = 1 << 1;
    /** What the peer may do to this side's memory. */
    public static final int ACCESS_FLAGS = 1 << 3;
    /** Index into the port's P_Key table. */
    public static final int PKEY_INDEX = 1 << 4;
    /** The port. */
    public static final int PORT = 1 << 5;
    /** The address of the peer. */
    public static final int AV = 1 << 7;
    /** The path's MTU. */
    public static final int PATH_MTU = 1 << 8;
    /** Acknowledgement timeout. */
    public static final int TIMEOUT = 1 << 9;
    /** Retries after timeouts. */
    public static final int RETRY_CNT = 1 << 10;
    /** Retries while the peer has no receive posted. */
    public static final int RNR_RETRY = 1 << 11;
    /** First packet sequence number to receive. */
    public static final int RQ_PSN = 1 << 12;
    /** READs and atomics that this side may have outstanding. */
    public static final int MAX_QP_RD_ATOMIC = 1 << 13;
    /** Alternate path. */
    public static final int ALT_PATH = 1 << 14;
    /** How long a peer waits when no receive is posted here. */
    public static final int MIN_RNR_TIMER = 1 << 15;
    /** First packet sequence number to send. */
    public static final int SQ_PSN = 1 << 16;
    /** READs and atomics that the peer may have outstanding. */
    public static final int MAX_DEST_RD_ATOMIC = 1 << 17;
    /** Path migration state. */
    public static final int PATH_MIG_STATE = 1 << 18;
    /** Capacities. */
    public static final int CAP = 1 << 19;
    /** The peer's queue pair number. */
    public static final int DEST_QPN = 1 << 20;

    private AttributeMask()
    {
    }
}
