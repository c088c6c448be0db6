package org.onesided.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitingBenchmarkTest
{
    @ParameterizedTest
    @CsvSource({
        "bogus, no such device: device=bogus",
        "shm long, behind the device only 'short' is known: long",
        "shm short more, behind the device only 'short' is known: short more",
    })
    void shouldRefuseInOneLine(final String arguments, final String reason)
    {
        final PrintStream before = System.err;
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, UTF_8));
        try
        {
            assertEquals(2, WaitingBenchmark.refuse(arguments.split(" ")));
        }
        finally
        {
            System.setErr(before);
        }
        assertEquals(1, err.toString(UTF_8).lines().count(), err.toString(UTF_8));
        assertTrue(err.toString(UTF_8).startsWith("waiting: "), err.toString(UTF_8));
        assertTrue(err.toString(UTF_8).contains(reason), err.toString(UTF_8));
    }

    @Test
    void shouldTakeWhatItCanMeasure()
    {
        assertEquals(0, WaitingBenchmark.refuse(new String[]{"shm"}));
        assertEquals(0, WaitingBenchmark.refuse(new String[]{"shm", "short"}));
    }
}
