package org.onesided.peers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Keys and values of the numbered records. The keys are those of {@code redis-benchmark -r}, which every system takes:
 * {@code key:} and 12 decimal digits. They are made of two words, without a look at memory.
 */
public final class Records
{
    /** Length of each key in bytes. */
    public static final int KEY_LENGTH = 16;
    /** Stands for the first word of a value that is not there. */
    public static final long ABSENT = 0;
    /** How many records there can be. */
    public static final long MAX_COUNT = 100_000_000;

    /** The text {@code key:0000}, as a little-endian word. */
    private static final long FIRST_WORD = 0x3030_3030_3A79_656BL;
    private static final VarHandle WORDS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SEED = 0x5DEE_CE66_D1CE_4E5BL;

    private Records()
    {
    }

    /**
     * @return first 8 bytes of every key, as a little-endian word.
     */
    public static long firstKeyWord()
    {
        return FIRST_WORD;
    }

    /**
     * @param number of a record, below {@link #MAX_COUNT}.
     * @return last 8 bytes of its key, as a little-endian word: 8 decimal digits, which are computed side by side.
     */
    public static long lastKeyWord(final long number)
    {
        final long fours = number / 10_000 | number % 10_000 << 32;
        final long hundreds = (fours * 10_486 >>> 20) & 0x0000_007F_0000_007FL;
        final long twos = (fours - 100 * hundreds << 16) + hundreds;
        final long tens = (twos * 103 >>> 10) & 0x000F_000F_000F_000FL;
        return (twos - 10 * tens << 8) + tens + 0x3030_3030_3030_3030L;
    }

    /**
     * @param number of a record.
     * @param key    gets its key.
     */
    public static void key(final long number, final byte[] key)
    {
        WORDS.set(key, 0, FIRST_WORD);
        WORDS.set(key, Long.BYTES, lastKeyWord(number));
    }

    /**
     * @param number of a record.
     * @return first 8 bytes of its value, as a little-endian word; never {@link #ABSENT}.
     */
    public static long firstValueWord(final long number)
    {
        return Draw.mix(number + SEED) | 1;
    }

    /**
     * @param value of a record.
     * @return its first 8 bytes, as a little-endian word; {@link #ABSENT} for no value.
     */
    public static long firstWord(final byte[] value)
    {
        return value == null ? ABSENT : word(value, 0);
    }

    static long word(final byte[] bytes, final int offset)
    {
        return (long)WORDS.get(bytes, offset);
    }

    /**
     * @param number of a record.
     * @param value  gets the first word of the record's value; the rest is the same in all records.
     */
    public static void value(final long number, final byte[] value)
    {
        WORDS.set(value, 0, firstValueWord(number));
    }

    /**
     * @param length in bytes.
     * @return what the values of this length have in common, for {@link #value} to complete.
     */
    public static byte[] template(final int length)
    {
        if (length < Long.BYTES)
        {
            throw new IllegalArgumentException("values must have at least 8 bytes: length=" + length);
        }
        final byte[] value = new byte[length];
        long word = SEED;
        for (int i = 0; i < length; i++)
        {
            word = Draw.mix(word + i);
            value[i] = (byte)word;
        }
        return value;
    }
}
