package org.onesided.client.session;

import java.util.function.LongUnaryOperator;

/**
 * How long to wait before the next attempt: a random part of a span that doubles each time ("full jitter"), so that
 * clients that lost the same server do not come back all at once. Not thread-safe.
 */
final class Backoff
{
    private final long minNs;
    private final long maxNs;
    private final LongUnaryOperator random;
    private long spanNs;

    /**
     * @param random gives a number from 0 to below its argument.
     */
    Backoff(final long minNs, final long maxNs, final LongUnaryOperator random)
    {
        this.minNs = minNs;
        this.maxNs = maxNs;
        this.random = random;
        reset();
    }

    /** Starts anew, after a success. */
    void reset()
    {
        spanNs = minNs;
    }

    /** From half the least span to the whole of the present one. */
    long nextNs()
    {
        final long floorNs = minNs / 2;
        final long delayNs = floorNs + random.applyAsLong(spanNs - floorNs + 1);
        spanNs = Math.min(maxNs, spanNs * 2);
        return delayNs;
    }
}
