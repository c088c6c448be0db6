package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class KeyTextTest
{
    private static String show(final byte[] key)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(4096, Long.BYTES));
        buffer.putBytes(0, key);
        return KeyText.of(buffer.addressOffset(), key.length);
    }

    @Test
    void shouldShowTextAsItIs()
    {
        assertEquals("grüße 键", show(TestRegion.bytes("grüße 键")));
    }

    @Test
    void shouldShowControlCharactersAndOtherBytesInHex()
    {
        assertEquals("a\\x0ab", show(TestRegion.bytes("a\nb")));
        assertEquals("\\x00\\xffk", show(new byte[] {0, -1, 'k'}));
        assertEquals("\\x1b[2J", show(TestRegion.bytes("\u001b[2J")));
        assertEquals("\\xe2\\x80\\xae", show(TestRegion.bytes("\u202e")));
    }

    @Test
    void shouldCutLongKeys()
    {
        assertEquals("x".repeat(64) + "... (65 bytes)", show(TestRegion.bytes("x".repeat(65))));
    }
}
