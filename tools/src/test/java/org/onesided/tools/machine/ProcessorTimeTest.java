package org.onesided.tools.machine;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest
{
    private static final long USED_NS = 100_000_000L;

    @Test
    void shouldKeepTheTimeOfThreadsThatEnded() throws Exception
    {
        final ProcessorTime time = new ProcessorTime(ProcessHandle.current().pid());
        final long beginNs = time.lookNs();
        final CountDownLatch used = new CountDownLatch(1);
        final CountDownLatch seen = new CountDownLatch(1);
        final Thread worker = new Thread(() -> work(used, seen), "processor-time-worker");
        worker.start();
        used.await();
        final long busyNs = time.lookNs();
        seen.countDown();
        worker.join();
        final long endNs = time.lookNs();

        assertTrue(busyNs - beginNs >= USED_NS / 2, beginNs + " " + busyNs);
        assertTrue(endNs >= busyNs, busyNs + " " + endNs);
    }

    @Test
    void shouldFailWithoutAProcess()
    {
        assertThrows(IOException.class, () -> new ProcessorTime(Integer.MAX_VALUE).lookNs());
    }

    private static void work(final CountDownLatch used, final CountDownLatch seen)
    {
        final var threads = ManagementFactory.getThreadMXBean();
        while (threads.getCurrentThreadCpuTime() < USED_NS)
        {
            Thread.onSpinWait();
        }
        used.countDown();
        try
        {
            seen.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
