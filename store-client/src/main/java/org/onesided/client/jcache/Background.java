package org.onesided.client.jcache;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of a cache manager: up to {@value #WORKERS} that load and sweep, and one that calls listeners, so that these
 * hear of events in order. They end when they have nothing to do. Thread-safe.
 */
final class Background
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Background.class);
    private static final int WORKERS = 2;
    private static final long IDLE_S = 10;
    /** An application that clears a cache and ends should not leave the pairs behind. */
    private static final long GRACE_S = 2;
    private static final long END_S = 5;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final ThreadPoolExecutor work;
    private final ThreadPoolExecutor events;

    Background()
    {
        final int number = NUMBERS.incrementAndGet();
        work = executor(WORKERS, "onesided-jcache-work-" + number);
        events = executor(1, "onesided-jcache-events-" + number);
    }

    private static ThreadPoolExecutor executor(final int threads, final String name)
    {
        final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            threads, threads, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), (task) ->
            {
                final Thread thread = new Thread(task, name);
                thread.setDaemon(true);
                return thread;
            });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Runs loads and sweeps. */
    Executor work()
    {
        return work;
    }

    /** Calls listeners, one after the other. */
    Executor events()
    {
        return events;
    }

    /**
     * Lets what was begun end, for a bounded time; then interrupts it, and waits for the threads for a bounded time.
     */
    void close()
    {
        work.shutdown();
        events.shutdown();
        try
        {
            if (!awaitEnd(GRACE_S))
            {
                interrupt();
                if (!awaitEnd(END_S))
                {
                    LOGGER.warn("a loader, a listener or a sweep of a cache manager has not ended within {} s", END_S);
                }
            }
        }
        catch (final InterruptedException e)
        {
            interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void interrupt()
    {
        events.shutdownNow();
        for (final Runnable task : work.shutdownNow())
        {
            // Somebody may wait for it.
            if (task instanceof final LoadTask load)
            {
                load.refuse();
            }
        }
    }

    private boolean awaitEnd(final long seconds) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        return work.awaitTermination(endNs - System.nanoTime(), TimeUnit.NANOSECONDS) &&
            events.awaitTermination(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
}
