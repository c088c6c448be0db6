package org.onesided.tools.load.run;

import java.util.concurrent.locks.LockSupport;

/**
 * The schedule of a thread: evenly spread starts that do not shift after a slow operation. For one thread.
 */
final class Pace
{
    /** A parked thread wakes up about 60 microseconds late. */
    private static final long SPIN_NS = 120_000;

    /** Limits the reaction time to a stop. */
    private static final long LONGEST_PARK_NS = 50_000_000;

    private final double offsetNs;
    private final double gapNs;
    private double firstNs;
    private long begun;

    /**
     * @param perSecond operations of all threads together, more than 0.
     * @param threads   number of threads.
     * @param thread    number of this thread, from 0; the operations of the threads alternate.
     */
    Pace(final double perSecond, final int threads, final int thread)
    {
        gapNs = 1e9 * threads / perSecond;
        offsetNs = gapNs * thread / threads;
        firstNs = offsetNs;
    }

    /** Restarts the schedule at a time; earlier operations no longer count. */
    void restart(final long timeNs)
    {
        firstNs = timeNs + offsetNs;
        begun = 0;
    }

    /** Intended start of the next operation, in nanoseconds since the begin of the phase. */
    long nextNs()
    {
        return (long)(firstNs + gapNs * begun);
    }

    /** Moves to the next operation. */
    void begin()
    {
        begun++;
    }

    /** Number of operations due before a time but not started. */
    long behind(final long timeNs)
    {
        return timeNs <= firstNs ? 0 : Math.max(0, (long)Math.ceil((timeNs - firstNs) / gapNs) - begun);
    }

    /** Waits for a time, unless the phase is stopped. */
    static void await(final long timeNs, final PhaseClock clock)
    {
        long leftNs = timeNs - clock.nowNs();
        while (leftNs > 0 && !clock.isStopped())
        {
            if (leftNs > SPIN_NS)
            {
                LockSupport.parkNanos(Math.min(leftNs - SPIN_NS / 2, LONGEST_PARK_NS));
            }
            else
            {
                Thread.onSpinWait();
            }
            leftNs = timeNs - clock.nowNs();
        }
    }
}
