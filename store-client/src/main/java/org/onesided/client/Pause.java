package org.onesided.client;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits a little before something is tried again, longer each time: spins, yields, then sleeps.
 */
final class Pause
{
    private static final int SPINS = 3;
    private static final int YIELDS = 6;
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
        if (attempts < SPINS)
        {
            for (int i = 0; i < SPIN_COUNT; i++)
            {
                Thread.onSpinWait();
            }
        }
        else if (attempts < YIELDS)
        {
            Thread.yield();
        }
        else
        {
            LockSupport.parkNanos(SLEEP_NS);
        }
    }
}
