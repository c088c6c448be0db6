package org.onesided.tools.load.run;

/**
 * Gets the progress of a phase, from the thread that runs it.
 */
interface PhaseListener
{
    /**
     * The warm-up has begun.
     *
     * @param leftNs length of the warm-up, in nanoseconds.
     */
    void warmingUp(long leftNs);

    /** The measurement has begun. */
    void measuring();

    /** An interval of the phase has ended. */
    void interval(Interval interval);
}
