package org.onesided.server.raft;

/**
 * Waits for threads, with a bound.
 */
final class Joining
{
    private Joining()
    {
    }

    /** Waits for a thread's end; returns whether it has ended. An interrupt is kept for the caller. */
    static boolean join(final Thread thread, final long timeoutMs)
    {
        try
        {
            thread.join(timeoutMs);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
