package org.onesided.protocol.table;

/**
 * Layout of what a dead record leaves, as long as its granules are free. What comes after it is zero, or will be soon.
 *
 * <pre>
 *   0            2            4            6            8
 *  +------------+------------+------------+------------+
 *  | check                                             |
 *  +------------+------------+------------+------------+
 *  | forward                                           |
 *  +------------+------------+------------+------------+
 * </pre>
 *
 * <p>The forward word is written after the new record became live, in one piece. It is only a hint: the new record may
 * be dead by then itself, and while this one dies a reader still sees its version there. So a reader checks that the
 * word has its key's fingerprint and points into the shard's heap, READs what is there as it would after any other
 * hint, and follows a few of them at most. A forward of another key that left its own here, or bytes that just look
 * like one, cost a READ.
 */
public final class DeadRecordDescriptor
{
    /** {@link RecordDescriptor#DEAD}, where the check word was. */
    public static final int CHECK_OFFSET = RecordDescriptor.CHECK_OFFSET;
    /** {@link SlotWord} of the record that took this one's place, where the version was; 0 if there is none. */
    public static final int FORWARD_OFFSET = CHECK_OFFSET + Long.BYTES;
    /** Length of these words. */
    public static final int LENGTH = FORWARD_OFFSET + Long.BYTES;

    private DeadRecordDescriptor()
    {
    }
}
