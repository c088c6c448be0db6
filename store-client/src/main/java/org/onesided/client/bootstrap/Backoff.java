package org.onesided.client.bootstrap;

import java.util.function.LongUnaryOperator;

/**
 * How long to wait before the next attempt: a random part of a span that doubles each time ("full jitter"), so that
 * clients that lost the same server do not come back all at once. Not thread-safe.
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

    /** Starts anew, after a success. */
    public void reset()
    {
        spanNs = minNs;
    }

    /**
     * @return nanoseconds from half the least span to the whole of the present one, which doubles.
     */
    public long nextNs()
    {
        final long floorNs = minNs / 2;
        final long delayNs = floorNs + random.applyAsLong(spanNs - floorNs + 1);
        spanNs = Math.min(maxNs, spanNs * 2);
        return delayNs;
    }
}
