package org.onesided.tools.load.run;

/**
 * Why a phase cannot go on. Thread-safe.
 */
final class PhaseFailure
{
    private final PhaseClock clock;
    private volatile boolean isTold;
    private volatile Throwable cause;

    PhaseFailure(final PhaseClock clock)
    {
        this.clock = clock;
    }

    /** What is recorded tells why. */
    void tell()
    {
        isTold = true;
        clock.stop();
    }

    /** A thread ended by an exception. */
    void tell(final Throwable thrown)
    {
        synchronized (this)
        {
            if (cause == null)
            {
                cause = thrown;
            }
        }
        isTold = true;
        clock.stop();
    }

    boolean isTold()
    {
        return isTold;
    }

    /** What a thread threw, or null. */
    Throwable cause()
    {
        return cause;
    }
}
