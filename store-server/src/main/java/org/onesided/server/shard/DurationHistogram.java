package org.onesided.server.shard;

import java.util.List;

/**
 * How often something took how long. Each number is exact; together they are no snapshot of one moment.
 *
 * @param counts of each bucket: of durations above the upper bound of the one before, and up to its own; see
 *               {@link #upperBoundNs}.
 * @param sumNs  of all durations, in nanoseconds.
 */
public record DurationHistogram(List<Long> counts, long sumNs)
{
    /** How many buckets there are; the last one has no upper bound. */
    public static final int BUCKETS = 24;
    private static final int SMALLEST_BOUND_BITS = 8;

    /**
     * @param bucket from 0.
     * @return the longest duration that it counts, in nanoseconds: 256 ns, and twice as much in each that follows;
     *         {@link Long#MAX_VALUE} in the last.
     */
    public static long upperBoundNs(final int bucket)
    {
        return bucket == BUCKETS - 1 ? Long.MAX_VALUE : 1L << (bucket + SMALLEST_BOUND_BITS);
    }

    /** The bucket that counts a duration. */
    static int bucketOf(final long durationNs)
    {
        final int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, durationNs) - 1);
        return Math.min(Math.max(0, bits - SMALLEST_BOUND_BITS), BUCKETS - 1);
    }
}
