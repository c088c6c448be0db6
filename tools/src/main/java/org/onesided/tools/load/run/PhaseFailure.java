package org.onesided.tools.load.run;

/**
 * The reason why a phase cannot continue. Thread-safe.
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

    /** The records show the reason. */
    void tell()
    {
        isTold = true;
        clock.stop();
    }

    /** Reports a thread that ended with an exception. */
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

    /** The exception of a thread; null for none. */
    Throwable cause()
    {
        return cause;
    }
}
