package org.onesided.verbs.tcp;

/**
 * A socket that has no queue pair, for a limited time: before it is assigned to one, or after it was separated from it.
 * Used by the progress thread only.
 */
abstract class Timed implements Handler
{
    private final long deadlineNs;

    /**
     * @param timeoutNs from now on.
     */
    Timed(final long timeoutNs)
    {
        deadlineNs = System.nanoTime() + timeoutNs;
    }

    final long deadlineNs()
    {
        return deadlineNs;
    }

    @Override
    public void failed()
    {
        expire();
    }

    /**
     * Time is up: closes the socket if it is still this one's.
     */
    abstract void expire();

    /**
     * The device ends, and with it all that it has.
     */
    void closed()
    {
        expire();
    }
}
