package org.onesided.verbs;

import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/**
 * Waits, within a bound, for the end of a thread that was told to stop.
 */
public final class ThreadEnd
{
    /** Time limit for the end of a thread that normally ends at once; enough for a busy machine. */
    public static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int SHOWN_FRAMES = 8;

    private ThreadEnd()
    {
    }

    /**
     * Waits until a thread has ended. An interrupt does not cut this short; the caller is interrupted afterwards.
     *
     * @param thread    that was told to stop.
     * @param timeoutNs for how long to wait, in nanoseconds.
     * @return null if it has ended, or was never started; else what it does instead, in one line. What it uses must
     *         not be freed then.
     */
    public static String await(final Thread thread, final long timeoutNs)
    {
        final long endNs = System.nanoTime() + timeoutNs;
        boolean isInterrupted = false;
        try
        {
            long leftNs = timeoutNs;
            while (thread.isAlive() && leftNs > 0)
            {
                try
                {
                    // A join of 0 ms would wait without limit.
                    thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
                }
                catch (final InterruptedException e)
                {
                    isInterrupted = true;
                }
                leftNs = endNs - System.nanoTime();
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
        return thread.isAlive() ? describe(thread, timeoutNs) : null;
    }

    /**
     * @param thread that runs.
     * @return where it is: the innermost of its calls, in one line.
     */
    public static String stack(final Thread thread)
    {
        final StringJoiner calls = new StringJoiner(" <- ");
        final StackTraceElement[] frames = thread.getStackTrace();
        for (int i = 0; i < frames.length && i < SHOWN_FRAMES; i++)
        {
            calls.add(frames[i].toString());
        }
        return calls.toString();
    }

    private static String describe(final Thread thread, final long timeoutNs)
    {
        return "thread did not end: thread=" + thread.getName() +
            " waited_ms=" + TimeUnit.NANOSECONDS.toMillis(timeoutNs) +
            " state=" + thread.getState() + " at=" + stack(thread);
    }
}
