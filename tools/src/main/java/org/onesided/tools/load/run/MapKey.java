package org.onesided.tools.load.run;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * A key of the map: one per session, set anew for each lookup, or a copy to keep. The bytes of short keys are in fields
 * of the object. Only a copy is thread-safe.
 */
final class MapKey
{
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final int WORDS_INSIDE = 3;

    private long first;
    private long second;
    private long third;
    private byte[] rest;
    private int length;
    private int hash;

    /** Sets the key to the first bytes of a buffer. */
    MapKey set(final DirectBuffer buffer, final int keyLength)
    {
        first = word(buffer, 0, keyLength);
        second = word(buffer, Long.BYTES, keyLength);
        // The last eight bytes of a key with more than two words, to avoid single bytes.
        third = keyLength <= 2 * Long.BYTES ? 0 :
            buffer.getLong(Math.min(2 * Long.BYTES, keyLength - Long.BYTES));
        length = keyLength;
        rest = null;
        if (keyLength > WORDS_INSIDE * Long.BYTES)
        {
            rest = new byte[keyLength - WORDS_INSIDE * Long.BYTES];
            buffer.getBytes(WORDS_INSIDE * Long.BYTES, rest);
        }
        final long mixed = mix(mix(mix(first) ^ second) ^ third) + Arrays.hashCode(rest);
        hash = (int)(mixed ^ mixed >>> 32);
        return this;
    }

    /** A copy to keep. */
    MapKey copy()
    {
        final MapKey copy = new MapKey();
        copy.first = first;
        copy.second = second;
        copy.third = third;
        copy.rest = rest;
        copy.length = length;
        copy.hash = hash;
        return copy;
    }

    @Override
    public int hashCode()
    {
        return hash;
    }

    @Override
    public boolean equals(final Object other)
    {
        if (!(other instanceof MapKey))
        {
            return false;
        }
        final MapKey that = (MapKey)other;
        return first == that.first && second == that.second && third == that.third && length == that.length &&
            (rest == null || Arrays.equals(rest, that.rest));
    }

    /** Up to eight bytes, padded with zeros. */
    private static long word(final DirectBuffer buffer, final int at, final int keyLength)
    {
        if (at + Long.BYTES <= keyLength)
        {
            return buffer.getLong(at);
        }
        long word = 0;
        for (int i = at; i < keyLength; i++)
        {
            word = word << Byte.SIZE | buffer.getByte(i) & 0xFF;
        }
        return word;
    }

    private static long mix(final long value)
    {
        final long mixed = value * FACTOR;
        return mixed ^ mixed >>> 32;
    }
}
