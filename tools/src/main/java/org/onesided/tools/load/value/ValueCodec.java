package org.onesided.tools.load.value;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Writes values that describe themselves, and tells whether one does. Thread-safe.
 */
public final class ValueCodec
{
    /** Length in bytes of the shortest value that can be verified. */
    public static final int MIN_LENGTH = ValueDescriptor.BODY_OFFSET + Long.BYTES;

    /** Odd, so that the words of a body do not repeat: 2^64 by the golden ratio. */
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private ValueCodec()
    {
    }

    /**
     * Writes a value.
     *
     * @param value   to be written to, from its begin.
     * @param length  of the value in bytes; one below {@link #MIN_LENGTH} has a body only.
     * @param key     number of the item.
     * @param writer  who writes.
     * @param counter the how-manieth of its writes it is.
     */
    public static void write(
        final MutableDirectBuffer value, final int length, final long key, final long writer, final long counter)
    {
        value.boundsCheck(0, length);
        int at = 0;
        if (length >= MIN_LENGTH)
        {
            value.putInt(ValueDescriptor.MAGIC_OFFSET, ValueDescriptor.MAGIC, LITTLE_ENDIAN);
            value.putInt(ValueDescriptor.LENGTH_OFFSET, length, LITTLE_ENDIAN);
            value.putLong(ValueDescriptor.KEY_OFFSET, key, LITTLE_ENDIAN);
            value.putLong(ValueDescriptor.WRITER_OFFSET, writer, LITTLE_ENDIAN);
            value.putLong(ValueDescriptor.COUNTER_OFFSET, counter, LITTLE_ENDIAN);
            at = ValueDescriptor.BODY_OFFSET;
        }
        long word = firstWord(length, key, writer, counter);
        final byte[] base = value.byteArray();
        final long offset = value.addressOffset();
        // Checked once for all; four words at a time, since one step must not wait for the one before.
        for (; at + 4 * Long.BYTES <= length; at += 4 * Long.BYTES)
        {
            UnsafeApi.putLong(base, offset + at, littleEndian(word));
            UnsafeApi.putLong(base, offset + at + Long.BYTES, littleEndian(word + STEP));
            UnsafeApi.putLong(base, offset + at + 2 * Long.BYTES, littleEndian(word + 2 * STEP));
            UnsafeApi.putLong(base, offset + at + 3 * Long.BYTES, littleEndian(word + 3 * STEP));
            word += 4 * STEP;
        }
        for (; at + Long.BYTES <= length; at += Long.BYTES)
        {
            UnsafeApi.putLong(base, offset + at, littleEndian(word));
            word += STEP;
        }
        for (; at < length; at++)
        {
            value.putByte(at, (byte)word);
            word >>>= Byte.SIZE;
        }
    }

    /**
     * @param value  to be looked at.
     * @param length of it in bytes.
     * @return whether it has a head as {@link #write} gives.
     */
    public static boolean hasHead(final DirectBuffer value, final int length)
    {
        return length >= MIN_LENGTH &&
            value.getInt(ValueDescriptor.MAGIC_OFFSET, LITTLE_ENDIAN) == ValueDescriptor.MAGIC &&
            value.getInt(ValueDescriptor.LENGTH_OFFSET, LITTLE_ENDIAN) == length;
    }

    /**
     * @param value  to be looked at.
     * @param length of it in bytes.
     * @return whether it is, as a whole, one that {@link #write} wrote.
     */
    public static boolean isWhole(final DirectBuffer value, final int length)
    {
        value.boundsCheck(0, length);
        if (!hasHead(value, length))
        {
            return false;
        }
        final byte[] base = value.byteArray();
        final long offset = value.addressOffset();
        long word = firstWord(length, key(value), writer(value), counter(value));
        long difference = 0;
        int at = ValueDescriptor.BODY_OFFSET;
        for (; at + 4 * Long.BYTES <= length; at += 4 * Long.BYTES)
        {
            difference |= littleEndian(UnsafeApi.getLong(base, offset + at)) ^ word |
                littleEndian(UnsafeApi.getLong(base, offset + at + Long.BYTES)) ^ word + STEP |
                littleEndian(UnsafeApi.getLong(base, offset + at + 2 * Long.BYTES)) ^ word + 2 * STEP |
                littleEndian(UnsafeApi.getLong(base, offset + at + 3 * Long.BYTES)) ^ word + 3 * STEP;
            word += 4 * STEP;
        }
        for (; at + Long.BYTES <= length; at += Long.BYTES)
        {
            difference |= littleEndian(UnsafeApi.getLong(base, offset + at)) ^ word;
            word += STEP;
        }
        for (; at < length; at++)
        {
            difference |= value.getByte(at) ^ (byte)word;
            word >>>= Byte.SIZE;
        }
        return difference == 0;
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

    private static long littleEndian(final long word)
    {
        return ByteOrder.nativeOrder() == LITTLE_ENDIAN ? word : Long.reverseBytes(word);
    }

    private static long firstWord(final int length, final long key, final long writer, final long counter)
    {
        return mix(mix(mix(key + length) ^ writer) ^ counter);
    }

    /** One to one, and each bit of the result depends on all: Stafford's variant 13, as in Java's SplittableRandom. */
    private static long mix(final long value)
    {
        long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
