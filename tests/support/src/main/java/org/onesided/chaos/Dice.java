package org.onesided.chaos;

/**
 * Chance that a seed decides: the same four numbers give the same throws, whatever happens around them. A counter
 * through a mixing function (splitmix64). Not thread-safe.
 */
final class Dice
{
    private static final long GAMMA = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    /**
     * @param seed    of the plan.
     * @param object  number of the queue pair.
     * @param stream  which of its decisions.
     * @param counter which request.
     */
    Dice(final long seed, final long object, final int stream, final long counter)
    {
        state = mix(mix(mix(seed + GAMMA) ^ object * GAMMA) ^ stream * GAMMA) ^ counter * GAMMA;
    }

    long next()
    {
        state += GAMMA;
        return mix(state);
    }

    /**
     * @param bound from 1.
     * @return from 0, below {@code bound}.
     */
    int below(final int bound)
    {
        return (int)((next() >>> 1) % bound);
    }

    /**
     * @param odds 0 for never. There is one throw in any case, so that one fault's odds do not move another's.
     * @return true once in as many times.
     */
    boolean oneIn(final int odds)
    {
        final long value = next() >>> 1;
        return odds > 0 && value % odds == 0;
    }

    private static long mix(final long value)
    {
        long x = value;
        x = (x ^ (x >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return x ^ (x >>> 31);
    }
}
