package org.onesided.linearizability;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * When keys of a server expire, as far as requests tell that are sent one after the other and answered by all shards.
 *
 * <p>A shard reads its clock at most once per round, and answers at the end of a round. So two of these requests are in
 * different rounds, and the round of a write began after the request before the last one that was answered before the
 * write. In the same way a shard has noticed a time by the second request that was sent after it.
 */
final class PulsedTimes implements ExpiryTimes
{
    /** For how long READs may find a key whose time has come, while the server runs. */
    static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The shard's clock is slewed by at most one part of so many. */
    private static final long SLEW_PART = 200;
    /** It counts milliseconds. */
    private static final long UNIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The server ran for no longer between two requests than that, if it stood still for the rest. */
    private static final long LONGEST_STEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final long[] begins;
    private final long[] ends;

    /**
     * @param begins of the requests, in their order.
     * @param ends   of the requests: each is over before the next one begins.
     */
    PulsedTimes(final long[] begins, final long[] ends)
    {
        this.begins = begins;
        this.ends = ends;
    }

    @Override
    public long earliestNs(final long invokeNs, final long ttlNs)
    {
        final int last = firstFrom(ends, invokeNs + 1) - 1;
        return last < 1 ? Long.MIN_VALUE : begins[last - 1] + ttlNs - ttlNs / SLEW_PART - UNIT_NS;
    }

    @Override
    public long latestNs(final long endNs, final long ttlNs)
    {
        final int second = firstFrom(begins, lastNs(endNs, ttlNs)) + 1;
        return second < ends.length ? ends[second] : Long.MAX_VALUE;
    }

    @Override
    public long goneNs(final long endNs, final long ttlNs)
    {
        long ranNs = 0;
        for (int i = firstFrom(begins, lastNs(endNs, ttlNs)) + 1; i < ends.length; i++)
        {
            ranNs += Math.min(begins[i] - begins[i - 1], LONGEST_STEP_NS);
            if (ranNs >= LINGER_NS)
            {
                return ends[i];
            }
        }
        return Long.MAX_VALUE;
    }

    private static long lastNs(final long endNs, final long ttlNs)
    {
        return endNs + ttlNs + ttlNs / SLEW_PART + UNIT_NS;
    }

    /** Index of the first that is not less than a time. */
    private static int firstFrom(final long[] sorted, final long timeNs)
    {
        final int at = Arrays.binarySearch(sorted, timeNs);
        return at < 0 ? -at - 1 : at;
    }
}
