package org.onesided.server.session;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.onesided.verbs.StillRunningException;
import org.onesided.verbs.ThreadEnd;

/**
 * A few threads for work that the acceptor must not wait for. They end after a while without work. Thread-safe.
 */
public final class WorkerThreads implements Executor, AutoCloseable
{
    private static final long IDLE_S = 10;

    private final String name;
    private final AtomicInteger started = new AtomicInteger();
    private final Set<Thread> all = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor threads;
    private final Consumer<Error> onError;

    /**
     * @param name    of the threads, a number behind it.
     * @param count   of threads at most.
     * @param onError hears, on any thread, of what ends the server.
     */
    public WorkerThreads(final String name, final int count, final Consumer<Error> onError)
    {
        this.name = name;
        this.onError = onError;
        threads = new ThreadPoolExecutor(count, count, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
            this::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private Thread thread(final Runnable task)
    {
        all.removeIf((thread) -> thread.getState() == Thread.State.TERMINATED);
        final Thread thread = new Thread(task, name + '-' + started.getAndIncrement());
        all.add(thread);
        return thread;
    }

    /**
     * @param task done as soon as a thread has time for it; dropped if this is closed.
     */
    @Override
    public void execute(final Runnable task)
    {
        if (threads.isShutdown())
        {
            return;
        }
        threads.execute(() ->
        {
            try
            {
                task.run();
            }
            catch (final Error e)
            {
                onError.accept(e);
            }
        });
    }

    /**
     * Waits for running work; drops work that has not begun.
     *
     * @throws StillRunningException if it does not end in time.
     */
    @Override
    public void close()
    {
        threads.shutdown();
        threads.getQueue().clear();
        final long endNs = System.nanoTime() + ThreadEnd.PATIENCE_NS;
        // The pool calls itself terminated a moment before its last thread is, so it is not asked.
        for (final Thread thread : all)
        {
            final String stuck = ThreadEnd.await(thread, Math.max(0, endNs - System.nanoTime()));
            if (stuck != null)
            {
                throw new StillRunningException(stuck);
            }
        }
    }
}
