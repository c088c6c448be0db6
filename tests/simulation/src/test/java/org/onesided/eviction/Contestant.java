package org.onesided.eviction;

import java.util.Locale;

/** What is compared: policies that the server could have, and models of what others do. */
enum Contestant
{
    OPTIMUM,
    W_TINYLFU,
    LRU,
    LFU,
    REDIS_LRU,
    REDIS_LFU,
    DENSITY,
    SAMPLED_LRU_5,
    SAMPLED_LRU_7,
    SAMPLED_LRU_14,
    SAMPLED_LFU,
    HYPERBOLIC,
    TINYLFU_1,
    TINYLFU_20,
    CLOCK_1,
    CLOCK_3,
    S3_FIFO;

    /** A minute of Redis' clock in lookups: a shard has thousands a second. */
    private static final int MINUTE = 100_000;
    /** Reports come after so many lookups for each record that there is room for. */
    private static final double DELAY = 0.1;

    /** Whether it sees all lookups, at once. */
    boolean seesAll()
    {
        return ordinal() < DENSITY.ordinal();
    }

    double hitRatio(final Trace trace, final long capacity, final int oneIn)
    {
        if (this == OPTIMUM)
        {
            return Optimum.hitRatio(trace, capacity);
        }
        if (this == W_TINYLFU)
        {
            return CaffeineReference.hitRatio(trace, capacity);
        }
        final Simulation simulation = seesAll() ? new Simulation(1, 1) :
            new Simulation(oneIn, (int)Math.max(1, DELAY * trace.recordsIn(capacity)));
        return simulation.hitRatio(trace, policy(trace, capacity, Math.max(1, oneIn)));
    }

    private Policy policy(final Trace trace, final long capacity, final int oneIn)
    {
        return switch (this)
        {
            case LRU -> new Lru(trace, capacity);
            case LFU -> new Lfu(trace, capacity);
            case REDIS_LRU -> new RedisLru(trace, capacity);
            case REDIS_LFU -> new RedisLfu(trace, capacity, MINUTE);
            case SAMPLED_LRU_5 -> new SampledLru(trace, capacity, 5);
            case SAMPLED_LRU_7 -> new SampledLru(trace, capacity, 7);
            case SAMPLED_LRU_14 -> new SampledLru(trace, capacity, 14);
            case SAMPLED_LFU -> new SampledLfu(trace, capacity, 14, oneIn);
            case HYPERBOLIC -> new Hyperbolic(trace, capacity, 14, oneIn);
            case TINYLFU_1 -> new SampledTinyLfu(trace, capacity, 1);
            case TINYLFU_20 -> new SampledTinyLfu(trace, capacity, 20);
            case CLOCK_1 -> new Clock(trace, capacity, 1);
            case CLOCK_3 -> new Clock(trace, capacity, 3);
            case S3_FIFO -> new S3Fifo(trace, capacity);
            case DENSITY -> new DensityPolicy(trace, capacity);
            case OPTIMUM, W_TINYLFU -> throw new IllegalStateException("is no policy: contestant=" + this);
        };
    }

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
