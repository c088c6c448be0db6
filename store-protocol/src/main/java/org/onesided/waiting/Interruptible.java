package org.onesided.waiting;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Waits that end early if the thread is interrupted, for callers that cannot pass on an {@link InterruptedException}:
 * all methods leave the thread's interrupt status set then, for whoever looks next. Not for hot paths, since the waits
 * are lambdas. Thread-safe.
 */
public final class Interruptible
{
    /**
     * A wait, or something that waits in between.
     *
     * @param <T> what it gives.
     */
    @FunctionalInterface
    public interface Wait<T>
    {
        /**
         * Waits.
         *
         * @return what came of it.
         * @throws InterruptedException if the thread is interrupted.
         */
        T await() throws InterruptedException;
    }

    /**
     * Something that waits in between, and gives nothing.
     */
    @FunctionalInterface
    public interface Task
    {
        /**
         * Runs the task.
         *
         * @throws InterruptedException if the thread is interrupted.
         */
        void run() throws InterruptedException;
    }

    private Interruptible()
    {
    }

    /**
     * Waits for an event, with a bound of the wait's own.
     *
     * @param wait that tells whether the event has come.
     * @return whether it has; not if the thread is interrupted.
     */
    public static boolean await(final Wait<Boolean> wait)
    {
        try
        {
            return wait.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Waits, or fails.
     *
     * @param wait    to do.
     * @param failure makes the exception for an interrupt of its cause.
     * @param <T>     what the wait gives.
     * @param <E>     thrown if the thread is interrupted.
     * @return what came of it.
     * @throws E if the thread is interrupted.
     */
    public static <T, E extends Exception> T await(
        final Wait<T> wait, final Function<InterruptedException, E> failure) throws E
    {
        try
        {
            return wait.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw failure.apply(e);
        }
    }

    /**
     * Runs a task to its end, or until the thread is interrupted.
     *
     * @param task to run.
     * @return whether it has come to its end.
     */
    public static boolean run(final Task task)
    {
        try
        {
            task.run();
            return true;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Sleeps.
     *
     * @param durationNs nanoseconds.
     * @return whether that time has passed; not if the thread is interrupted.
     */
    public static boolean sleep(final long durationNs)
    {
        return run(() -> TimeUnit.NANOSECONDS.sleep(durationNs));
    }

    /**
     * Waits for another thread's end.
     *
     * @param thread    to wait for.
     * @param timeoutMs for how long, in milliseconds; 0 for ever.
     * @return whether it has ended, also if this thread is interrupted.
     */
    public static boolean join(final Thread thread, final long timeoutMs)
    {
        run(() -> thread.join(timeoutMs));
        return !thread.isAlive();
    }

    /**
     * Waits for the end of another thread, which is certain: an interrupt does not cut this short.
     *
     * @param thread to wait for.
     */
    public static void joinToTheEnd(final Thread thread)
    {
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
