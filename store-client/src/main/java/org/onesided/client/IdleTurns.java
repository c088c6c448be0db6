package org.onesided.client;

import java.util.concurrent.TimeUnit;
import org.onesided.waiting.Spin;

/**
 * Turns of the asynchronous view without work: the thread in office spins, then sleeps, and ends after a while. Not
 * thread-safe.
 */
final class IdleTurns
{
    /** A thread ends after so long without work. */
    private static final long END_NS = TimeUnit.SECONDS.toNanos(3);
    /** Maximum time to spin before a sleep, because nothing is in flight. */
    private static final long MAX_SPIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Spin spin;
    private long sinceNs;
    private int count;

    /**
     * @param spinNs for how long threads of the client spin.
     */
    IdleTurns(final long spinNs)
    {
        spin = new Spin(Math.min(spinNs, MAX_SPIN_NS));
    }

    /** Another turn without work. */
    void add(final long nowNs)
    {
        if (count++ == 0)
        {
            sinceNs = nowNs;
            spin.begin();
        }
    }

    /** A turn with work. */
    void end()
    {
        if (count > 0)
        {
            spin.end();
        }
        count = 0;
    }

    /** Nanoseconds until the thread ends; 0 or less if it should by now. */
    long remainingNs(final long nowNs)
    {
        return END_NS - (nowNs - sinceNs);
    }

    /** Whether to poll again instead of sleeping. */
    boolean spinAgain(final long nowNs)
    {
        return spin.again(nowNs);
    }
}
