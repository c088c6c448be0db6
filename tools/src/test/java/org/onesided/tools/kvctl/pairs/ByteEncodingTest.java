package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ByteEncodingTest
{
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UTF8")
    void shouldReadBackAnyBytes(final ByteEncoding encoding)
    {
        final Random random = new Random(5);
        for (int length = 0; length < 300; length++)
        {
            final byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            final String text = encoding.text(bytes);
            assertArrayEquals(bytes, encoding.bytes(text), text);
            assertArrayEquals(bytes, encoding.bytesOfLines(text + "\n"), text);
            assertTrue(text.getBytes(UTF_8).length <= encoding.longestText(length), text);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a$,BASE64", "YQ=,BASE64", "abc,HEX", "0g,HEX",
        "\\q,ESCAPED", "\\,ESCAPED", "\\x1,ESCAPED", "\\xzz,ESCAPED"})
    void shouldRefuseATextOfAnotherEncoding(final String text, final ByteEncoding encoding)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> encoding.bytes(text)).getMessage();
        assertTrue(message.startsWith("is not ") && message.contains(": "), message);
    }

    @Test
    void shouldReadTextThatOtherProgramsBreakIntoLines()
    {
        assertArrayEquals(new byte[]{1, 2, 3}, ByteEncoding.HEX.bytesOfLines("0102\n03\n"));
        assertArrayEquals("hello".getBytes(UTF_8), ByteEncoding.BASE64.bytesOfLines("aGVs\nbG8=\n"));
        assertArrayEquals("a\n".getBytes(UTF_8), ByteEncoding.ESCAPED.bytesOfLines("a\\n\n"));
        assertArrayEquals("hello".getBytes(UTF_8), ByteEncoding.BASE64.bytes("aGVsbG8"));
    }

    @Test
    void shouldShowTheBeginningOfLongBytes()
    {
        assertEquals("0102...", ByteEncoding.HEX.shown(new byte[]{1, 2, 3}, 2));
        assertEquals("010203", ByteEncoding.HEX.shown(new byte[]{1, 2, 3}, 3));
    }

    @ParameterizedTest
    @EnumSource
    void shouldWritePairsThatCanBeReadBack(final ByteEncoding encoding) throws Exception
    {
        final byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++)
        {
            all[i] = (byte)i;
        }
        final PairEncodings encodings = new PairEncodings(encoding, encoding);
        for (final PairFormat format : PairFormat.values())
        {
            final ByteArrayOutputStream text = new ByteArrayOutputStream();
            final PairWriter writer = format.writer(text, encodings);
            writer.write(all, all, null, null);
            writer.flush();
            final PairReader reader = format.reader(
                new ByteArrayInputStream(text.toByteArray()), new PairLimits(256, 256), encodings);
            assertTrue(reader.next(), text.toString(UTF_8));
            assertArrayEquals(all, reader.key());
            assertArrayEquals(all, reader.value());
            final PairReader narrow = format.reader(
                new ByteArrayInputStream(text.toByteArray()), new PairLimits(256, 255), encodings);
            assertTrue(assertThrows(BrokenLineException.class, narrow::next).getMessage()
                .contains("the value is too long"));
        }
    }
}
