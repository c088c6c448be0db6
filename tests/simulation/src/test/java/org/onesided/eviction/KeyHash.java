package org.onesided.eviction;

/** The hash of a numbered key, as a store has one of each key. */
final class KeyHash
{
    private KeyHash()
    {
    }

    static long of(final int key)
    {
        return Mix.mix((key + 1) * Randomness.STEP);
    }
}
