package org.onesided.verbs;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadEndTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    private final CountDownLatch latch = new CountDownLatch(1);
    private final Thread thread = new Thread(this::waitForLatch, "test-waits");

    private void waitForLatch()
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldNameAThreadThatDoesNotEndAndWhereItIs()
    {
        thread.start();
        final String stuck = ThreadEnd.await(thread, TimeUnit.MILLISECONDS.toNanos(1));
        latch.countDown();
        assertTrue(stuck.contains("thread=test-waits "), stuck);
        assertTrue(stuck.contains("waited_ms=1 "), stuck);
        assertNull(ThreadEnd.await(thread, LONG_NS));
    }

    @Test
    void shouldWaitInSpiteOfAnInterruptAndKeepIt()
    {
        thread.start();
        Thread.currentThread().interrupt();
        new Thread(latch::countDown).start();
        final String stuck = ThreadEnd.await(thread, LONG_NS);
        assertTrue(Thread.interrupted());
        assertNull(stuck);
    }

    @Test
    void shouldNotWaitForAThreadThatNeverStarted()
    {
        assertNull(ThreadEnd.await(thread, LONG_NS));
    }
}
