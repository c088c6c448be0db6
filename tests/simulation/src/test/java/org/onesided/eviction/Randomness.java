package org.onesided.eviction;

/** A seeded generator, SplitMix64. */
final class Randomness
{
    static final long STEP = 0x9e3779b97f4a7c15L;

    private long state;

    Randomness(final long seed)
    {
        state = seed;
    }

    long next()
    {
        state += STEP;
        return Mix.mix(state);
    }

    int below(final int bound)
    {
        return (int)(((next() >>> 32) * bound) >>> 32);
    }

    double unit()
    {
        return (next() >>> 11) * 0x1.0p-53;
    }
}
