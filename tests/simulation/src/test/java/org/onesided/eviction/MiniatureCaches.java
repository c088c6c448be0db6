package org.onesided.eviction;

/**
 * Estimates the hit ratio for twice and half the memory: three caches of the same policy, for half, all and twice the
 * memory, hold the records of a sample of the keys. What they differ by is added to the hit ratio of the whole.
 */
final class MiniatureCaches
{
    private static final int SAMPLED_RECORDS = 1024;

    private final double share;
    private final int oneIn;
    private final Randomness random = new Randomness(5);
    private final DensityPolicy[] caches;
    private final long[] hits;

    /** @param oneIn of which number of hits one is reported to the policy. */
    MiniatureCaches(final Trace trace, final long capacity, final int oneIn)
    {
        this.oneIn = oneIn;
        double fraction = 1;
        while (trace.recordsIn(capacity) * fraction > 2 * SAMPLED_RECORDS)
        {
            fraction /= 2;
        }
        share = fraction;
        final long sampled = Math.max(2, (long)(capacity * share));
        caches = new DensityPolicy[]{new DensityPolicy(trace, sampled / 2), new DensityPolicy(trace, sampled),
            new DensityPolicy(trace, 2 * sampled)};
        hits = new long[caches.length];
    }

    void lookup(final int key)
    {
        // Mixed otherwise than for the history, where the keys of a sample would else share bits.
        if ((Mix.mix(KeyHash.of(key) + Randomness.STEP) >>> 11) * 0x1.0p-53 >= share)
        {
            return;
        }
        final boolean isReported = random.below(oneIn) == 0;
        for (int i = 0; i < caches.length; i++)
        {
            if (!caches[i].contains(key))
            {
                caches[i].put(key);
                continue;
            }
            hits[i]++;
            if (isReported)
            {
                caches[i].report(key);
            }
        }
    }

    /** What half the memory would change the hit ratio by, after so many lookups of all keys. */
    double half(final long lookups)
    {
        return (hits[0] - hits[1]) / (lookups * share);
    }

    /** What twice the memory would change the hit ratio by, after so many lookups of all keys. */
    double twice(final long lookups)
    {
        return (hits[2] - hits[1]) / (lookups * share);
    }
}
