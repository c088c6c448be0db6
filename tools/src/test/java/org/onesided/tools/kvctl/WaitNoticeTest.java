package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class WaitNoticeTest
{
    private static final String ERASE_LINE = "\r\u001B[K";

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(err, true, UTF_8);

    @Test
    void shouldSayWhatIsWaitedForAndTakeItAway() throws InterruptedException
    {
        final WaitNotice notice = new WaitNotice(stream, true, "connecting", 1);
        while (!err.toString(UTF_8).contains("connecting, "))
        {
            Thread.sleep(1);
        }
        notice.close();
        final String shown = err.toString(UTF_8);
        assertTrue(shown.startsWith(ERASE_LINE + "connecting, "), shown);
        assertTrue(shown.endsWith(" s" + ERASE_LINE), shown);
    }

    @Test
    void shouldSayNothingOfWhatTakesNoTime()
    {
        new WaitNotice(stream, true, "connecting", 3_600_000).close();
        assertEquals("", err.toString(UTF_8));
    }

    @Test
    void shouldSayNothingElsewhereThanOnATerminal()
    {
        new WaitNotice(stream, false, "connecting", 0).close();
        assertEquals("", err.toString(UTF_8));
    }
}
