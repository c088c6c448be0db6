package org.onesided.verbs.shm;

import org.agrona.BitUtil;

/**
 * Layout of the state that one of two connected queue pairs shares with the other.
 *
 * <pre>
 *   0         4         8         12        16
 *  +---------+---------+---------+---------+
 *  | state   | access  | domain  | timer   |
 *  +---------+---------+---------+---------+
 *  | depth   | send ch.| recv ch.| shared  |
 *  +---------+---------+---------+---------+
 *  | capac.  | padding to 64               |
 *  +---------+---------+---------+---------+   64
 *  | wake-up | padding to 64               |
 *  +---------+---------+---------+---------+  128
 *  | fault   | padding to 64               |
 *  +---------+---------+---------+---------+  192
 *  | receives posted   | padding to 64     |
 *  +---------+---------+---------+---------+  256
 *  | bytes put         | padding to 64     |
 *  +---------+---------+---------+---------+  320
 *  | bytes taken       | padding to 64     |
 *  +---------+---------+---------+---------+  384
 * </pre>
 */
final class PairSideDescriptor
{
    /** State as the ordinal of QueuePairState, or {@link #GONE}. */
    static final int STATE_OFFSET = 0;
    /** Access flags of the queue pair. */
    static final int ACCESS_OFFSET = STATE_OFFSET + Integer.BYTES;
    /** Number of its protection domain. */
    static final int DOMAIN_OFFSET = ACCESS_OFFSET + Integer.BYTES;
    /** Code of its minimum RNR timer. */
    static final int RNR_TIMER_OFFSET = DOMAIN_OFFSET + Integer.BYTES;
    /** READs and atomics that it answers at a time. */
    static final int READ_DEPTH_OFFSET = RNR_TIMER_OFFSET + Integer.BYTES;
    /** Number of the channel of its send completions, 0 for none. */
    static final int SEND_CHANNEL_OFFSET = READ_DEPTH_OFFSET + Integer.BYTES;
    /** Number of the channel of its receive completions, 0 for none. */
    static final int RECEIVE_CHANNEL_OFFSET = SEND_CHANNEL_OFFSET + Integer.BYTES;
    /** Number of its shared receive queue, 0 for none. */
    static final int SHARED_QUEUE_OFFSET = RECEIVE_CHANNEL_OFFSET + Integer.BYTES;
    /** Places of its shared receive queue. */
    static final int SHARED_CAPACITY_OFFSET = SHARED_QUEUE_OFFSET + Integer.BYTES;

    /** Events that this side wants to be woken for. */
    static final int WAKE_UPS_OFFSET = STATE_OFFSET + BitUtil.CACHE_LINE_LENGTH;
    /** Fault that this side found in its own request; it moves the other side to ERR. */
    static final int FAULT_OFFSET = WAKE_UPS_OFFSET + BitUtil.CACHE_LINE_LENGTH;
    /** Receives that this side has ever posted, as far as they fit into the window. */
    static final int POSTED_OFFSET = FAULT_OFFSET + BitUtil.CACHE_LINE_LENGTH;
    /** Bytes that this side has ever put into its ring. */
    static final int PRODUCED_OFFSET = POSTED_OFFSET + BitUtil.CACHE_LINE_LENGTH;
    /** Bytes that this side has ever taken out of the other's ring. */
    static final int CONSUMED_OFFSET = PRODUCED_OFFSET + BitUtil.CACHE_LINE_LENGTH;
    /** Length of the whole. */
    static final int LENGTH = CONSUMED_OFFSET + BitUtil.CACHE_LINE_LENGTH;

    /** State of a queue pair that was reset or destroyed. */
    static final int GONE = 7;

    /** Fault: a wrong key, range or access. */
    static final int FAULT_ACCESS = 1;
    /** Fault: a request that cannot be done. */
    static final int FAULT_REQUEST = 2;

    private PairSideDescriptor()
    {
    }
}
