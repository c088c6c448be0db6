package org.onesided.tools.load.value;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Writes values that describe themselves, and recognises them. Thread-safe.
 */
public final class ValueCodec
{
    /** Length of the shortest value that can be verified, in bytes. */
    public static final int MIN_LENGTH = ValueDescriptor.BODY_OFFSET + Long.BYTES;

    /** Odd, so that the words of a body differ: 2^64 divided by the golden ratio. */
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private static final VarHandle WORDS_32 = MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
    private static final VarHandle WORDS_64 = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

    private ValueCodec()
    {
    }

    /**
     * Writes a value.
     *
     * @param value   a buffer around a whole array, written from its beginning.
     * @param length  of the value in bytes; below {@link #MIN_LENGTH}, the value has only a body.
     * @param key     number of the item.
     * @param writer  of the value.
     * @param counter of this writer's writes.
     */
    public static void write(
        final MutableDirectBuffer value, final int length, final long key, final long writer, final long counter)
    {
        final byte[] bytes = array(value, length);
        final int start = length >= MIN_LENGTH ? ValueDescriptor.BODY_OFFSET : 0;
        if (start > 0)
        {
            WORDS_32.set(bytes, ValueDescriptor.MAGIC_OFFSET, ValueDescriptor.MAGIC);
            WORDS_32.set(bytes, ValueDescriptor.LENGTH_OFFSET, length);
            WORDS_64.set(bytes, ValueDescriptor.KEY_OFFSET, key);
            WORDS_64.set(bytes, ValueDescriptor.WRITER_OFFSET, writer);
            WORDS_64.set(bytes, ValueDescriptor.COUNTER_OFFSET, counter);
        }
        final int patternEnd = Math.min(start + ValueDescriptor.PATTERN_LENGTH, length);
        long word = firstWord(length, key, writer, counter);
        int at = start;
        for (; at + Long.BYTES <= patternEnd; at += Long.BYTES)
        {
            WORDS_64.set(bytes, at, word);
            word += STEP;
        }
        for (; at < patternEnd; at++)
        {
            bytes[at] = (byte)word;
            word >>>= Byte.SIZE;
        }
        // Doubles each time; copies a multiple of the pattern, or the rest.
        for (int done = at - start; at < length; at += done, done *= 2)
        {
            System.arraycopy(bytes, start, bytes, at, Math.min(done, length - at));
        }
    }

    /**
     * @param value  to check.
     * @param length of it in bytes.
     * @return whether it has a head of {@link #write}.
     */
    public static boolean hasHead(final DirectBuffer value, final int length)
    {
        return length >= MIN_LENGTH &&
            value.getInt(ValueDescriptor.MAGIC_OFFSET, LITTLE_ENDIAN) == ValueDescriptor.MAGIC &&
            value.getInt(ValueDescriptor.LENGTH_OFFSET, LITTLE_ENDIAN) == length;
    }

    /**
     * @param value  a buffer around a whole array, checked from its beginning.
     * @param length of it in bytes.
     * @return whether {@link #write} wrote all of it.
     */
    public static boolean isWhole(final DirectBuffer value, final int length)
    {
        if (!hasHead(value, length))
        {
            return false;
        }
        final byte[] bytes = array(value, length);
        final int start = ValueDescriptor.BODY_OFFSET;
        final int patternEnd = Math.min(start + ValueDescriptor.PATTERN_LENGTH, length);
        long word = firstWord(length, key(value), writer(value), counter(value));
        long difference = 0;
        int at = start;
        for (; at + Long.BYTES <= patternEnd; at += Long.BYTES)
        {
            difference |= (long)WORDS_64.get(bytes, at) ^ word;
            word += STEP;
        }
        for (; at < patternEnd; at++)
        {
            difference |= bytes[at] ^ (byte)word;
            word >>>= Byte.SIZE;
        }
        // The rest repeats the pattern if each byte equals the one a pattern's length before it.
        return difference == 0 && Arrays.equals(bytes, start, start + length - patternEnd, bytes, patternEnd, length);
    }

    static long key(final DirectBuffer value)
    {
        return value.getLong(ValueDescriptor.KEY_OFFSET, LITTLE_ENDIAN);
    }

    static long writer(final DirectBuffer value)
    {
        return value.getLong(ValueDescriptor.WRITER_OFFSET, LITTLE_ENDIAN);
    }

    static long counter(final DirectBuffer value)
    {
        return value.getLong(ValueDescriptor.COUNTER_OFFSET, LITTLE_ENDIAN);
    }

    private static byte[] array(final DirectBuffer buffer, final int length)
    {
        buffer.boundsCheck(0, length);
        if (buffer.byteArray() == null || buffer.wrapAdjustment() != 0)
        {
            throw new IllegalArgumentException("a buffer around a whole array is needed: buffer=" + buffer);
        }
        return buffer.byteArray();
    }

    private static long firstWord(final int length, final long key, final long writer, final long counter)
    {
        return mix(mix(mix(key + length) ^ writer) ^ counter);
    }

    /**
     * A bijection in which each bit of the result depends on all bits: Stafford's variant 13, as in Java's
     * SplittableRandom.
     */
    private static long mix(final long value)
    {
        long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
