package org.onesided.client;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.client.pool.SessionPool;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.Resources;
import org.onesided.verbs.ThreadEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a client's parts, on a thread of its own, so that no part can block the caller.
 */
final class ClientEnd
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ClientEnd.class);
    /** How long a close waits for running operations. Sessions that are returned later close themselves. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
    /** Additional time for steps that normally take none. */
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(5);

    private final ClientContext context;
    private final SessionPool<?> pool;
    private final List<AsyncWorker> workers;
    private final Thread caller = Thread.currentThread();
    private Thread thread;

    /**
     * Ends a client for the calling thread.
     *
     * @param context closed already.
     * @param workers of the asynchronous view and of joint operations, those that were made.
     */
    ClientEnd(final ClientContext context, final SessionPool<?> pool, final List<AsyncWorker> workers)
    {
        this.context = context;
        this.pool = pool;
        this.workers = workers;
    }

    /** When a close that begins now is given up, a time of {@link System#nanoTime()}. */
    static long endNs()
    {
        return System.nanoTime() + PATIENCE_NS + SLACK_NS;
    }

    /** Begins to end everything; {@link #await} follows. */
    ClientEnd begin()
    {
        thread = new Thread(this::endAll, "onesided-close " + context.address());
        thread.setDaemon(true);
        try
        {
            thread.start();
        }
        catch (final OutOfMemoryError e)
        {
            LOGGER.debug("no thread can be started for the close", e);
            endAll();
        }
        return this;
    }

    /**
     * Waits until everything has ended. An interrupt, which stays set, only ends the wait.
     *
     * @param endNs for how long, a time of {@link System#nanoTime()}.
     */
    void await(final long endNs)
    {
        try
        {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
            if (thread.isAlive())
            {
                LOGGER.warn("client does not end, its close continues in the background: server={} at={}",
                    context.address(), ThreadEnd.stack(thread));
            }
        }
        catch (final InterruptedException e)
        {
            LOGGER.debug("interrupted, the close continues in the background: server={}", context.address());
            Thread.currentThread().interrupt();
        }
    }

    private void endAll()
    {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        final Resources rest = new Resources();
        // Callbacks come last, so that they delay nothing else.
        workers.forEach((worker) -> rest.add(() -> worker.awaitEnd(endNs, caller)));
        rest.add(context.device()::release);
        rest.add(context.lifeLine());
        rest.add(() -> awaitSessions(endNs));
        rest.add(pool);
        workers.forEach((worker) -> rest.add(() -> worker.close(endNs, caller)));
        rest.close();
    }

    private void awaitSessions(final long endNs)
    {
        if (!pool.awaitReturn(Math.max(0, endNs - System.nanoTime())))
        {
            LOGGER.warn("client was closed while sessions are lent: server={}", context.address());
        }
    }
}
