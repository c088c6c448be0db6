package org.onesided.waiting;

import java.util.concurrent.TimeUnit;

/**
 * What this process knows of the cores it runs on: whether a thread that spins keeps one from somebody else. Every
 * {@link Spin} reports what it notices, and asks before it begins. Thread-safe.
 *
 * <p>Threads never spin on a single core: what they wait for could not run meanwhile. The JVM counts cores as affinity
 * (sched_setaffinity(2)) and the quota of a cgroup leave them, so a container with half a CPU has one.
 *
 * <p>On several cores, a thread that lost its core while it spun tells that others want it: another process, another
 * thread of this one, the quota of a cgroup, or the hypervisor. All threads of the process then block at once, for a
 * time that doubles while the same happens again soon after.
 */
public final class Cores
{
    private static final long FIRST_REST_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_REST_NS = TimeUnit.SECONDS.toNanos(1);
    /** Interval at which the scheduler takes a core away for another thread. */
    private static final long SLICES_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** After so long without a loss, the next rest is short again. */
    private static final long FORGOTTEN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Cores OF_PROCESS =
        new Cores(Runtime.getRuntime().availableProcessors(), System.nanoTime());

    private final boolean isSingle;
    private long restNs = FIRST_REST_NS;
    /** No thread spins before this, by {@link System#nanoTime}; written under the monitor. */
    private volatile long spinAgainNs;

    Cores(final int count, final long nowNs)
    {
        isSingle = count == 1;
        spinAgainNs = nowNs;
    }

    /**
     * @return those of this process.
     */
    public static Cores ofProcess()
    {
        return OF_PROCESS;
    }

    /**
     * @return whether there is one only, so that nothing comes while a thread spins.
     */
    public boolean isSingle()
    {
        return isSingle;
    }

    /**
     * @param nowNs time by {@link System#nanoTime}.
     * @return whether spinning may pay: there is more than one core, and no other thread wanted it lately.
     */
    public boolean allowSpinning(final long nowNs)
    {
        return !isSingle && nowNs - spinAgainNs >= 0;
    }

    /**
     * A thread lost its core while it spun.
     *
     * @param nowNs time by {@link System#nanoTime}.
     */
    synchronized void lostWhileSpinning(final long nowNs)
    {
        final long sinceNs = nowNs - spinAgainNs;
        if (sinceNs < 0)
        {
            // Another thread reported the same loss.
            return;
        }
        if (sinceNs >= FORGOTTEN_NS)
        {
            restNs = FIRST_REST_NS;
        }
        else if (sinceNs < SLICES_NS + restNs)
        {
            restNs = Math.min(2 * restNs, LONGEST_REST_NS);
        }
        spinAgainNs = nowNs + restNs;
    }

    synchronized long restNs()
    {
        return restNs;
    }
}
