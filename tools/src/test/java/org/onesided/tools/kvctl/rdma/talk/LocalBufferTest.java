package org.onesided.tools.kvctl.rdma.talk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.verbs.NativeArray;

class LocalBufferTest
{
    private static final int LENGTH = 256;

    private final NativeArray memory = new NativeArray(LENGTH);
    private final LocalBuffer buffer = new LocalBuffer(memory.range());

    @AfterEach
    void close()
    {
        memory.close();
    }

    @Test
    void shouldShowBytesAndText()
    {
        buffer.set(16, "Hello, one-sided".getBytes(US_ASCII));
        buffer.fill(32, 2, (byte)0xFE);

        final List<String> lines = new ArrayList<>();
        buffer.show(16, 20, lines::add);

        assertEquals(List.of(
            "000010  48 65 6c 6c 6f 2c 20 6f  6e 65 2d 73 69 64 65 64 |Hello, one-sided|",
            "000020  fe fe 00 00                                      |....|"), lines);
    }

    @Test
    void shouldReachToTheLastByte()
    {
        buffer.set(LENGTH - 1, new byte[]{'x'});

        final List<String> lines = new ArrayList<>();
        buffer.show(LENGTH - 1, 1, lines::add);

        assertEquals(1, lines.size());
        assertEquals("0000ff  78 ", lines.get(0).substring(0, 11));
    }

    @ParameterizedTest
    @CsvSource({"0, 257", "256, 1", "255, 2", "0, 0", "9223372036854775807, 1", "1, 9223372036854775807"})
    void shouldRefuseWhatIsOutside(final long offset, final long length)
    {
        assertThrows(IllegalArgumentException.class, () -> buffer.fill(offset, length, (byte)1));
        assertThrows(IllegalArgumentException.class, () -> buffer.show(offset, length, (line) -> { }));
    }

    @Test
    void shouldRefuseTextThatPassesTheEnd()
    {
        assertThrows(IllegalArgumentException.class, () -> buffer.set(LENGTH - 2, new byte[3]));
    }
}
