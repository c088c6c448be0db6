package org.onesided.server.queue;

/**
 * Work-request ids of a shard's queue pairs, whose completions share one queue.
 *
 * <pre>
 *    6 6 6                     4 3
 *    3 2 1                     0 9                                     0
 *   +-+-+-----------------------+---------------------------------------+
 *   |0|R|          Tag          |                Number                 |
 *   +-+-+-----------------------+---------------------------------------+
 * </pre>
 *
 * R tells receives from sends. The tag tells a queue pair's completions from those that a destroyed queue
 * pair of the same number left behind. The number is a receive's index, or counts the sends.
 */
public final class WorkRequestId
{
    private static final int NUMBER_BITS = 40;
    private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;
    private static final long RECEIVE = 1L << 62;
    private static final int TAG_MASK = (1 << 22) - 1;

    private WorkRequestId()
    {
    }

    /**
     * @param tag    of the queue pair.
     * @param number of the send.
     * @return id of a send.
     */
    public static long ofSend(final int tag, final long number)
    {
        return (tag & (long)TAG_MASK) << NUMBER_BITS | number & NUMBER_MASK;
    }

    /**
     * @param tag   of the queue pair.
     * @param index of the receive.
     * @return id of a receive.
     */
    public static long ofReceive(final int tag, final int index)
    {
        return RECEIVE | ofSend(tag, index);
    }

    /**
     * @param id of a work request.
     * @return whether it is one of a receive.
     */
    public static boolean isReceive(final long id)
    {
        return (id & RECEIVE) != 0;
    }

    /**
     * @param tag of a queue pair.
     * @param id  of a work request.
     * @return whether it is one of the queue pair with the tag.
     */
    public static boolean isOf(final int tag, final long id)
    {
        return (((id & ~RECEIVE) >>> NUMBER_BITS) ^ tag & TAG_MASK) == 0;
    }

    /**
     * @param from a number.
     * @param id   of a work request.
     * @return how far the id's number is beyond the other one; numbers wrap around.
     */
    public static long distance(final long from, final long id)
    {
        return id - from & NUMBER_MASK;
    }
}
