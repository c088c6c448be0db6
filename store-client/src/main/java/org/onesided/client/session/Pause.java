package org.onesided.client.session;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.onesided.waiting.Cores;

/**
 * Waits a little before something is tried again. An interrupt ends no wait, and is there again after it.
 */
public final class Pause
{
    private static final int SPINS = 6;
    private static final long SLEEP_NS = 50_000;
    private static final int SPIN_COUNT = 64;

    private Pause()
    {
    }

    /**
     * Spins the first times, unless others want the core, then sleeps.
     *
     * @param attempts done before this one, from 0.
     */
    public static void after(final int attempts)
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

    /**
     * Sleeps until a time, or until something has happened.
     *
     * @param endNs       a time of {@link System#nanoTime()}.
     * @param lookNs      how often to look whether it has happened.
     * @param hasHappened looks.
     */
    public static void until(final long endNs, final long lookNs, final BooleanSupplier hasHappened)
    {
        boolean isInterrupted = false;
        long remainingNs = endNs - System.nanoTime();
        while (remainingNs > 0 && !hasHappened.getAsBoolean())
        {
            LockSupport.parkNanos(Math.min(remainingNs, lookNs));
            // An interrupted thread would not sleep any more.
            isInterrupted |= Thread.interrupted();
            remainingNs = endNs - System.nanoTime();
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
