package org.onesided.eviction;

/** Spreads the bits of a number over all bits of another one: the finisher of SplitMix64. */
final class Mix
{
    private Mix()
    {
    }

    static long mix(final long value)
    {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
