package org.onesided.waiting;

import java.util.function.LongUnaryOperator;

/**
 * A span that doubles with each failure up to a limit, and random delays within it ("full jitter"), so that clients
 * that lost the same server do not reconnect at the same time. Not thread-safe.
 */
public final class Backoff
{
    private final long minNs;
    private final long maxNs;
    private final LongUnaryOperator random;
    private long spanNs;

    /**
     * @param minNs  the first span, in nanoseconds.
     * @param maxNs  the longest.
     * @param random gives a number from 0 to below its argument.
     */
    public Backoff(final long minNs, final long maxNs, final LongUnaryOperator random)
    {
        this.minNs = minNs;
        this.maxNs = maxNs;
        this.random = random;
        reset();
    }

    /** Returns to the first span, after a success. */
    public void reset()
    {
        spanNs = minNs;
    }

    /**
     * @return the present span, in nanoseconds.
     */
    public long spanNs()
    {
        return spanNs;
    }

    /** Doubles the span, after a failure. */
    public void grow()
    {
        spanNs = Math.min(maxNs, spanNs * 2);
    }

    /**
     * Draws a delay, and doubles the span.
     *
     * @return nanoseconds from half the first span to the whole of the present one.
     */
    public long nextNs()
    {
        final long floorNs = minNs / 2;
        final long delayNs = floorNs + random.applyAsLong(spanNs - floorNs + 1);
        grow();
        return delayNs;
    }
}
