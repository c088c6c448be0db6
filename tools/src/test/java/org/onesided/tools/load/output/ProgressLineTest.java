package org.onesided.tools.load.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressLineTest
{
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Histogram latency = new Histogram(3);

    @Test
    void shouldShowOneLineThatGoesAway()
    {
        latency.recordValue(1234);
        final ProgressLine line = new ProgressLine(new PrintStream(err, true, UTF_8), true);
        line.show("run", 2500, 0.25, 123_456.7, latency, 0);
        line.show("run", 3500, -1, 10, latency, 3);
        line.clear();
        line.clear();

        assertEquals(
            "\r\u001B[Krun [#####---------------]  25 % 3 s, 123,457 ops/s, p99 1.23 us" +
                "\r\u001B[Krun 4 s, 10 ops/s, p99 1.23 us, 3 failed\r\u001B[K",
            err.toString(UTF_8));
    }

    @Test
    void shouldShowNothingWhereNobodyWatches()
    {
        final ProgressLine line = new ProgressLine(new PrintStream(err, true, UTF_8), false);
        line.show("warming up");
        line.show("run", 2500, 0.25, 1, latency, 0);
        line.clear();

        assertEquals("", err.toString(UTF_8));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 ns", "999, 999 ns", "999.6, 1.00 us", "1234, 1.23 us", "12345, 12.3 us", "123456, 123 us",
        "999600, 1.00 ms", "1.5e9, 1.50 s", "1e13, 10000 s"})
    void shouldWriteTimesWithThreeDigits(final double ns, final String text)
    {
        assertEquals(text, Latencies.text(ns));
    }
}
