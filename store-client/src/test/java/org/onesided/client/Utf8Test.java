package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Utf8Test
{
    @Test
    void shouldEncodeAndDecode()
    {
        final String text = "a\0ß键\uD83D\uDE00";
        assertArrayEquals(text.getBytes(StandardCharsets.UTF_8), Utf8.encode(text));
        assertEquals(text, Utf8.decode(Utf8.encode(text)));
        assertEquals("", Utf8.decode(Utf8.encode("")));
    }

    @Test
    void shouldRefuseHalfASurrogatePair()
    {
        assertNull(Utf8.encode("a\uD83D"));
        assertNull(Utf8.encode("\uDE00\uD83Da"));
    }

    @Test
    void shouldKeepTheReplacementCharacter()
    {
        assertEquals("a?\uFFFD", Utf8.decode(Utf8.encode("a?\uFFFD")));
    }

    @Test
    void shouldRefuseBytesThatAreNotUtf8()
    {
        assertNull(Utf8.decode(new byte[] {'a', -1}));
        assertNull(Utf8.decode(new byte[] {(byte)0xC0, (byte)0x80}));
    }
}
