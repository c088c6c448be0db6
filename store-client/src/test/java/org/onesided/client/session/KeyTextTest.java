package org.onesided.client.session;

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
        assertEquals("grüße 键", show(TestMemory.bytes("grüße 键")));
    }

    @Test
    void shouldShowControlCharactersAndOtherBytesInHex()
    {
        assertEquals("a\\x0ab", show(TestMemory.bytes("a\nb")));
        assertEquals("\\x00\\xffk", show(new byte[] {0, -1, 'k'}));
        assertEquals("\\x1b[2J", show(TestMemory.bytes("\u001b[2J")));
        assertEquals("\\xe2\\x80\\xae", show(TestMemory.bytes("\u202e")));
    }

    @Test
    void shouldCutLongKeys()
    {
        assertEquals("x".repeat(64) + "... (65 bytes)", show(TestMemory.bytes("x".repeat(65))));
    }
}
