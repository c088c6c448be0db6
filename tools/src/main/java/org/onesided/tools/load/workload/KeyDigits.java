package org.onesided.tools.load.workload;

import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * Writes long numbers in decimal, eight digits at a time, with all digits of a step in one word. Otherwise, writing a
 * key would take as long as drawing an item.
 */
final class KeyDigits
{
    private static final long EIGHT_DIGITS = 100_000_000L;
    private static final long SIXTEEN_DIGITS = EIGHT_DIGITS * EIGHT_DIGITS;

    private KeyDigits()
    {
    }

    /**
     * @param number from 0.
     * @param buffer to write to, with room for 19 bytes.
     * @param index  of the first digit.
     * @return number of digits.
     */
    static int write(final long number, final MutableDirectBuffer buffer, final int index)
    {
        if (number < SIXTEEN_DIGITS)
        {
            return buffer.putLongAscii(index, number);
        }
        final int first = (int)(number / SIXTEEN_DIGITS);
        final long rest = number % SIXTEEN_DIGITS;
        final int digits = buffer.putNaturalIntAscii(index, first);
        buffer.putLong(index + digits, ascii((int)(rest / EIGHT_DIGITS)), ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(index + digits + Long.BYTES, ascii((int)(rest % EIGHT_DIGITS)), ByteOrder.LITTLE_ENDIAN);
        return digits + 2 * Long.BYTES;
    }

    /** Eight digits, the first in the lowest byte. Products by fixed reciprocals are exact for numbers so small. */
    private static long ascii(final int number)
    {
        final long fours = number / 10_000 | (long)(number % 10_000) << 32;
        final long hundreds = (fours * 10_486 >>> 20) & 0x0000_007F_0000_007FL;
        final long twos = hundreds | fours - 100 * hundreds << 16;
        final long tens = (twos * 103 >>> 10) & 0x000F_000F_000F_000FL;
        return (tens | twos - 10 * tens << 8) | 0x3030_3030_3030_3030L;
    }
}
