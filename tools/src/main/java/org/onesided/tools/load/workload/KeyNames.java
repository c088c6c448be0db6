package org.onesided.tools.load.workload;

import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * Key names as in YCSB: {@code user} and the item's number, or its hash, with leading zeros.
 *
 * @param isHashed    whether the number is hashed, which scatters consecutive items.
 * @param zeroPadding least number of digits, 1 to {@link #MAX_PADDING}.
 */
public record KeyNames(boolean isHashed, int zeroPadding)
{
    /** Longest padding that fits into a key. */
    public static final int MAX_PADDING = 4000;

    private static final String PREFIX = "user";
    private static final int PREFIX_WORD = 'u' | 's' << 8 | 'e' << 16 | 'r' << 24;
    private static final int MAX_DIGITS = 20;

    /**
     * @param isHashed    whether the number is hashed.
     * @param zeroPadding least number of digits, 1 to {@link #MAX_PADDING}.
     */
    public KeyNames
    {
        if (zeroPadding < 0 || zeroPadding > MAX_PADDING)
        {
            throw new IllegalArgumentException(
                "zeropadding is out of range, 0 to " + MAX_PADDING + ": zeropadding=" + zeroPadding);
        }
    }

    /**
     * @return maximum length of a key in bytes.
     */
    public int maxLength()
    {
        return PREFIX.length() + Math.max(zeroPadding, MAX_DIGITS);
    }

    /**
     * Writes a key.
     *
     * @param number of the item.
     * @param key    to write to, from its beginning; with room for {@link #maxLength} bytes.
     * @return the key's length in bytes.
     */
    public int write(final long number, final MutableDirectBuffer key)
    {
        final int start = PREFIX.length();
        key.putInt(0, PREFIX_WORD, ByteOrder.LITTLE_ENDIAN);
        final long shown = isHashed ? FnvHash.of(number) : number;
        int digits = shown < 0 ? key.putLongAscii(start, shown) : KeyDigits.write(shown, key, start);
        if (digits < zeroPadding)
        {
            key.setMemory(start, zeroPadding - digits, (byte)'0');
            digits = zeroPadding - digits + key.putLongAscii(start + zeroPadding - digits, shown);
        }
        return start + digits;
    }

    /**
     * @param number of the item.
     * @return its key as text.
     */
    public String name(final long number)
    {
        final String digits = Long.toString(isHashed ? FnvHash.of(number) : number);
        return PREFIX + "0".repeat(Math.max(0, zeroPadding - digits.length())) + digits;
    }
}
