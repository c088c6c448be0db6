package org.onesided.verbs.soft;

import org.onesided.verbs.QueuePairAttributes;

/**
 * How long the oldest send request goes on waiting for a peer that does not answer, has no receive, or no room.
 */
final class Patience
{
    /** The code for trying for ever while the peer has no receive. */
    private static final int FOR_EVER = 7;

    private boolean active;
    private boolean waitsForPeer;
    private boolean rests;
    private int retries;
    private volatile boolean hasDeadline;
    private volatile long deadlineNs;

    /**
     * @return whether to wait longer.
     */
    boolean waitForPeer(final QueuePairAttributes attributes, final long leastNs)
    {
        final long nowNs = System.nanoTime();
        if (!waitsForPeer)
        {
            waitsForPeer = true;
            active = true;
            final long answerNs =
                Math.max(leastNs, Timers.answerNs(attributes.timeout(), attributes.retryCount()));
            deadlineNs = Timers.after(nowNs, answerNs);
            hasDeadline = answerNs != Timers.FOR_EVER_NS;
        }
        return !hasDeadline || nowNs - deadlineNs < 0;
    }

    /**
     * @return whether to try again after the peer's timer has run out.
     */
    boolean waitForReceive(final QueuePairAttributes attributes, final int timerCode)
    {
        waitsForPeer = false;
        if (attributes.rnrRetry() != FOR_EVER && retries++ >= attributes.rnrRetry())
        {
            return false;
        }
        deadlineNs = Timers.after(System.nanoTime(), Timers.rnrTimerNs(timerCode));
        hasDeadline = true;
        rests = true;
        active = true;
        return true;
    }

    void waitForRoom()
    {
        waitsForPeer = false;
        hasDeadline = false;
        retries = 0;
        active = true;
    }

    /**
     * @return whether a timer runs that nothing but time ends.
     */
    boolean isResting()
    {
        if (rests && System.nanoTime() - deadlineNs >= 0)
        {
            rests = false;
        }
        return rests;
    }

    /**
     * @return how long until something is to be tried again; at least 1.
     */
    long leftNs(final long nowNs)
    {
        return hasDeadline ? Math.max(1, deadlineNs - nowNs) : Timers.FOR_EVER_NS;
    }

    /**
     * @return when something is to be tried again; any constant if nothing is at a known time.
     */
    long deadlineNs()
    {
        return hasDeadline ? deadlineNs : Timers.FOR_EVER_NS;
    }

    /**
     * The request is done.
     */
    void end()
    {
        if (active)
        {
            active = false;
            waitsForPeer = false;
            rests = false;
            hasDeadline = false;
            retries = 0;
        }
    }
}
