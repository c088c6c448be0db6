package org.onesided.eviction;

/** Traces that are made up. */
final class MadeTraces
{
    private static final int KEYS = 100_000;
    private static final int SCAN = 5_000;
    private static final int SCAN_EVERY = 25_000;

    private MadeTraces()
    {
    }

    /** Zipfian keys, and a scan over keys that come never again between them, a sixth of all lookups. */
    static Trace zipfWithScans(final double exponent, final int lookups)
    {
        final Zipf zipf = new Zipf(KEYS, exponent);
        final Randomness random = new Randomness(1);
        final int[] keys = new int[lookups];
        int fresh = KEYS;
        for (int i = 0; i < lookups; i++)
        {
            keys[i] = i % (SCAN_EVERY + SCAN) < SCAN ? fresh++ : spread(zipf.next(random));
        }
        return Trace.ofEqualRecords("zipf-" + exponent, keys, fresh);
    }

    /** Zipfian keys whose ranks move on: after every so many lookups, a tenth of the keys become others. */
    static Trace shifting(final int lookups)
    {
        final Zipf zipf = new Zipf(KEYS, 0.9);
        final Randomness random = new Randomness(2);
        final int[] keys = new int[lookups];
        for (int i = 0; i < lookups; i++)
        {
            final int shift = i / 20_000 * 500;
            keys[i] = (zipf.next(random) + shift) % (2 * KEYS);
        }
        return Trace.ofEqualRecords("shifting", keys, 2 * KEYS);
    }

    /** Zipfian keys with records of 64 bytes to 64 KiB, as many between any two powers of two. */
    static Trace mixedSizes(final int lookups)
    {
        final Zipf zipf = new Zipf(KEYS, 0.9);
        final Randomness random = new Randomness(3);
        final int[] keys = new int[lookups];
        for (int i = 0; i < lookups; i++)
        {
            keys[i] = spread(zipf.next(random));
        }
        final int[] sizes = new int[KEYS];
        for (int i = 0; i < KEYS; i++)
        {
            sizes[i] = (int)(64 * Math.pow(1024, random.unit())) / 16 * 16;
        }
        return new Trace("mixed-sizes", keys, sizes);
    }

    private static int spread(final int rank)
    {
        return (int)(rank * 7919L % KEYS);
    }
}
