package org.onesided.linearizability;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The bytes of a value: its number, which tells who put it and how long it is, whatever bytes, and a code over all of
 * it. So the parts of two values never pass for one.
 *
 * <pre>
 *  number:8 | ... | code:8
 *
 *  number = 0:1 | writer:7 | length:24 | count:32
 * </pre>
 */
final class Values
{
    static final int MIN_LENGTH = 2 * Long.BYTES;
    static final int MAX_LENGTH = (1 << 24) - 1;
    static final int MAX_WRITER = (1 << 7) - 1;

    private static final int LENGTH_SHIFT = 32;
    private static final int WRITER_SHIFT = 56;
    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    private Values()
    {
    }

    static long number(final int writer, final int length, final int count)
    {
        return (long)writer << WRITER_SHIFT | (long)length << LENGTH_SHIFT | count & 0xFFFF_FFFFL;
    }

    static int length(final long number)
    {
        return (int)(number >>> LENGTH_SHIFT) & MAX_LENGTH;
    }

    /** Fills a value with bytes of no meaning. */
    static void fill(final MutableDirectBuffer buffer, final long number)
    {
        final int length = length(number);
        long word = number;
        for (int i = Long.BYTES; i < length - Long.BYTES; i++)
        {
            if (i <= length - 2 * Long.BYTES)
            {
                word = word * ODD + 1;
                buffer.putLong(i, word);
                i += Long.BYTES - 1;
            }
            else
            {
                buffer.putByte(i, (byte)(word >>> i));
            }
        }
        seal(buffer, number);
    }

    /** Gives a value its number and its code. */
    static void seal(final MutableDirectBuffer buffer, final long number)
    {
        final int end = length(number) - Long.BYTES;
        buffer.putLong(0, number);
        buffer.putLong(end, code(buffer, end));
    }

    /** The number of a value that is whole, or {@link Operation#CORRUPT}. */
    static long read(final DirectBuffer buffer, final int length)
    {
        if (length < MIN_LENGTH)
        {
            return Operation.CORRUPT;
        }
        final long number = buffer.getLong(0);
        final int end = length - Long.BYTES;
        return number > 0 && length(number) == length && buffer.getLong(end) == code(buffer, end) ?
            number : Operation.CORRUPT;
    }

    static String text(final long number)
    {
        return number == Operation.CORRUPT ? "CORRUPT" :
            (number >>> WRITER_SHIFT) + "." + (number & 0xFFFF_FFFFL) + " (" + length(number) + " bytes)";
    }

    private static long code(final DirectBuffer buffer, final int length)
    {
        long code = length * ODD;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES)
        {
            code = (code ^ buffer.getLong(i)) * 0xBF58_476D_1CE4_E5B9L;
            code ^= code >>> 29;
        }
        for (; i < length; i++)
        {
            code = (code ^ buffer.getByte(i)) * 0xBF58_476D_1CE4_E5B9L;
            code ^= code >>> 29;
        }
        return code;
    }
}
