package org.onesided.tools.kvctl.rdma.talk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.ConnectionOptions;

class ShellTest
{
    private static final Pattern LISTENING = Pattern.compile("listening on: .*:(\\d+),");

    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop()
    {
        executor.shutdownNow();
    }

    @Test
    void shouldInviteToTypeAndShowWhatComes() throws Exception
    {
        final List<String> heard = Collections.synchronizedList(new ArrayList<>());
        final Future<Boolean> listener = executor.submit(() -> shell(null, 0, "receive 0 4\nwait\nsend 0 2\n", heard));
        final List<String> said = new ArrayList<>();
        final boolean isClean = shell("127.0.0.1", awaitPort(heard), "set 0 ping\nsend 0 4\nreceive 8 4\nwait\n", said);

        assertTrue(isClean, said::toString);
        assertTrue(listener.get(), heard::toString);
        // How the lines are interleaved depends on who is faster.
        assertEquals("prompt", said.get(indexOf(said, "Connected;") + 1), said::toString);
        assertTrue(Collections.frequency(said, "prompt") >= 4, said::toString);
        assertTrue(said.containsAll(List.of(
            "completion: wr_id=1 opcode=SEND status=SUCCESS vendor_err=0x0",
            "posted: wr_id=2 opcode=RECV",
            "completion: wr_id=2 opcode=RECV status=SUCCESS vendor_err=0x0 byte_len=2")), said::toString);
        final int received = indexOf(heard, "completion: wr_id=1 opcode=RECV status=SUCCESS vendor_err=0x0 byte_len=4");
        assertTrue(received > indexOf(heard, "posted: wr_id=1 opcode=RECV"), heard::toString);
    }

    @Test
    void shouldTellOfLinesItCannotObey() throws Exception
    {
        final List<String> heard = Collections.synchronizedList(new ArrayList<>());
        final Future<Boolean> listener = executor.submit(() -> shell(null, 0, "", heard));
        final List<String> said = new ArrayList<>();

        assertFalse(shell("127.0.0.1", awaitPort(heard), "sing\nquit\nnot read any more\n", said), said::toString);
        assertTrue(listener.get(), heard::toString);
        assertTrue(said.contains("error: no such command: sing, see help"), said::toString);
        assertFalse(said.toString().contains("any more"), said::toString);
    }

    @Test
    void shouldWaitAtTheEndOfTheInputForWhatIsOutstanding() throws Exception
    {
        final List<String> heard = Collections.synchronizedList(new ArrayList<>());
        final Future<Boolean> listener = executor.submit(() -> shell(null, 0, "receive 0 4\n", heard));
        final List<String> said = new ArrayList<>();

        assertTrue(shell("127.0.0.1", awaitPort(heard), "send 0 4\n", said), said::toString);
        assertTrue(listener.get(), heard::toString);
        assertTrue(heard.toString().contains("wr_id=1 opcode=RECV status=SUCCESS"), heard::toString);
    }

    @Test
    void shouldFailAtTheEndOfTheInputIfAReceiveDidNotComplete() throws Exception
    {
        final List<String> heard = Collections.synchronizedList(new ArrayList<>());
        final Future<Boolean> listener = executor.submit(() -> shell(null, 0, "receive 0 4\n", heard));
        final List<String> said = new ArrayList<>();

        assertTrue(shell("127.0.0.1", awaitPort(heard), "quit\n", said), said::toString);
        assertFalse(listener.get(), heard::toString);
        assertTrue(heard.contains("error: not completed: {1=RECV}"), heard::toString);
    }

    @Test
    void shouldBeAsPatientAsTheUserWantsIt() throws Exception
    {
        final List<String> heard = Collections.synchronizedList(new ArrayList<>());
        final List<String> said = new ArrayList<>();
        // The listener stays until the end, but never posts a receive.
        final PipedOutputStream typing = new PipedOutputStream();
        try (PipedInputStream typed = new PipedInputStream(typing))
        {
            final Future<Boolean> listener = executor.submit(() -> shell(null, 0, typed, heard, Shell.DEFAULT_PATH));
            assertFalse(shell("127.0.0.1", awaitPort(heard), input("send 0 4\nwait\n"), said,
                Shell.DEFAULT_PATH.rnr(1, 1)));
            assertTrue(said.toString().contains("status=RNR_RETRY_EXC_ERR"), said::toString);
            typing.close();
            assertTrue(listener.get(), heard::toString);
        }
    }

    private static boolean shell(final String host, final int port, final String typed, final List<String> shown)
    {
        return shell(host, port, input(typed), shown, Shell.DEFAULT_PATH);
    }

    private static InputStream input(final String typed)
    {
        return new ByteArrayInputStream(typed.getBytes(US_ASCII));
    }

    private static boolean shell(
        final String host,
        final int port,
        final InputStream typed,
        final List<String> shown,
        final ConnectionOptions path)
    {
        return new Shell(
            "shm",
            path,
            new Meeting(host, "127.0.0.1", port, Duration.ofSeconds(60)),
            typed,
            shown::add,
            (text) ->
            {
                if (!"\n".equals(text))
                {
                    assertEquals("rdma> ", text);
                    shown.add("prompt");
                }
            },
            true).run();
    }

    private static int awaitPort(final List<String> shown) throws InterruptedException
    {
        while (true)
        {
            final Matcher matcher = LISTENING.matcher(String.join("\n", shown.toArray(String[]::new)));
            if (matcher.find())
            {
                return Integer.parseInt(matcher.group(1));
            }
            Thread.sleep(10);
        }
    }

    private static int indexOf(final List<String> shown, final String start)
    {
        for (int i = 0; i < shown.size(); i++)
        {
            if (shown.get(i).startsWith(start))
            {
                return i;
            }
        }
        throw new AssertionError("not shown: " + start + " in " + shown);
    }
}
