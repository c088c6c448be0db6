package org.onesided.tools.load.run;

/**
 * The time of a phase, in nanoseconds since it began, and whether it was told to stop. Thread-safe.
 */
final class PhaseClock
{
    /** For a phase that no time ends. */
    static final long NEVER = Long.MAX_VALUE;

    private final long originNs = System.nanoTime();
    private final long measureFromNs;
    private final long endNs;
    private volatile boolean isStopped;

    /**
     * @param warmUpNs   for how long nothing is measured.
     * @param durationNs for how long is measured behind that, {@link #NEVER} for no limit.
     */
    PhaseClock(final long warmUpNs, final long durationNs)
    {
        measureFromNs = warmUpNs;
        endNs = durationNs == NEVER ? NEVER : warmUpNs + durationNs;
    }

    long nowNs()
    {
        return System.nanoTime() - originNs;
    }

    long measureFromNs()
    {
        return measureFromNs;
    }

    long endNs()
    {
        return endNs;
    }

    void stop()
    {
        isStopped = true;
    }

    boolean isStopped()
    {
        return isStopped;
    }
}
