package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.Version;

/**
 * What holds for every form of file.
 */
abstract class PairFormatContract
{
    private static final PairLimits LIMITS = new PairLimits(4096, 64 << 20);
    private static final byte[] KEY = {'k'};

    private final PairFormat format;

    PairFormatContract(final PairFormat format)
    {
        this.format = format;
    }

    @Test
    void shouldKeepEveryByte() throws Exception
    {
        for (int i = 0; i < 256; i++)
        {
            assertRoundTrip(new byte[]{(byte)i}, new byte[]{(byte)i});
        }
    }

    @Test
    void shouldKeepEveryPairOfBytes() throws Exception
    {
        final byte[] all = new byte[2 * 256 * 256];
        for (int i = 0; i < 256 * 256; i++)
        {
            all[2 * i] = (byte)(i >> 8);
            all[2 * i + 1] = (byte)i;
        }
        assertRoundTrip(KEY, all);
    }

    @Test
    void shouldKeepEveryCharacter() throws Exception
    {
        final StringBuilder text = new StringBuilder();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++)
        {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
            {
                text.appendCodePoint(c);
            }
        }
        assertRoundTrip(KEY, text.toString().getBytes(UTF_8));
    }

    @Test
    void shouldKeepRandomBytes() throws Exception
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++)
        {
            final byte[] key = new byte[1 + random.nextInt(40)];
            final byte[] value = new byte[random.nextInt(200)];
            random.nextBytes(key);
            random.nextBytes(value);
            if (random.nextBoolean())
            {
                // Mostly text, with what is special to the forms.
                final byte[] special = "\t\n\r\\x0\"{}:,/é\u0085 ".getBytes(UTF_8);
                for (int j = 0; j < value.length; j++)
                {
                    value[j] = special[random.nextInt(special.length)];
                }
            }
            assertRoundTrip(key, value, "seed=" + seed + " i=" + i);
        }
    }

    @Test
    void shouldKeepAnEmptyValue() throws Exception
    {
        assertRoundTrip(KEY, new byte[0]);
    }

    @Tag("full")
    @Test
    void shouldKeepTheLongestKeyAndValue() throws Exception
    {
        final byte[] key = new byte[4096];
        final byte[] value = new byte[LIMITS.maxValueLength()];
        new Random(1).nextBytes(key);
        new Random(2).nextBytes(value);

        assertRoundTrip(key, value);
    }

    @Test
    void shouldReadManyLinesInOrder() throws Exception
    {
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        final PairWriter writer = format.writer(output, PairEncodings.USUAL);
        for (int i = 0; i < 10_000; i++)
        {
            writer.write(("key" + i).getBytes(UTF_8), ("value" + i).getBytes(UTF_8), null, null);
        }
        writer.flush();

        final PairReader reader = reader(output.toByteArray());
        for (int i = 0; i < 10_000; i++)
        {
            assertTrue(reader.next());
            assertEquals(i + 1, reader.line());
            assertEquals("key" + i, new String(reader.key(), UTF_8));
            assertEquals("value" + i, new String(reader.value(), UTF_8));
        }
        assertFalse(reader.next());
        assertFalse(reader.next());
        assertEquals(output.size(), reader.bytesRead());
    }

    @Test
    void shouldReadALastLineWithoutItsEnd() throws Exception
    {
        final byte[] text = written("k", "v").getBytes(UTF_8);
        final PairReader reader = reader(java.util.Arrays.copyOf(text, text.length - 1));

        assertTrue(reader.next());
        assertEquals("v", new String(reader.value(), UTF_8));
        assertFalse(reader.next());
    }

    @Test
    void shouldReadAnEmptyInput() throws Exception
    {
        assertFalse(reader(new byte[0]).next());
    }

    @Test
    void shouldNameAKeyOrValueThatIsTooLongAndGoOnBehindIt() throws Exception
    {
        final String text =
            written("12345", "v") + written("k", "123456789") + written("\u0000\u0001\u0002\u0003\u0080", "") +
            written("key", "12345678") + written(new byte[5], new byte[]{-1}) + written(KEY, new byte[9]);
        final PairReader reader = format.reader(
            new ByteArrayInputStream(text.getBytes(UTF_8)), new PairLimits(4, 8), PairEncodings.USUAL);

        assertBroken(reader, 1, "key is too long: ");
        assertBroken(reader, 2, "value is too long: ");
        assertBroken(reader, 3, "key is too long: ");
        assertTrue(reader.next());
        assertEquals("12345678", new String(reader.value(), UTF_8));
        assertBroken(reader, 5, "key is too long: ");
        assertBroken(reader, 6, "value is too long: ");
        assertFalse(reader.next());
    }

    @Test
    void shouldIgnoreVersions() throws Exception
    {
        final Random random = new Random(3);
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        final PairWriter writer = format.writer(output, PairEncodings.USUAL);
        for (int i = 0; i < 100; i++)
        {
            // The longest text has both numbers of the full length.
            final boolean isLongest = i % 2 == 0;
            writer.write(new byte[]{(byte)i}, new byte[i], new Version(
                isLongest ? -1 : random.nextLong(), isLongest ? -1 : random.nextInt(10)), null);
            writer.write(new byte[]{(byte)i}, new byte[i], null, null);
        }
        writer.flush();
        final PairReader reader = reader(output.toByteArray());
        for (int i = 0; i < 200; i++)
        {
            assertTrue(reader.next());
            assertArrayEquals(new byte[]{(byte)(i / 2)}, reader.key());
            assertEquals(i / 2, reader.value().length);
        }
        assertFalse(reader.next());
    }

    @Test
    void shouldKeepTimesOfExpiryWithOrWithoutVersions() throws Exception
    {
        final Instant[] times = {
            null, Instant.ofEpochMilli(1), Instant.parse("2026-07-01T12:00:00.123Z"),
            Instant.parse("2899-12-31T23:59:59.999Z")};
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        final PairWriter writer = format.writer(output, PairEncodings.USUAL);
        for (int i = 0; i < 2 * times.length; i++)
        {
            writer.write(KEY, KEY, i < times.length ? new Version(-1, -1) : null, times[i % times.length]);
        }
        writer.flush();
        final PairReader reader = reader(output.toByteArray());
        for (int i = 0; i < 2 * times.length; i++)
        {
            assertTrue(reader.next());
            final Instant time = times[i % times.length];
            assertEquals(time == null ? null : Expiry.at(time), reader.expiry());
        }
        assertFalse(reader.next());
    }

    final PairReader reader(final byte[] text)
    {
        return format.reader(new ByteArrayInputStream(text), LIMITS, PairEncodings.USUAL);
    }

    final String written(final String key, final String value) throws IOException
    {
        return written(key.getBytes(UTF_8), value.getBytes(UTF_8));
    }

    final String written(final byte[] key, final byte[] value) throws IOException
    {
        return written(key, value, null);
    }

    final String written(final byte[] key, final byte[] value, final Version version) throws IOException
    {
        return written(key, value, version, null);
    }

    final String written(final byte[] key, final byte[] value, final Version version, final Instant expiry)
        throws IOException
    {
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        final PairWriter writer = format.writer(output, PairEncodings.USUAL);
        writer.write(key, value, version, expiry);
        writer.flush();
        return output.toString(UTF_8);
    }

    /** The line stands between two good ones. */
    final void assertBroken(final String line, final String reason) throws Exception
    {
        final PairReader reader =
            reader((written("before", "1") + line + "\n" + written("behind", "2")).getBytes(UTF_8));

        assertTrue(reader.next());
        assertBroken(reader, 2, reason);
        assertTrue(reader.next());
        assertEquals("behind", new String(reader.key(), UTF_8));
        assertEquals(3, reader.line());
        assertFalse(reader.next());
    }

    private static void assertBroken(final PairReader reader, final long line, final String reason)
    {
        final BrokenLineException e = assertThrows(BrokenLineException.class, reader::next);
        assertEquals(line, e.line());
        assertTrue(e.getMessage().contains(reason), e.getMessage());
        assertFalse(e.getMessage().contains("\n"), e.getMessage());
    }

    private void assertRoundTrip(final byte[] key, final byte[] value) throws Exception
    {
        assertRoundTrip(key, value, "");
    }

    private void assertRoundTrip(final byte[] key, final byte[] value, final String message) throws Exception
    {
        final byte[] text = written(key, value).getBytes(UTF_8);
        final PairReader reader = reader(text);

        assertTrue(reader.next(), message);
        assertArrayEquals(key, reader.key(), message);
        assertArrayEquals(value, reader.value(), message);
        assertFalse(reader.next(), message);
    }
}
