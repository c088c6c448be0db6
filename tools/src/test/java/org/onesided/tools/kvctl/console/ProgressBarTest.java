package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressBarTest
{
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldShowABarWhereTheEndIsKnown()
    {
        try (ProgressBar bar = bar(true, "importing", 1000))
        {
            assertEquals(
                "importing [##########----------]  50 % 1,234 pairs, 250 bytes/s", bar.line(500, 1234, 2.0));
            assertEquals(
                "importing [####################] 100 % 1 pair, 500 bytes/s", bar.line(1000, 1, 2.0));
        }
    }

    @Test
    void shouldCountWhereTheEndIsNotKnown()
    {
        try (ProgressBar bar = bar(true, "exporting", -1))
        {
            assertEquals("exporting 2 pairs, 1 KiB/s", bar.line(2048, 2, 2.0));
        }
    }

    @Test
    void shouldCountSteps() throws InterruptedException
    {
        try (ProgressBar bar = bar(true, "removing", 4))
        {
            Thread.sleep(150);
            bar.step(1);
        }
        final String shown = err.toString(UTF_8);
        assertTrue(shown.contains("removing [#####---------------]  25 % 1 of 4"), shown);
    }

    @Test
    void shouldShowNothingElsewhereThanOnATerminal() throws InterruptedException
    {
        try (ProgressBar bar = bar(false, "importing", 1000))
        {
            Thread.sleep(150);
            bar.update(500, 5);
            bar.clear();
        }
        assertEquals("", err.toString(UTF_8));
    }

    @Test
    void shouldLeaveAnEmptyLineBehind() throws InterruptedException
    {
        try (ProgressBar bar = bar(true, "importing", 1000))
        {
            Thread.sleep(150);
            bar.update(500, 5);
        }
        final String shown = err.toString(UTF_8);
        assertEquals(2, shown.split("\r", -1).length - 1, shown);
        assertEquals("\r\u001B[K", shown.substring(shown.lastIndexOf('\r')));
    }

    @Test
    void shouldLeaveALineBehindWhenItIsStopped() throws InterruptedException
    {
        try (ProgressBar bar = bar(true, "importing", 1000))
        {
            Thread.sleep(150);
            bar.update(500, 5);
            bar.end("stopped");
            Thread.sleep(150);
            bar.update(600, 6);
        }
        assertEquals("\r\u001B[Kstopped\n", err.toString(UTF_8).substring(err.toString(UTF_8).lastIndexOf('\r')));
    }

    private ProgressBar bar(final boolean isTerminal, final String verb, final long length)
    {
        return new ProgressBar(new PrintStream(err, true, UTF_8), isTerminal, verb, length);
    }
}
