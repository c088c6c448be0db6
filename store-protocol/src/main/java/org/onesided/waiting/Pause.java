package org.onesided.waiting;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A short wait before the next attempt or the next look. Only {@link #untilInterrupted} ends early on an interrupt; all
 * methods leave the thread's interrupt status as it was. Thread-safe.
 *
 * <p>Agrona's idle strategies do not fit here: an interrupted thread would spin in their parks, and they spin on cores
 * that other threads want.
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
     * Spins after the first attempts, unless other threads want the core, and sleeps 50 microseconds after the others.
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
     * Sleeps until a time or an event, also in an interrupted thread.
     *
     * @param endNs       a time of {@link System#nanoTime()}.
     * @param lookNs      nanoseconds between two calls of {@code hasHappened}.
     * @param hasHappened whether the event has happened.
     */
    public static void until(final long endNs, final long lookNs, final BooleanSupplier hasHappened)
    {
        boolean isInterrupted = false;
        try
        {
            long remainingNs = endNs - System.nanoTime();
            while (remainingNs > 0 && !hasHappened.getAsBoolean())
            {
                LockSupport.parkNanos(Math.min(remainingNs, lookNs));
                // An interrupted thread would not sleep any more.
                isInterrupted |= Thread.interrupted();
                remainingNs = endNs - System.nanoTime();
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Sleeps until a time, an event or an interrupt.
     *
     * @param endNs       a time of {@link System#nanoTime()}.
     * @param lookNs      nanoseconds between two calls of {@code hasHappened}.
     * @param hasHappened whether the event has happened.
     * @return whether the time has come, without event and interrupt.
     */
    public static boolean untilInterrupted(final long endNs, final long lookNs, final BooleanSupplier hasHappened)
    {
        final Thread self = Thread.currentThread();
        long remainingNs = endNs - System.nanoTime();
        while (remainingNs > 0 && !hasHappened.getAsBoolean() && !self.isInterrupted())
        {
            LockSupport.parkNanos(Math.min(remainingNs, lookNs));
            remainingNs = endNs - System.nanoTime();
        }
        return !hasHappened.getAsBoolean() && !self.isInterrupted();
    }
}
