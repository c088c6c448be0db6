package org.onesided.tools.load.value;

/**
 * Layout of a value under load. All words are little-endian.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                             Magic                             |
 *  +---------------------------------------------------------------+
 *  |                         Value Length                          |
 *  +---------------------------------------------------------------+
 *  |                          Key Number                           |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                            Writer                             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                            Counter                            |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                             Body                             ...
 * ...                                                              |
 *  +---------------------------------------------------------------+
 * </pre>
 * The body is a pattern, over and over, whose words follow from all that is before it. So no two values have the same,
 * each byte of a value is known from its head, and a value made of pieces of two is found out.
 */
final class ValueDescriptor
{
    /** First word of each value. */
    static final int MAGIC = 0x1051_DED1;

    /** The magic number. */
    static final int MAGIC_OFFSET = 0;

    /** Length of the whole value in bytes. */
    static final int LENGTH_OFFSET = MAGIC_OFFSET + Integer.BYTES;

    /** Number of the item that the key names. */
    static final int KEY_OFFSET = LENGTH_OFFSET + Integer.BYTES;

    /** Number of the writer. */
    static final int WRITER_OFFSET = KEY_OFFSET + Long.BYTES;

    /** Counter of the writer's writes, from 1. */
    static final int COUNTER_OFFSET = WRITER_OFFSET + Long.BYTES;

    /** Words derived from the head. */
    static final int BODY_OFFSET = COUNTER_OFFSET + Long.BYTES;

    /** Length of the pattern; comparing its repetitions takes a few vector instructions. */
    static final int PATTERN_LENGTH = 8 * Long.BYTES;

    private ValueDescriptor()
    {
    }
}
