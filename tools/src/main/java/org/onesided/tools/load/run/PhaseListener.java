package org.onesided.tools.load.run;

/**
 * Told how a phase goes on. Called by the thread that runs the phase.
 */
interface PhaseListener
{
    /**
     * Nothing is measured yet.
     *
     * @param leftNs how long that lasts, in nanoseconds.
     */
    void warmingUp(long leftNs);

    /** From here on is measured. */
    void measuring();

    /** Another stretch of the phase is over. */
    void interval(Interval interval);
}
