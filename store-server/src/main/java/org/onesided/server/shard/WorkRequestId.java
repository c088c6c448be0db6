package org.onesided.server.shard;

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
final class WorkRequestId
{
    private static final int NUMBER_BITS = 40;
    private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;
    private static final long RECEIVE = 1L << 62;
    private static final int TAG_MASK = (1 << 22) - 1;

    private WorkRequestId()
    {
    }

    static long ofSend(final int tag, final long number)
    {
        return (tag & (long)TAG_MASK) << NUMBER_BITS | number & NUMBER_MASK;
    }

    static long ofReceive(final int tag, final int index)
    {
        return RECEIVE | ofSend(tag, index);
    }

    static boolean isReceive(final long id)
    {
        return (id & RECEIVE) != 0;
    }

    /** Whether the id is one of the queue pair with the tag. */
    static boolean isOf(final int tag, final long id)
    {
        return (((id & ~RECEIVE) >>> NUMBER_BITS) ^ tag & TAG_MASK) == 0;
    }

    /** How far the id's number is beyond another one; numbers wrap around. */
    static long distance(final long from, final long id)
    {
        return id - from & NUMBER_MASK;
    }
}
