package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyReaderTest
{
    private static KeyReader reader(final String text)
    {
        return reader(text, ByteEncoding.UTF8);
    }

    private static KeyReader reader(final String text, final ByteEncoding encoding)
    {
        return new KeyReader(
            new ByteArrayInputStream(text.getBytes(ISO_8859_1)), new PairLimits(8, 100), encoding);
    }

    @Test
    void shouldReadAKeyPerLine() throws Exception
    {
        final KeyReader reader = reader("red\n \\t\\n\\\\\\xFF\n\u00e9\nlast");
        assertTrue(reader.next());
        assertArrayEquals("red".getBytes(ISO_8859_1), reader.key());
        assertTrue(reader.next());
        assertArrayEquals(new byte[]{' ', '\t', '\n', '\\', (byte)0xFF}, reader.key());
        assertTrue(reader.next());
        assertArrayEquals(new byte[]{(byte)0xE9}, reader.key());
        assertTrue(reader.next());
        assertArrayEquals("last".getBytes(ISO_8859_1), reader.key());
        assertFalse(reader.next());
        assertEquals(22, reader.bytesRead());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "'a\tb'|the line has a tab",
        "'\n'|the key is empty",
        "123456789|the key is too long: length=9 longest=8",
        "a\\q|unknown escape \\q",
        "a\\|lone backslash",
        "'a\r'|carriage return",
    })
    void shouldRefuseWhatIsNoKey(final String line, final String reason)
    {
        final KeyReader reader = reader("first\n" + line + "\n");
        final BrokenLineException refused = assertThrows(BrokenLineException.class, () ->
        {
            reader.next();
            reader.next();
        });
        assertEquals(2, refused.line());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    @Test
    void shouldReadKeysInOtherEncodings() throws Exception
    {
        final KeyReader reader = reader("00ff\nFF\n", ByteEncoding.HEX);
        assertTrue(reader.next());
        assertArrayEquals(new byte[]{0, -1}, reader.key());
        assertTrue(reader.next());
        assertArrayEquals(new byte[]{-1}, reader.key());
        assertFalse(reader.next());

        final KeyReader broken = reader("0\n0011223344556677\n001122334455667788\n", ByteEncoding.HEX);
        final BrokenLineException e = assertThrows(BrokenLineException.class, broken::next);
        assertEquals("the key is not two hexadecimal digits per byte: 0", e.getMessage());
        assertTrue(broken.next());
        assertEquals(8, broken.key().length);
        assertEquals("the key is too long: length=9 longest=8",
            assertThrows(BrokenLineException.class, broken::next).getMessage());
    }
}
