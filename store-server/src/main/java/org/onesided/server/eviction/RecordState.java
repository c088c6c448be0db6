package org.onesided.server.eviction;

/**
 * What the policy knows of a record, in 16 bits.
 *
 * <pre>
 *   15  14        12  11                            0
 *  +---+------------+--------------------------------+
 *  | r | frequency  | touched                        |
 *  +---+------------+--------------------------------+
 * </pre>
 *
 * <p>r: whether a client has reported a hit since the record was put. Frequency: class of how often the key had come of
 * late when the record was touched last. Touched: when that was, the low bits of the shard's ticks.
 */
final class RecordState
{
    /** Number of classes: r and frequency together. */
    static final int CLASSES = 16;
    /** Number of classes of frequency. */
    static final int FREQUENCIES = 8;
    /** Number of classes of age. Class n begins at an age of 2<sup>n</sup> - 1 ticks. */
    static final int AGES = 13;

    private static final int TOUCHED_MASK = 0xFFF;
    private static final int CLASS_SHIFT = 12;
    private static final int CLASS_MASK = 0xF;
    private static final byte[] FREQUENCY_OF = {0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7};

    private RecordState()
    {
    }

    /**
     * @param count      how often the key came of late, from 1 to {@link KeyHistory#MAX}.
     * @param isReported whether a client reported a hit.
     * @param ticks      of the shard now.
     * @return the state.
     */
    static short of(final int count, final boolean isReported, final int ticks)
    {
        final int frequency = FREQUENCY_OF[count] + (isReported ? FREQUENCIES : 0);
        return (short)(frequency << CLASS_SHIFT | ticks & TOUCHED_MASK);
    }

    /** Class of a state, less than {@link #CLASSES}. */
    static int classOf(final short state)
    {
        return state >>> CLASS_SHIFT & CLASS_MASK;
    }

    /** Cell of a state's class and age, less than {@link #CLASSES} * {@link #AGES}. */
    static int cell(final short state, final int ticks)
    {
        final int age = ticks - state & TOUCHED_MASK;
        return classOf(state) * AGES + Integer.SIZE - 1 - Integer.numberOfLeadingZeros(age + 1);
    }
}
