package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TextTest
{
    @Test
    void shouldShortenLongKeys()
    {
        assertEquals("k".repeat(64) + "...", Text.key("k".repeat(65).getBytes(UTF_8)));
        assertEquals("a\\tb\\xFF", Text.key(new byte[]{'a', '\t', 'b', -1}));
    }

    @Test
    void shouldPutMessagesInOneLine()
    {
        assertEquals("a\\nb\\x1B[0m\\xC2\\x85 é😀 \\t", Text.oneLine("a\nb\u001B[0m\u0085 é😀 \\t"));
    }
}
