package org.onesided.client;

import java.util.concurrent.locks.LockSupport;
import org.onesided.waiting.Cores;

/**
 * Waits a little before something is tried again: spins the first times, unless others want the core, then sleeps.
 */
final class Pause
{
    private static final int SPINS = 6;
    private static final long SLEEP_NS = 50_000;
    private static final int SPIN_COUNT = 64;

    private Pause()
    {
    }

    /**
     * @param attempts done before this one, from 0.
     */
    static void after(final int attempts)
    {
        if (attempts < SPINS && Cores.ofProcess().allowSpinning(System.nanoTime()))
        {
            for (int i = 0; i < SPIN_COUNT; i++)
            {
                Thread.onSpinWait();
            }
        }
        else
        {
            // An interrupt would end each of many sleeps at once.
            final boolean isInterrupted = Thread.interrupted();
            LockSupport.parkNanos(SLEEP_NS);
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }
}
