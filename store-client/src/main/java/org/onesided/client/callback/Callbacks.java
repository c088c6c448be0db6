package org.onesided.client.callback;

import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the ends of operations, on the application's executor if there is one. If the executor does not do so by an
 * operation's deadline, another thread does. {@link #tell} is for one thread at a time, the rest is thread-safe.
 */
public final class Callbacks
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Callbacks.class);
    /**
     * Maximum number of threads for late callbacks. With all of them stuck, further ones wait for one or for the close.
     */
    private static final int MAX_LATE_THREADS = 64;

    private final Executor executor;
    private final String threadName;
    /** Operations given to the executor or to threads for late callbacks; perhaps not told yet. */
    private final Queue<AsyncOperation> handed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lateThreads = new AtomicInteger();
    private volatile boolean isRefused;

    /**
     * @param executor   of callbacks, or null.
     * @param threadName of threads that tell what is late.
     */
    public Callbacks(final Executor executor, final String threadName)
    {
        this.executor = executor;
        this.threadName = threadName;
    }

    /**
     * @return the executor of the application, or null.
     */
    public Executor executor()
    {
        return executor;
    }

    /**
     * @return operations that other threads were given to tell, and have perhaps not told.
     */
    public List<AsyncOperation> untold()
    {
        return List.copyOf(handed);
    }

    /**
     * Tells the end of an operation, now or as soon as the executor does.
     *
     * @param operation that has ended.
     */
    public void tell(final AsyncOperation operation)
    {
        if (executor == null || !tryHandOver(operation))
        {
            tellHere(operation);
        }
    }

    /**
     * Tells on this thread, unless it was told.
     *
     * @param operation that has ended.
     */
    public static void tellHere(final AsyncOperation operation)
    {
        try
        {
            operation.tell();
        }
        catch (final RuntimeException | Error e)
        {
            LOGGER.error("callback failed, others go on: operation={}", operation.name(), e);
        }
    }

    /**
     * Has all told that should have been by now, each time by another thread, since callbacks may keep the former; for
     * who must not wait.
     *
     * @return whether there is anything left that others were given.
     */
    public boolean tellLate()
    {
        handed.removeIf(AsyncOperation::isTold);
        if (lateThreads.get() < MAX_LATE_THREADS && handed.stream().anyMatch(AsyncOperation::isLate))
        {
            final Thread thread = new Thread(this::tellAllLate, threadName);
            thread.setDaemon(true);
            thread.start();
        }
        return !handed.isEmpty();
    }

    /**
     * Takes those that are late, for {@link #tellLate}, and leaves the others to their thread.
     *
     * @param operations that have ended.
     */
    public void takeLate(final Queue<AsyncOperation> operations)
    {
        final Iterator<AsyncOperation> each = operations.iterator();
        while (each.hasNext())
        {
            final AsyncOperation operation = each.next();
            if (operation.isLate())
            {
                handed.add(operation);
                each.remove();
            }
        }
    }

    private void tellAllLate()
    {
        lateThreads.incrementAndGet();
        try
        {
            for (final AsyncOperation operation : handed)
            {
                if (operation.isLate())
                {
                    tellHere(operation);
                }
            }
        }
        finally
        {
            lateThreads.decrementAndGet();
        }
    }

    private boolean tryHandOver(final AsyncOperation operation)
    {
        for (AsyncOperation done = handed.peek(); done != null && done.isTold(); done = handed.peek())
        {
            handed.remove(done);
        }
        try
        {
            handed.add(operation);
            executor.execute(operation::tell);
            isRefused = false;
            return true;
        }
        catch (final RuntimeException | Error e)
        {
            if (!isRefused)
            {
                LOGGER.warn("executor takes no callbacks, they run on the client's thread: cause={}", e.toString());
            }
            isRefused = true;
            return false;
        }
    }
}
