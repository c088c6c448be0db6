package org.onesided.client.pool;

import org.onesided.waiting.Backoff;

/**
 * How often, and for how long, a pool that has sessions to share tries to open another. While this works, a few threads
 * may try at a time, so that one client does not flood the server. After a failure one thread tries, for the span of a
 * {@link Backoff}, and then rests for several spans, so that threads spend most of their time sharing. Thread-safe.
 */
final class OpeningPace
{
    private static final long FIRST_SPAN_NS = 250_000_000L;
    /** Spans of sharing between two attempts. */
    private static final int REST_SPANS = 4;
    private static final int MAX_RUNNING = 2;

    private final Backoff backoff;
    private long nextNs;
    private int failures;
    private int running;

    /**
     * @param longestNs of a span.
     */
    OpeningPace(final long longestNs)
    {
        backoff = new Backoff(Math.min(FIRST_SPAN_NS, longestNs), longestNs, bound -> bound - 1);
    }

    /** Nanoseconds that an attempt may take now, or 0 for none; the caller {@link #end ends} an attempt. */
    synchronized long begin(final long nowNs)
    {
        if (running >= MAX_RUNNING || failures > 0 && (running > 0 || nowNs - nextNs < 0))
        {
            return 0;
        }
        running++;
        return backoff.spanNs();
    }

    synchronized void end(final boolean isOpened, final long nowNs)
    {
        running--;
        if (isOpened)
        {
            failures = 0;
            backoff.reset();
        }
        else
        {
            failures++;
            nextNs = nowNs + REST_SPANS * backoff.spanNs();
            if (running == 0)
            {
                // Concurrent attempts count as one.
                backoff.grow();
            }
        }
    }
}
