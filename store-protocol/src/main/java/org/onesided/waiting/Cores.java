package org.onesided.waiting;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * What this process knows of the cores it runs on: whether a thread that spins keeps one from somebody else. Every
 * {@link Spin} reports what it notices, and asks before it begins. Thread-safe.
 *
 * <p>Threads never spin on a single core: what they wait for could not run meanwhile. The JVM counts cores as affinity
 * (sched_setaffinity(2)) and the quota of a cgroup leave them, so a container with half a CPU has one. They are
 * counted again when a core is lost, and once in a second while there is one.
 *
 * <p>On several cores, a thread that lost its core while it spun tells that others want it: another process, another
 * thread of this one, the quota of a cgroup, or the hypervisor. All threads of the process then block at once, for a
 * moment, and for twice as long each time, until spinning saves more than it loses. So a hypervisor that takes a core
 * away once in a second does not keep threads from spinning.
 */
public final class Cores
{
    private static final long FIRST_REST_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_REST_NS = TimeUnit.SECONDS.toNanos(1);
    /** A single long stop says how long it was, and not that others want the core. */
    private static final long MAX_LOSS_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** What a wait saves that ends while its thread spins: nobody has to wake that. */
    private static final long WAKE_UP_NS = TimeUnit.MICROSECONDS.toNanos(10);
    /** Spinning pays if it saves so many times what it loses: the kernel also wakes threads late that have spun. */
    private static final long WORTH = 32;
    /** Another process that wants the core takes it again within this time. */
    private static final long ALONE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The balance forgets one part of so many at each loss. */
    private static final long REMEMBERED = 8;
    /** The balance remembers at most so many times the savings that pay, so that it notices company soon. */
    private static final long MAX_WORTH = 4;
    /** After so long without a loss, the next rest is short again. */
    private static final long FORGOTTEN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Cores OF_PROCESS =
        new Cores(Runtime.getRuntime()::availableProcessors, System.nanoTime());

    private final IntSupplier count;
    private volatile boolean isSingle;
    private long restNs = FIRST_REST_NS / 2;
    /** No thread spins before this, by {@link System#nanoTime}; written under the monitor. */
    private volatile long spinAgainNs;
    /** Waits that ended while their threads spun, since a core was lost. */
    private final AtomicLong successes = new AtomicLong();
    private long recentLossNs;
    private long recentSavingNs;

    /** @param count of cores as it is now. */
    Cores(final IntSupplier count, final long nowNs)
    {
        this.count = count;
        isSingle = count.getAsInt() == 1;
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
        return nowNs - spinAgainNs >= 0 && (!isSingle || countAgain(nowNs));
    }

    /** Whether there are several cores by now; looks once in a while. */
    private synchronized boolean countAgain(final long nowNs)
    {
        isSingle = count.getAsInt() == 1;
        if (isSingle)
        {
            spinAgainNs = nowNs + LONGEST_REST_NS;
        }
        return !isSingle;
    }

    /** So many waits of a thread have ended while it spun. */
    void saved(final int waits)
    {
        successes.addAndGet(waits);
    }

    /**
     * A thread lost its core while it spun.
     *
     * @param nowNs  time by {@link System#nanoTime}.
     * @param lostNs for how long, in nanoseconds.
     */
    synchronized void lostWhileSpinning(final long nowNs, final long lostNs)
    {
        final long sinceNs = nowNs - spinAgainNs;
        isSingle = count.getAsInt() == 1;
        if (sinceNs < 0)
        {
            // Another thread reported the same loss. This one has lost as much.
            recentLossNs += Math.min(lostNs, MAX_LOSS_NS);
            return;
        }
        final boolean isWorthIt = addLoss(lostNs) && sinceNs >= ALONE_NS;
        restNs = isWorthIt || sinceNs >= FORGOTTEN_NS ? FIRST_REST_NS : Math.min(2 * restNs, LONGEST_REST_NS);
        spinAgainNs = nowNs + restNs;
    }

    /** Whether spinning is worth its losses, of which this is the latest. */
    private boolean addLoss(final long lostNs)
    {
        recentLossNs += Math.min(lostNs, MAX_LOSS_NS) - recentLossNs / REMEMBERED;
        final long worthNs = WORTH * recentLossNs;
        final long maxSavingNs = MAX_WORTH * worthNs;
        final long waits = Math.min(successes.getAndSet(0), maxSavingNs / WAKE_UP_NS);
        recentSavingNs = Math.min(maxSavingNs,
            recentSavingNs - recentSavingNs / REMEMBERED + waits * WAKE_UP_NS);
        return recentSavingNs >= worthNs;
    }

    synchronized long restNs()
    {
        return restNs;
    }
}
