package org.onesided.tools.load.run;

/**
 * Which puts of a writer are so young that their keys cannot have expired. Counters of puts grow with their starts, so
 * a few of both, spread over the time to live, tell it of each put. For one thread.
 */
final class LivePuts
{
    private static final long NS_PER_MS = 1_000_000;
    /** Samples in a time to live. */
    private static final int SAMPLES = 64;
    /** The server's clock may run by that part of what passes faster than this process' clock. */
    private static final int SLEW_PART = 100;

    private final long sureNs;
    private final long spacingNs;
    private final long[] counters = new long[2 * SAMPLES];
    private final long[] startsNs = new long[2 * SAMPLES];
    private long count;

    /**
     * @param ttlMs  for how long keys live, in milliseconds; 0 for ever.
     * @param evicts whether keys may leave at any moment.
     * @return the puts of a writer; null if keys stay.
     */
    static LivePuts of(final long ttlMs, final boolean evicts)
    {
        return evicts ? new LivePuts(0) : ttlMs == 0 ? null : new LivePuts(ttlMs * NS_PER_MS);
    }

    /**
     * @param ttlNs for how long keys live at least, in nanoseconds.
     */
    LivePuts(final long ttlNs)
    {
        sureNs = ttlNs - ttlNs / SLEW_PART;
        spacingNs = ttlNs / SAMPLES;
    }

    /**
     * A put begins.
     *
     * @param counter greater than that of the put before.
     * @param startNs when; not before that of the put before.
     */
    void begin(final long counter, final long startNs)
    {
        if (count == 0 || startNs - startsNs[at(count - 1)] >= spacingNs)
        {
            counters[at(count)] = counter;
            startsNs[at(count)] = startNs;
            count++;
        }
    }

    /**
     * Tells which puts must be there unless they were overwritten.
     *
     * @param nowNs a time.
     * @return least counter of these puts, as far as this is known; {@link Long#MAX_VALUE} if there are none.
     */
    long firstAlive(final long nowNs)
    {
        long first = Long.MAX_VALUE;
        for (long i = count - 1; i >= 0 && i >= count - counters.length && nowNs - startsNs[at(i)] < sureNs; i--)
        {
            first = counters[at(i)];
        }
        return first;
    }

    private int at(final long index)
    {
        return (int)(index & counters.length - 1);
    }
}
