package org.onesided.verbs.soft;

import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairAttributes;

/**
 * How long the oldest send request waits for a peer that does not answer, has no receive posted, or has no room: the
 * attributes {@code timeout}, {@code retry_cnt} and {@code rnr_retry} of its queue pair. For the thread that holds the
 * send queue, but for {@link #leftNs} and {@link #deadlineNs}.
 */
public final class RetryTimer
{
    /** Value of rnr_retry that stands for no limit. */
    private static final int FOR_EVER = 7;

    private boolean active;
    private boolean waitsForPeer;
    private boolean rests;
    private int retries;
    private volatile boolean hasDeadline;
    private volatile long deadlineNs;

    RetryTimer()
    {
    }

    /**
     * The peer does not answer yet.
     *
     * @param attributes of the queue pair.
     * @param leastNs    how long to wait for it however soon the attributes would give up, in nanoseconds.
     * @return {@link Transport#BLOCKED}, or the error if it was waited for long enough.
     */
    public int waitForPeer(final QueuePairAttributes attributes, final long leastNs)
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
        return !hasDeadline || nowNs - deadlineNs < 0 ? Transport.BLOCKED : CompletionStatus.RETRY_EXC_ERR;
    }

    /**
     * The peer has no receive.
     *
     * @param attributes of the queue pair.
     * @param timerCode  the peer's minimum timer.
     * @return {@link Transport#BLOCKED}, or the error if it was tried often enough.
     */
    public int waitForReceive(final QueuePairAttributes attributes, final int timerCode)
    {
        waitsForPeer = false;
        if (attributes.rnrRetry() != FOR_EVER && retries++ >= attributes.rnrRetry())
        {
            return CompletionStatus.RNR_RETRY_EXC_ERR;
        }
        deadlineNs = Timers.after(System.nanoTime(), Timers.rnrTimerNs(timerCode));
        hasDeadline = true;
        rests = true;
        active = true;
        return Transport.BLOCKED;
    }

    /**
     * There is no room on the way to the peer.
     *
     * @return {@link Transport#BLOCKED}.
     */
    public int waitForRoom()
    {
        waitsForPeer = false;
        hasDeadline = false;
        retries = 0;
        active = true;
        return Transport.BLOCKED;
    }

    /**
     * Ends the rest once its time is over.
     *
     * @return whether the rest goes on, which only time ends.
     */
    boolean rest()
    {
        if (rests && System.nanoTime() - deadlineNs >= 0)
        {
            rests = false;
        }
        return rests;
    }

    /**
     * @return nanoseconds until the next retry; at least 1.
     */
    long leftNs(final long nowNs)
    {
        return hasDeadline ? Math.max(1, deadlineNs - nowNs) : Timers.FOR_EVER_NS;
    }

    /**
     * @return time of the next retry; a constant if that is not known.
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
