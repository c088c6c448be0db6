package org.onesided.tools.load.run;

import java.util.concurrent.locks.LockSupport;

/**
 * When a thread should begin its operations: evenly spread, and not later because one before took long. For one thread.
 */
final class Pace
{
    /** A parked thread comes back some 60 microseconds late. */
    private static final long SPIN_NS = 120_000;

    /** So that a stop is seen. */
    private static final long LONGEST_PARK_NS = 50_000_000;

    private final double offsetNs;
    private final double gapNs;
    private double firstNs;
    private long begun;

    /**
     * @param perSecond operations of all threads together, more than 0.
     * @param threads   there are.
     * @param thread    which of them it is, from 0: their operations are spread between each other's.
     */
    Pace(final double perSecond, final int threads, final int thread)
    {
        gapNs = 1e9 * threads / perSecond;
        offsetNs = gapNs * thread / threads;
        firstNs = offsetNs;
    }

    /** Begins anew at a time: what should have begun before it no longer counts. */
    void restart(final long timeNs)
    {
        firstNs = timeNs + offsetNs;
        begun = 0;
    }

    /** When the next operation should begin, in nanoseconds after the begin of the phase. */
    long nextNs()
    {
        return (long)(firstNs + gapNs * begun);
    }

    /** The next operation begins. */
    void begin()
    {
        begun++;
    }

    /** How many operations should have begun before a time, but have not. */
    long behind(final long timeNs)
    {
        return timeNs <= firstNs ? 0 : Math.max(0, (long)Math.ceil((timeNs - firstNs) / gapNs) - begun);
    }

    /** Waits for a time, unless the phase is told to stop. */
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
