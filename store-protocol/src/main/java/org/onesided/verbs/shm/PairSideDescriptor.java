package org.onesided.verbs.shm;

import org.agrona.BitUtil;

/**
 * Layout of what one of two connected queue pairs tells the other.
 *
 * <pre>
 *   0         4         8         12        16        20        24        28        32
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | state   | access  | domain  | rnr     | channel | channel | shared  | shared  |
 *  |         |         |         | timer   | of sends| of recvs| queue   | capacity|
 *  +---------+---------+---------+---------+---------+---------+---------+---------+  64
 *  | wake-ups, cleared by the other side                                           |
 *  +-------------------------------------------------------------------------------+ 128
 *  | fault that this side found in the other                                       |
 *  +-------------------------------------------------------------------------------+ 192
 *  | receives posted   |                                                           |
 *  +-------------------------------------------------------------------------------+ 256
 *  | bytes put         |                                                           |
 *  +-------------------------------------------------------------------------------+ 320
 *  | bytes taken       |                                                           |
 *  +-------------------------------------------------------------------------------+ 384
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
    /** Number of the channel of its send completions, 0 for none. */
    static final int SEND_CHANNEL_OFFSET = RNR_TIMER_OFFSET + Integer.BYTES;
    /** Number of the channel of its receive completions, 0 for none. */
    static final int RECEIVE_CHANNEL_OFFSET = SEND_CHANNEL_OFFSET + Integer.BYTES;
    /** Number of its shared receive queue, 0 for none. */
    static final int SHARED_QUEUE_OFFSET = RECEIVE_CHANNEL_OFFSET + Integer.BYTES;
    /** Places of its shared receive queue. */
    static final int SHARED_CAPACITY_OFFSET = SHARED_QUEUE_OFFSET + Integer.BYTES;

    /** What this side wants to be woken for. */
    static final int WAKE_UPS_OFFSET = STATE_OFFSET + BitUtil.CACHE_LINE_LENGTH;
    /** Fault that this side found in a request of its own to the other, which takes the other to ERR. */
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
