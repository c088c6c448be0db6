package org.onesided.client.callback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.application.Blocking;
import org.onesided.client.exceptions.Operation;

@Timeout(60)
class BlockedCallbackTest
{
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long SINCE_NS = TimeUnit.MILLISECONDS.toNanos(1234);

    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch canLog = new CountDownLatch(1);
    private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();
    private final Thread blocked = new Thread(() -> Blocking.keepTheThread(end), "kept by a callback");
    private final AsyncOperation operation = new AsyncOperation(
        Operation.PUT, new byte[1], new byte[1], Long.MAX_VALUE, (result, failure) -> { });
    private long nowNs = Long.MAX_VALUE - PAUSE_NS / 2;
    private final BlockedCallback warnings = new BlockedCallback("host:1", () -> nowNs, logged::add);

    @BeforeEach
    void block()
    {
        blocked.start();
        while (blocked.getState() != Thread.State.WAITING)
        {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void unblock() throws InterruptedException
    {
        end.countDown();
        canLog.countDown();
        blocked.join();
    }

    private void warn()
    {
        warnings.warn(blocked, operation, SINCE_NS);
    }

    /** The next line, once the thread that wrote it has ended. */
    private String line() throws InterruptedException
    {
        final String line = logged.poll(60, TimeUnit.SECONDS);
        for (final Thread thread : Thread.getAllStackTraces().keySet())
        {
            if (thread.getName().startsWith("onesided-async-warning "))
            {
                thread.join();
            }
        }
        return line;
    }

    @Test
    void shouldNameWhatBlocksWhereForHowLongAndWhichThread() throws InterruptedException
    {
        warn();
        final String line = line();
        assertTrue(line.startsWith("callback keeps the client's thread, "), line);
        assertTrue(line.contains(" callback=org.onesided.application.Blocking.keepTheThread(Blocking.java:"), line);
        assertTrue(line.endsWith(
            " operation=put for_ms=1234 state=WAITING others=0 server=host:1 thread=kept by a callback"), line);
    }

    @Test
    void shouldWarnOnceInTenSecondsAndCountTheOthers() throws InterruptedException
    {
        warn();
        assertTrue(line().contains(" others=0 "));
        warn();
        nowNs += PAUSE_NS - 1;
        warn();
        assertNull(logged.poll());

        nowNs++;
        warn();
        final String line = line();
        assertTrue(line.contains(" others=2 "), line);

        nowNs += PAUSE_NS;
        warn();
        final String next = line();
        assertTrue(next.contains(" others=0 "), next);
        assertNull(logged.poll());
    }

    /** A full disk, or a terminal that nobody reads. */
    @Test
    void shouldNotWaitForALogThatBlocks() throws InterruptedException
    {
        final BlockedCallback slow = new BlockedCallback("host:1", () -> nowNs, (line) ->
        {
            Blocking.keepTheThread(canLog);
            logged.add(line);
        });
        slow.warn(blocked, operation, SINCE_NS);
        nowNs += PAUSE_NS;
        slow.warn(blocked, operation, SINCE_NS);
        assertEquals(0, logged.size());

        canLog.countDown();
        assertTrue(line().contains(" others=0 "));
        slow.warn(blocked, operation, SINCE_NS);
        final String next = line();
        assertTrue(next.contains(" others=1 "), next);
    }
}
