package org.onesided.server.table;

/**
 * Pseudo-random numbers that are part of a shard's state: the same seed gives the same numbers. SplitMix64 (Steele, Lea
 * and Flood, "Fast splittable pseudorandom number generators", 2014). Not thread-safe.
 */
public final class StateRandom
{
    private static final long GAMMA = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    /**
     * @param seed of the numbers.
     */
    public StateRandom(final long seed)
    {
        state = seed;
    }

    /**
     * @return 64 bits.
     */
    public long next()
    {
        state += GAMMA;
        long mixed = (state ^ state >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }

    /**
     * @param bound more than 0.
     * @return a number from 0, less than the bound.
     */
    public long below(final long bound)
    {
        return Math.multiplyHigh(next() >>> 1, bound << 1);
    }
}
