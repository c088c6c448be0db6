package org.onesided.server.shard.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.verbs.NativeArray;

class DecimalTextTest
{
    private final NativeArray memory = new NativeArray(64);
    private final UnsafeBuffer buffer = new UnsafeBuffer(memory.range().address(), 64);
    private final DecimalText decimal = new DecimalText();

    @AfterEach
    void free()
    {
        memory.close();
    }

    @Test
    void shouldReadEveryNumber()
    {
        final long[] edges = {0, 9, 10, 99, 1L << 32, Long.MAX_VALUE / 10, Long.MAX_VALUE - 1, Long.MAX_VALUE};
        for (final long edge : edges)
        {
            assertNumber(edge);
            assertNumber(-edge);
            assertNumber(-edge - 1);
        }
        final Random random = new Random(42);
        for (int i = 0; i < 100_000; i++)
        {
            assertNumber(random.nextLong() >> random.nextInt(64));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "-", "+1", "-0", "00", "007", "-01", " 1", "1 ", "1\n", "1.0", "1e3", "0x1", "--1", "1-", "\u0661", "/",
        ":", "9223372036854775808", "-9223372036854775809", "9999999999999999999", "10000000000000000000",
        "-10000000000000000000", "18446744073709551617", "100000000000000000000", "000000000000000000001"})
    void shouldReadNothingElse(final String text)
    {
        assertFalse(read(text), text);
    }

    private void assertNumber(final long number)
    {
        assertTrue(read(Long.toString(number)), Long.toString(number));
        assertEquals(number, decimal.number());
    }

    private boolean read(final String text)
    {
        final byte[] bytes = text.getBytes(UTF_8);
        // A digit behind the text is none of its own.
        buffer.setMemory(0, buffer.capacity(), (byte)'1');
        buffer.putBytes(0, bytes);
        return decimal.read(buffer.addressOffset(), bytes.length);
    }
}
