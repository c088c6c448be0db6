package org.onesided.waiting;

/**
 * One thread's decision, at each wait, between looking again and blocking:
 *
 * <pre>{@code
 * spin.begin();
 * while (!hasCome())
 * {
 *     if (!spin.again(System.nanoTime()))
 *     {
 *         block();
 *     }
 * }
 * spin.end();
 * }</pre>
 *
 * <p>It looks again for a bounded time, as long as that pays. It blocks at once where {@link Cores} says that others
 * want the core, and where waits are long, since spinning would then save nothing that counts.
 *
 * <p>Every few microseconds it yields: the kernel likes to wake a thread on its waker's core, so what is awaited may be
 * waiting for this very one. Without yields, three threads on two idle cores keep each other waiting. On a machine that
 * others keep busy, a yield gives the core away for a whole slice of the scheduler, some milliseconds. {@link Cores} is
 * told of such a gap between two looks, so it comes once and then ever more rarely, unless spinning pays nevertheless.
 *
 * <p>For one thread.
 */
public final class Spin
{
    /** Spins for as long as the wait takes. */
    public static final long FOR_EVER_NS = Long.MAX_VALUE;

    /** Longer than one look takes, even at a chunk of a large value, and shorter than a scheduler's slice. */
    static final long GAP_NS = 500_000;
    /** A wait of so many times the spin's length counts as long. */
    static final long LONG_WAIT_SPINS = 4;
    /** Long waits in a row that are tolerated before waits block at once. */
    static final int FORGIVEN = 3;
    /** Successes that {@link Cores} is told of together, as all threads share its counter. */
    private static final int COUNTED_TOGETHER = 64;
    private static final long YIELD_NS = 2_000;
    /** A thread that spins for ever needs a core of its own. */
    private static final long RARE_YIELD_NS = 50_000;

    private final Cores cores;
    private final long maxNs;
    private boolean isBegun;
    private boolean isSpinning;
    private long beginNs;
    private long lastLookNs;
    private long yieldedNs;
    private int longWaits;
    /** Waits that spinning has ended and that {@link #cores} has not been told of. */
    private int successes;

    /**
     * @param maxNs how long to spin in one wait, in nanoseconds: 0 to block at once, {@link #FOR_EVER_NS} to never
     *              block, even if other threads want the core.
     */
    public Spin(final long maxNs)
    {
        this(maxNs, Cores.ofProcess());
    }

    Spin(final long maxNs, final Cores cores)
    {
        this.maxNs = maxNs;
        this.cores = cores;
    }

    /** A wait begins. */
    public void begin()
    {
        isBegun = false;
        isSpinning = false;
    }

    /**
     * The awaited event has not come.
     *
     * @param nowNs time by {@link System#nanoTime}.
     * @return whether to look again, after a short pause that this call made; false to block.
     */
    public boolean again(final long nowNs)
    {
        if (!isBegun)
        {
            isBegun = true;
            beginNs = nowNs;
            yieldedNs = nowNs;
            isSpinning = maxNs == FOR_EVER_NS || maxNs > 0 && longWaits <= FORGIVEN && cores.allowSpinning(nowNs);
        }
        else if (isSpinning && maxNs != FOR_EVER_NS)
        {
            check(nowNs);
        }
        lastLookNs = nowNs;
        if (isSpinning)
        {
            pause(nowNs);
        }
        return isSpinning;
    }

    /** The awaited event has come. */
    public void end()
    {
        if (isSpinning)
        {
            longWaits = 0;
            if (maxNs != FOR_EVER_NS && ++successes == COUNTED_TOGETHER)
            {
                tellSuccesses();
            }
            if (lastLookNs == yieldedNs && lastLookNs != beginNs && maxNs != FOR_EVER_NS)
            {
                checkYield(System.nanoTime());
            }
        }
        else if (isBegun && maxNs > 0)
        {
            end(System.nanoTime());
        }
        begin();
    }

    /** A wait with a block has ended. */
    void end(final long nowNs)
    {
        longWaits = nowNs - beginNs > LONG_WAIT_SPINS * maxNs ? Math.min(longWaits + 1, FORGIVEN + 1) : 0;
    }

    /** The awaited event came during a yield, perhaps long ago. */
    void checkYield(final long nowNs)
    {
        if (nowNs - lastLookNs > GAP_NS)
        {
            lost(nowNs);
        }
    }

    private void lost(final long nowNs)
    {
        tellSuccesses();
        cores.lostWhileSpinning(nowNs, nowNs - lastLookNs);
    }

    private void tellSuccesses()
    {
        cores.saved(successes);
        successes = 0;
    }

    private void pause(final long nowNs)
    {
        if (nowNs - yieldedNs >= (maxNs == FOR_EVER_NS ? RARE_YIELD_NS : YIELD_NS))
        {
            yieldedNs = nowNs;
            Thread.yield();
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    private void check(final long nowNs)
    {
        if (nowNs - lastLookNs > GAP_NS)
        {
            isSpinning = false;
            lost(nowNs);
        }
        else if (nowNs - beginNs >= maxNs)
        {
            isSpinning = false;
        }
    }
}
