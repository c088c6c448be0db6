package org.onesided.client.callback;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.onesided.verbs.ThreadEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the ends of a client's last operations, even if callbacks and the application's executor block: a blocked
 * thread is left behind, and another one goes on. A future completes only in a thread that runs its callbacks, so there
 * are as many threads as blocking callbacks. Thread-safe.
 */
public final class Delivery
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Delivery.class);
    /** A callback that takes longer no longer delays the others. */
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Maximum number of threads to start while others make progress; more start only instead of stuck ones. */
    private static final int FEW_THREADS = 16;
    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    /** Time for an executor to run its callbacks. */
    private static final long EXECUTOR_NS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Time for threads to end after their last callback. */
    private static final long END_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final AsyncOperation[] operations;
    private final Executor executor;
    private final String threadName;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private volatile boolean isRefused;
    /** Guarded by this object's monitor, under which no code of the application runs. */
    private boolean isBegun;
    private Thread thread;

    /**
     * @param operations that have ended.
     * @param executor   that tells what it tells soon, or null.
     * @param threadName of threads that tell the rest.
     */
    public Delivery(final List<AsyncOperation> operations, final Executor executor, final String threadName)
    {
        this.executor = executor;
        this.operations = operations.toArray(new AsyncOperation[0]);
        this.threadName = threadName;
    }

    /** Begins, if threads can be started; else {@link #complete} does everything. */
    public synchronized void begin()
    {
        if (!isBegun && operations.length > 0)
        {
            thread = started(this::deliver);
            isBegun = thread != null;
        }
    }

    /**
     * Waits until all are told but those whose callbacks run. Where no thread can be started, the calling one tells
     * them, and callbacks that block keep it.
     *
     * @param endNs when to wait no longer.
     */
    public void complete(final long endNs)
    {
        begin();
        final Thread other;
        synchronized (this)
        {
            if (operations.length == 0 || isBegun && thread == null)
            {
                return;
            }
            isBegun = true;
            other = thread;
        }
        if (other == null)
        {
            deliver();
        }
        else
        {
            ThreadEnd.await(other, Math.max(0, endNs - System.nanoTime()));
        }
    }

    private void deliver()
    {
        offer();
        final List<Thread> threads = new ArrayList<>();
        long sinceNs = System.nanoTime() - PATIENCE_NS;
        int seen = -1;
        while (told.get() < operations.length)
        {
            final long nowNs = System.nanoTime();
            if (nowNs - sinceNs >= PATIENCE_NS)
            {
                final int begun = next.get();
                if (begun >= operations.length)
                {
                    return;
                }
                // All threads block. Double their number, up to the number of callbacks left.
                int more = threads.size() < FEW_THREADS ? 1 : 0;
                more = begun == seen ? Math.min(threads.size() + 1, operations.length - begun) : more;
                while (more-- > 0)
                {
                    tellOnAnother(threads);
                }
                seen = begun;
                sinceNs = nowNs;
            }
            LockSupport.parkNanos(this, LOOK_NS);
        }
        final long endNs = System.nanoTime() + END_NS;
        threads.forEach((each) -> ThreadEnd.await(each, Math.max(0, endNs - System.nanoTime())));
    }

    /** Gives the callbacks to the executor for a short time; it may run them within the call. */
    private void offer()
    {
        if (executor == null || started(this::execute) == null)
        {
            return;
        }
        final long endNs = System.nanoTime() + EXECUTOR_NS;
        int i = 0;
        while (i < operations.length && !isRefused && System.nanoTime() - endNs < 0)
        {
            if (operations[i].isTold())
            {
                i++;
            }
            else
            {
                LockSupport.parkNanos(this, LOOK_NS);
            }
        }
    }

    private void execute()
    {
        try
        {
            for (final AsyncOperation operation : operations)
            {
                executor.execute(operation::tell);
            }
        }
        catch (final RejectedExecutionException e)
        {
            isRefused = true;
            LOGGER.debug("executor takes no callbacks any more", e);
        }
        catch (final RuntimeException | Error e)
        {
            isRefused = true;
            LOGGER.error("executor failed, its callbacks run on threads of the client", e);
        }
    }

    private void tellOnAnother(final List<Thread> threads)
    {
        final Thread another = started(this::tellRest);
        if (another == null)
        {
            tellRest();
        }
        else
        {
            threads.add(another);
        }
    }

    /** Tells one end after the other, in parallel with other threads. */
    private void tellRest()
    {
        for (int i = next.getAndIncrement(); i < operations.length; i = next.getAndIncrement())
        {
            try
            {
                operations[i].tell();
            }
            catch (final RuntimeException | Error e)
            {
                LOGGER.error("callback failed: operation={}", operations[i].name(), e);
            }
            finally
            {
                told.incrementAndGet();
            }
        }
    }

    /** A thread that runs a task, or null if none can be started. */
    private Thread started(final Runnable task)
    {
        final Thread started = new Thread(task, threadName);
        started.setDaemon(true);
        try
        {
            started.start();
            return started;
        }
        catch (final OutOfMemoryError e)
        {
            LOGGER.error("no thread can be started for callbacks, see the limits of threads", e);
            return null;
        }
    }
}
