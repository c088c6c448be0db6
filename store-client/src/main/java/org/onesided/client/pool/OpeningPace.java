package org.onesided.client.pool;

/**
 * How often, and for how long, a pool tries to open one session more while it has others to share: few threads at a
 * time as long as that works, so that one client is no storm; once it failed, one thread at a time, for a span that
 * doubles with each failure, and seldom enough that most of the time goes into sharing. Thread-safe.
 */
final class OpeningPace
{
    private static final long FIRST_SPAN_NS = 250_000_000L;
    /** Spans of sharing between two attempts. */
    private static final int REST_SPANS = 4;
    private static final int MAX_RUNNING = 2;

    private final long longestNs;
    private long spanNs;
    private long nextNs;
    private int failures;
    private int running;

    /**
     * @param longestNs of a span.
     */
    OpeningPace(final long longestNs)
    {
        this.longestNs = longestNs;
        spanNs = Math.min(FIRST_SPAN_NS, longestNs);
    }

    /** Whether to try: nanoseconds that it may take, or 0. What was begun is ended. */
    synchronized long begin(final long nowNs)
    {
        if (running >= MAX_RUNNING || failures > 0 && (running > 0 || nowNs - nextNs < 0))
        {
            return 0;
        }
        running++;
        return spanNs;
    }

    synchronized void end(final boolean isOpened, final long nowNs)
    {
        running--;
        if (isOpened)
        {
            failures = 0;
            spanNs = Math.min(FIRST_SPAN_NS, longestNs);
        }
        else
        {
            failures++;
            nextNs = nowNs + REST_SPANS * spanNs;
            if (running == 0)
            {
                // Attempts that ran together count as one.
                spanNs = Math.min(longestNs, 2 * spanNs);
            }
        }
    }
}
