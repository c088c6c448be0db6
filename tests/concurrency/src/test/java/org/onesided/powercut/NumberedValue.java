package org.onesided.powercut;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Values that tell who put them, and all of whose bytes follow from that.
 *
 * <pre>
 *  number:8 | bytes drawn with the number as seed
 *
 *  number = 0:1 | writer:7 | length:24 | count:32
 * </pre>
 */
final class NumberedValue
{
    /** In place of a number: there is no such key. */
    static final long ABSENT = 0;
    /** In place of a number: bytes that nobody put. */
    static final long CORRUPT = -1;

    private static final int WRITER_SHIFT = 56;
    private static final int LENGTH_SHIFT = 32;
    private static final int MAX_LENGTH = (1 << 24) - 1;

    private NumberedValue()
    {
    }

    static long number(final int writer, final int length, final int count)
    {
        return (long)writer << WRITER_SHIFT | (long)length << LENGTH_SHIFT | count;
    }

    static byte[] bytes(final long number)
    {
        final byte[] bytes = new byte[(int)(number >>> LENGTH_SHIFT) & MAX_LENGTH];
        new SplittableRandom(number).nextBytes(bytes);
        ByteBuffer.wrap(bytes).putLong(0, number);
        return bytes;
    }

    /** The number of a value as it was found; null is an absent one. */
    static long read(final byte[] value)
    {
        if (value == null)
        {
            return ABSENT;
        }
        if (value.length < Long.BYTES)
        {
            return CORRUPT;
        }
        final long number = ByteBuffer.wrap(value).getLong(0);
        return number > 0 && Arrays.equals(bytes(number), value) ? number : CORRUPT;
    }

    static String text(final long number)
    {
        return number == ABSENT ? "absent" : number == CORRUPT ? "CORRUPT" :
            (number >>> WRITER_SHIFT) + "." + (number & 0xFFFF_FFFFL) +
                " (" + ((number >>> LENGTH_SHIFT) & MAX_LENGTH) + " bytes)";
    }
}
