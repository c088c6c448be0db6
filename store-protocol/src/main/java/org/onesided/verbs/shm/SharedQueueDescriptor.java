package org.onesided.verbs.shm;

import org.agrona.BitUtil;

/**
 * Layout of the file of a shared receive queue: a ring of receives in the order of posting, which senders claim in
 * order. A sender that finds the head behind a claimed place advances it, so a dead sender blocks no other.
 *
 * <pre>
 *  offset
 *       0  | head: position of the next claim                    |  moved by senders
 *      64  | places of the ring: one word each                   |
 *          | lengths of receives: 4 bytes for each slot          |  written by the owner
 *
 *  word = position:22 | slot:16 | queue pair:24 | state:2            from the highest bit
 * </pre>
 */
final class SharedQueueDescriptor
{
    /** Position of the next claim. */
    static final int HEAD_OFFSET = 0;
    /** First place of the ring. */
    static final int WORDS_OFFSET = HEAD_OFFSET + BitUtil.CACHE_LINE_LENGTH;

    /** State: a receive is posted. */
    static final int POSTED = 1;
    /** State: the receive belongs to the queue pair's next message. */
    static final int CLAIMED = 2;

    private static final int STATE_BITS = 2;
    private static final int NUMBER_BITS = 24;
    private static final int SLOT_BITS = 16;
    private static final int NUMBER_SHIFT = STATE_BITS;
    private static final int SLOT_SHIFT = NUMBER_SHIFT + NUMBER_BITS;
    private static final int POSITION_SHIFT = SLOT_SHIFT + SLOT_BITS;

    private SharedQueueDescriptor()
    {
    }

    static long length(final int capacity)
    {
        return lengthsOffset(capacity) + (long)capacity * Integer.BYTES;
    }

    static long lengthsOffset(final int capacity)
    {
        return WORDS_OFFSET + (long)capacity * Long.BYTES;
    }

    static long word(final long position, final int slot, final int number, final int state)
    {
        return position << POSITION_SHIFT | (long)slot << SLOT_SHIFT | (long)number << NUMBER_SHIFT | state;
    }

    static int state(final long word)
    {
        return (int)word & (1 << STATE_BITS) - 1;
    }

    static int claimant(final long word)
    {
        return (int)(word >>> NUMBER_SHIFT) & (1 << NUMBER_BITS) - 1;
    }

    static int slot(final long word)
    {
        return (int)(word >>> SLOT_SHIFT) & (1 << SLOT_BITS) - 1;
    }

    /**
     * @return whether the word was written for the position.
     */
    static boolean isAt(final long word, final long position)
    {
        return word >>> POSITION_SHIFT == position << POSITION_SHIFT >>> POSITION_SHIFT;
    }
}
