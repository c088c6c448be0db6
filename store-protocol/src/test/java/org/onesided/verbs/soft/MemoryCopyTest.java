package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.NativeArray;

class MemoryCopyTest
{
    private static final int MARGIN = 64;

    @Test
    void shouldCopyEveryLengthAtEveryAlignmentAndNothingElse()
    {
        final int[] lengths =
            {0, 1, 7, 8, 9, 15, 16, 63, 64, 65, 200, 255, 256, 257, 264, 265, 511, 4096, (1 << 21) + 5};
        try (NativeArray from = new NativeArray((1 << 22)); NativeArray to = new NativeArray(1 << 22))
        {
            for (int i = 0; i < from.range().length(); i++)
            {
                UnsafeApi.putByte(from.range().address() + i, (byte)(i * 31 + (i >> 8)));
            }
            for (final int length : lengths)
            {
                for (int alignments = 0; alignments < 64; alignments++)
                {
                    check(from.range().address() + MARGIN + (alignments & 7),
                        to.range().address() + MARGIN + (alignments >> 3), length, length > 1 << 20 ? 509 : 1);
                }
            }
        }
    }

    private static void check(final long source, final long target, final int length, final int step)
    {
        for (final boolean reading : new boolean[] {false, true})
        {
            UnsafeApi.setMemory(null, target - 8, length + 16L, (byte)0x77);
            if (reading)
            {
                MemoryCopy.read(source, target, length);
            }
            else
            {
                MemoryCopy.write(source, target, length);
            }
            for (int i = 0; i < length; i += step)
            {
                if (UnsafeApi.getByte(source + i) != UnsafeApi.getByte(target + i))
                {
                    assertEquals(UnsafeApi.getByte(source + i), UnsafeApi.getByte(target + i), "byte " + i);
                }
            }
            for (int i = 1; i <= 8; i++)
            {
                assertEquals(0x77, UnsafeApi.getByte(target - i));
                assertEquals(0x77, UnsafeApi.getByte(target + length + i - 1));
            }
        }
    }
}
