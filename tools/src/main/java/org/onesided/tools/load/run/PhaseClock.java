package org.onesided.tools.load.run;

/**
 * The time of a phase in nanoseconds since its begin, and whether it was told to stop. Thread-safe.
 */
final class PhaseClock
{
    /** Duration of a phase without a time limit. */
    static final long NEVER = Long.MAX_VALUE;

    private final long originNs = System.nanoTime();
    private final long measureFromNs;
    private final long endNs;
    private volatile boolean isStopped;

    /**
     * @param warmUpNs   length of the warm-up, which is not measured.
     * @param durationNs length of the measurement; {@link #NEVER} for no limit.
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
