package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitNoticeTest
{
    private static final String ERASE_LINE = "\r\u001B[K";

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(err, true, UTF_8);

    @Test
    void shouldSayWhatIsWaitedForAndTakeItAway() throws InterruptedException
    {
        final WaitNotice notice = new WaitNotice(stream, true, () -> "connecting", 1, () -> -1);
        await("connecting, ");
        notice.close();
        final String shown = err.toString(UTF_8);
        assertTrue(shown.startsWith(ERASE_LINE + "connecting, "), shown);
        assertTrue(shown.endsWith(" s" + ERASE_LINE), shown);
    }

    @Test
    void shouldSayNothingOfWhatTakesNoTime()
    {
        new WaitNotice(stream, true, () -> "connecting", 3_600_000, () -> -1).close();
        assertEquals("", err.toString(UTF_8));
    }

    @Test
    void shouldSayNothingElsewhereThanOnATerminal()
    {
        new WaitNotice(stream, false, () -> "connecting", 0, () -> -1).close();
        assertEquals("", err.toString(UTF_8));
    }

    @Test
    void shouldShowABarWhereItIsKnownHowMuchIsDone() throws InterruptedException
    {
        final WaitNotice notice = new WaitNotice(stream, true, () -> "preparing", 1, () -> 0.5);
        await("preparing [##########----------]  50 % 0 s");
        notice.close();
    }

    @Test
    void shouldSayWhatIsWaitedForNow() throws InterruptedException
    {
        final AtomicInteger step = new AtomicInteger();
        final WaitNotice notice =
            new WaitNotice(stream, true, () -> "step " + step.get(), 1, () -> step.get() == 0 ? -1 : 0.25);
        await("step 0, ");
        step.set(1);
        await("step 1 [#####---------------]  25 % ");
        notice.close();
    }

    @Test
    void shouldLetALogHaveItsOwnLines() throws InterruptedException
    {
        final PrintStream before = System.err;
        System.setErr(stream);
        try
        {
            final WaitNotice notice = new WaitNotice(stream, true, () -> "preparing", 1, () -> -1);
            await("preparing, ");
            System.err.println("a line of the log");
            notice.close();
            assertSame(stream, System.err);
        }
        finally
        {
            System.setErr(before);
        }
        final String shown = err.toString(UTF_8);
        assertTrue(shown.contains(" s" + ERASE_LINE + "a line of the log\n"), shown);
        assertTrue(shown.endsWith("\n") || shown.endsWith(ERASE_LINE), shown);
    }

    private void await(final String text) throws InterruptedException
    {
        while (!err.toString(UTF_8).contains(text))
        {
            Thread.sleep(1);
        }
    }
}
