package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.types.Version;

class TsvTest extends PairFormatContract
{
    TsvTest()
    {
        super(PairFormat.TSV);
    }

    @Test
    void shouldWriteKeyTabValue() throws IOException
    {
        assertEquals("key\tvalue\n", written("key", "value"));
    }

    @Test
    void shouldWriteAVersionAsAColumn() throws IOException
    {
        assertEquals("k\tv\tversion=a-1\n", written(new byte[]{'k'}, new byte[]{'v'}, new Version(10, 1)));
    }

    @Test
    void shouldWriteATimeOfExpiryAsAColumn() throws IOException
    {
        assertEquals("k\tv\tversion=a-1\texpires=1500\n",
            written(new byte[]{'k'}, new byte[]{'v'}, new Version(10, 1), Instant.ofEpochMilli(1_500)));
        assertEquals("k\tv\texpires=1500\n",
            written(new byte[]{'k'}, new byte[]{'v'}, null, Instant.ofEpochMilli(1_500)));
    }

    @Test
    void shouldEscapeWhatWouldEndAFieldOrALine() throws IOException
    {
        assertEquals("a\\tb\tc\\nd\\\\e\n", written("a\tb", "c\nd\\e"));
    }

    @ParameterizedTest
    @CsvSource({"0,\\x00", "7,\\x07", "13,\\x0D", "27,\\x1B", "31,\\x1F", "127,\\x7F"})
    void shouldEscapeControlCharacters(final int character, final String escape) throws IOException
    {
        assertEquals("k\t" + escape + "\n", written("k", Character.toString(character)));
    }

    @Test
    void shouldEscapeEachByteOfAControlCharacterBeyondAscii() throws IOException
    {
        assertEquals("k\t\\xC2\\x85\n", written("k", "\u0085"));
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "~", "\u00A0", "é", "ß", "漢字", "\uFFFD", "\u200B", "😀", "\uFEFF"})
    void shouldWritePrintableTextAsItIs(final String text) throws IOException
    {
        assertEquals("k\t" + text + "\n", written("k", text));
    }

    @ParameterizedTest
    @CsvSource({
        // A lone continuation, overlong forms, a surrogate, beyond Unicode, cut short, impossible bytes.
        "80,\\x80", "C080,\\xC0\\x80", "C1BF,\\xC1\\xBF", "E08080,\\xE0\\x80\\x80", "EDA080,\\xED\\xA0\\x80",
        "F0808080,\\xF0\\x80\\x80\\x80", "F4908080,\\xF4\\x90\\x80\\x80", "C3,\\xC3", "E6BC,\\xE6\\xBC",
        "F09F98,\\xF0\\x9F\\x98", "FF,\\xFF", "FE,\\xFE", "C341,\\xC3A", "E6BC41,\\xE6\\xBCA"})
    void shouldEscapeBytesThatAreNoUtf8(final String hex, final String escapes) throws IOException
    {
        assertEquals("k\t" + escapes + "\n", written("k".getBytes(UTF_8), java.util.HexFormat.of().parseHex(hex)));
    }

    @Test
    void shouldReadBytesThatAreNotEscaped() throws Exception
    {
        final PairReader reader = reader("k\u0001\u00FF\ta\u0080\u001B\n".getBytes(ISO_8859_1));

        assertTrue(reader.next());
        assertArrayEquals("k\u0001\u00FF".getBytes(ISO_8859_1), reader.key());
        assertArrayEquals("a\u0080\u001B".getBytes(ISO_8859_1), reader.value());
    }

    @Test
    void shouldReadHexDigitsOfEitherCase() throws Exception
    {
        final PairReader reader = reader("\\xfF\t\\xA0\\xb1\n".getBytes(UTF_8));

        assertTrue(reader.next());
        assertArrayEquals(new byte[]{(byte)0xFF}, reader.key());
        assertArrayEquals(new byte[]{(byte)0xA0, (byte)0xB1}, reader.value());
    }

    @Test
    void shouldKeepACarriageReturnWithinALineOrEscaped() throws Exception
    {
        final PairReader reader = reader("k\ta\rb\\x0D\n".getBytes(UTF_8));

        assertTrue(reader.next());
        assertEquals("a\rb\r", new String(reader.value(), UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''|no tab",
        "key|no tab",
        "'\tvalue'|key is empty",
        "'\t'|key is empty",
        "'k\tv\tw'|second tab",
        "'k\t\t'|second tab",
        "'k\tv\tversion'|second tab",
        "'k\tv\tversion=a-1\t'|second tab",
        "'k\tv\tversion='|not a version: ",
        "'k\tv\tversion=A-1'|not a version: A-1",
        "'k\tv\tversion=0123456789012345678901234567890123456789012345678901234567890123456789'|second tab",
        "'k\tv\texpires='|not a time of expiry, in milliseconds since 1970 and before 2900: ",
        "'k\tv\texpires=0'|before 2900: 0",
        "'k\tv\texpires=-1'|before 2900: -1",
        "'k\tv\texpires=1e9'|before 2900: 1e9",
        "'k\tv\texpires=9223372036854775807'|before 2900: 9223372036854775807",
        "'k\tv\texpires=1\texpires=1'|given twice",
        "'k\tv\texpires=1\tversion=A-1'|not a version: A-1",
        "'k\tv\r'|carriage return",
        "'\r'|carriage return",
        "'k\tv\\'|lone backslash",
        "'k\\'|lone backslash",
        "'k\t\\q'|unknown escape \\q",
        "'k\t\\r'|unknown escape \\r",
        "'k\t\\X41'|unknown escape \\X",
        "'k\\\tv'|unknown escape \\\\t",
        "'k\t\\x'|two hexadecimal digits",
        "'k\t\\x4'|two hexadecimal digits",
        "'k\t\\x4g'|two hexadecimal digits",
        "'k\t\\xg4'|two hexadecimal digits",
    })
    void shouldNameABrokenLineAndGoOnBehindIt(final String line, final String reason) throws Exception
    {
        assertBroken(line, reason);
    }

    @Test
    void shouldRefuseDigitsThatAreNotAscii()
    {
        // Arabic-Indic digits are digits to Java.
        final PairReader reader = reader("k\t\\x٤٢\n".getBytes(UTF_8));

        assertThrows(BrokenLineException.class, reader::next);
    }

    @Test
    void shouldTellHowMuchOfTheInputWasTaken() throws Exception
    {
        final PairReader reader = reader("a\tb\nlonger\tline\n".getBytes(UTF_8));

        assertTrue(reader.next());
        assertEquals(4, reader.bytesRead());
        assertTrue(reader.next());
        assertEquals(16, reader.bytesRead());
        assertFalse(reader.next());
    }
}
