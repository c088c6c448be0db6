package org.onesided.client.session;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When the running operation of a session must end. The clock is first read at the first wait, since most lookups need
 * not wait and reading the clock costs as much as a cache miss. Not thread-safe.
 */
public final class Deadline
{
    /** A longer time counts as this, so that sums of times do not overflow. */
    private static final long MAX_NS = Long.MAX_VALUE / 4;

    private long durationNs;
    private long atNs;
    private boolean isRunning;

    /**
     * Checks a time that operations may take.
     *
     * @param duration positive.
     * @return the same in nanoseconds, or as much as can be added to times.
     * @throws IllegalArgumentException if it is not positive.
     */
    public static long checked(final Duration duration)
    {
        if (duration.isNegative() || duration.isZero())
        {
            throw new IllegalArgumentException("deadline must be positive: deadline=" + duration);
        }
        return Math.min(TimeUnit.NANOSECONDS.convert(duration), MAX_NS);
    }

    /** Begins an operation, whose time starts when the clock is first read. */
    void begin(final long ns)
    {
        durationNs = ns;
        isRunning = false;
    }

    /**
     * Sets when it must end, as a time of {@link System#nanoTime()}.
     *
     * @param timeNs when it ends.
     */
    public void at(final long timeNs)
    {
        atNs = timeNs;
        isRunning = true;
    }

    /**
     * @return when it ends, a time of {@link System#nanoTime()}.
     */
    public long atNs()
    {
        if (!isRunning)
        {
            isRunning = true;
            atNs = System.nanoTime() + durationNs;
        }
        return atNs;
    }

    /**
     * Waits to be notified, by a thread that holds the monitor, for no longer than time is left. May return early.
     *
     * @throws DeadlinePassedException if none is, or the thread is interrupted, which it stays.
     */
    void await(final Object monitor)
    {
        final long remainingNs = remainingNs();
        if (remainingNs <= 0)
        {
            throw new DeadlinePassedException();
        }
        try
        {
            TimeUnit.NANOSECONDS.timedWait(monitor, remainingNs);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new DeadlinePassedException();
        }
    }

    /** Nanoseconds left; 0 or less after the deadline. */
    long remainingNs()
    {
        return atNs() - System.nanoTime();
    }
}
