package org.onesided.client.session;

import java.util.function.LongUnaryOperator;
import org.onesided.waiting.Backoff;

/**
 * When a session may try to reconnect: at once if its attachment was useful, otherwise after a {@link Backoff}. The
 * backoff continues from one operation to the next, so that short deadlines do not make a session try more often. Not
 * thread-safe.
 */
final class ReconnectPace
{
    private static final long MIN_BACKOFF_NS = 2_000_000L;
    private static final long MAX_BACKOFF_NS = 500_000_000L;
    /** Where another server takes the place of a lost one, soon: operations wait for it. */
    private static final long MAX_MOVING_BACKOFF_NS = 50_000_000L;
    /** After so long, an attachment counts as useful. */
    private static final long PROVEN_LIFE_NS = 1_000_000_000L;

    private final Backoff backoff;
    /** Whether an operation has succeeded on the attachment, or the one before. */
    private boolean isProven = true;
    private boolean isPausing;
    private long attachedNs;
    private long nextNs;

    /**
     * @param isMoving whether another server may take the place of a lost one, soon.
     * @param random   gives a number from 0 to below its argument.
     */
    ReconnectPace(final boolean isMoving, final LongUnaryOperator random)
    {
        backoff = new Backoff(MIN_BACKOFF_NS, isMoving ? MAX_MOVING_BACKOFF_NS : MAX_BACKOFF_NS, random);
    }

    /** An attachment was lost, and an operation needs another. */
    void begin(final long nowNs)
    {
        if (isPausing)
        {
            return;
        }
        if (isProven || nowNs - attachedNs >= PROVEN_LIFE_NS)
        {
            isProven = false;
            backoff.reset();
        }
        else
        {
            // The attachment was lost before it was useful, as the next one may be.
            failed(nowNs);
        }
    }

    /** An attempt has failed. */
    void failed(final long nowNs)
    {
        isPausing = true;
        nextNs = nowNs + backoff.nextNs();
    }

    /** How long to wait before the next attempt; 0 or less for not at all. */
    long pauseNs(final long nowNs)
    {
        return isPausing ? nextNs - nowNs : 0;
    }

    /** An attempt has succeeded. */
    void attached(final long nowNs)
    {
        isPausing = false;
        attachedNs = nowNs;
    }

    /** An operation on the attachment has succeeded. */
    void succeeded()
    {
        isProven = true;
    }
}
