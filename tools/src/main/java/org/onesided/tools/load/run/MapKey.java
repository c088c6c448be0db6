package org.onesided.tools.load.run;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * A key in a map: one of a session's own, set anew for each lookup, or a copy that stays. Most keys are short, so their
 * bytes are in the object itself. Not thread-safe before it stays.
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

    /** Makes this the key that begins a buffer. */
    MapKey set(final DirectBuffer buffer, final int keyLength)
    {
        first = word(buffer, 0, keyLength);
        second = word(buffer, Long.BYTES, keyLength);
        // Of a key of more than two words, its last eight bytes, so that there are no single ones.
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

    /** The same, to stay. */
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

    /** Up to eight bytes, those beyond the key's end as zeros. */
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
