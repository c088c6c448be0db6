package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0|0 bytes", "1|1 byte", "1023|1,023 bytes", "1024|1 KiB", "1536|1.50 KiB", "10752|10.5 KiB",
        "268435456|256 MiB", "1073741824|1 GiB", "1627389952|1.52 GiB", "9223372036854775807|8 EiB"})
    void shouldShowSizesInTheLargestUnit(final long bytes, final String text)
    {
        assertEquals(text, Text.size(bytes));
    }

    @Test
    void shouldCountThings()
    {
        assertEquals("0 pairs", Text.count(0, "pair"));
        assertEquals("1 pair", Text.count(1, "pair"));
        assertEquals("1,234,567 pairs", Text.count(1_234_567, "pair"));
    }

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
