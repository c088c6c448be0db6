package org.onesided.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InterruptibleTest
{
    private final CountDownLatch never = new CountDownLatch(1);

    @AfterEach
    void clear()
    {
        Thread.interrupted();
        never.countDown();
    }

    @Test
    void shouldTellWhatAWaitTells()
    {
        assertTrue(Interruptible.await(() -> true));
        assertFalse(Interruptible.await(() -> never.await(1, TimeUnit.NANOSECONDS)));
        assertFalse(Thread.interrupted());
    }

    @Test
    void shouldEndAWaitWithAnInterruptAndKeepThat()
    {
        Thread.currentThread().interrupt();
        assertFalse(Interruptible.await(() -> never.await(1, TimeUnit.HOURS)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldFailWithTheCallersExceptionAndKeepTheInterrupt() throws IOException
    {
        assertEquals("a", Interruptible.await(() -> "a", (e) -> new IOException(e)));
        Thread.currentThread().interrupt();

        final IOException failure = assertThrows(IOException.class, () -> Interruptible.await(
            () -> never.await(1, TimeUnit.HOURS), (e) -> new IOException("interrupted", e)));
        assertInstanceOf(InterruptedException.class, failure.getCause());
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldRunATaskToItsEndOrToAnInterrupt()
    {
        assertTrue(Interruptible.run(() -> { }));
        Thread.currentThread().interrupt();
        assertFalse(Interruptible.run(never::await));
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldSleepUntilAnInterrupt()
    {
        assertTrue(Interruptible.sleep(1));
        Thread.currentThread().interrupt();
        assertFalse(Interruptible.sleep(TimeUnit.HOURS.toNanos(1)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldTellWhetherAThreadHasEndedAlsoIfInterrupted()
    {
        final Thread ended = new Thread(() -> { }, "ended");
        ended.start();
        assertTrue(Interruptible.join(ended, 0));

        final Thread waiting = new Thread(() -> Interruptible.run(never::await), "waiting");
        waiting.start();
        assertFalse(Interruptible.join(waiting, 1));
        assertFalse(Thread.currentThread().isInterrupted());
        Thread.currentThread().interrupt();
        assertFalse(Interruptible.join(waiting, TimeUnit.HOURS.toMillis(1)));
        assertTrue(Interruptible.join(ended, 1));
        assertTrue(Thread.interrupted());
        waiting.interrupt();
        assertTrue(Interruptible.join(waiting, 0));
    }

    @Test
    void shouldWaitForAThreadThoughInterruptedAndKeepThat()
    {
        final Thread toEnd = new Thread(() -> Interruptible.run(never::await), "to-end");
        toEnd.start();
        final Thread waiter = Thread.currentThread();
        final Thread helper = new Thread(() ->
        {
            waiter.interrupt();
            // The interrupt has come, and does not end the wait.
            while (waiter.isInterrupted())
            {
                Thread.onSpinWait();
            }
            never.countDown();
        }, "helper");
        helper.start();
        Interruptible.joinToTheEnd(toEnd);

        assertFalse(toEnd.isAlive());
        assertTrue(Thread.interrupted());
        Interruptible.joinToTheEnd(helper);
    }
}
