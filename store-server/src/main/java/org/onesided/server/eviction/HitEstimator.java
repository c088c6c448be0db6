package org.onesided.server.eviction;

import org.onesided.protocol.table.KeyHash;
import org.onesided.server.table.StateRandom;

/**
 * Estimates how many lookups would find their key with half, the same and twice the memory, with three miniatures of a
 * shard's cache: they hold the keys of which the fingerprint ends in some zeros, one key in so many, and have as small
 * a part of the memory (Waldspurger and others, "Cache modeling and optimization using miniature simulations", USENIX
 * ATC 2017). The clients report all lookups that find such a key. Compared with the miniature of the same memory, the
 * others tell the difference that memory makes. Belongs to the shard's thread, except {@link #hits} and
 * {@link #lookups}.
 */
final class HitEstimator
{
    /** Miniatures: of half, the same and twice the memory. */
    static final int SIZES = 3;

    private static final int MAX_RECORDS = 2048;
    /** At least one key in 8 is left to the miniatures: of few keys, reports would take too much of the traffic. */
    private static final int MIN_BITS = 3;
    private static final int MAX_BITS = 16;
    /** The keys are chosen anew when there are so many times more or fewer than there should be. */
    private static final int SLACK = 2;
    /** So many turnovers of the present memory are enough, whether twice of it gets full or not. */
    private static final int MANY_TURNOVERS = 4;

    private final StateRandom random;
    private final MiniatureCache[] caches = new MiniatureCache[SIZES];
    private final long[] hits = new long[SIZES];
    private long lookups;
    private int bits = -1;

    HitEstimator(final StateRandom random)
    {
        this.random = random;
    }

    /**
     * Adapts the miniatures to the shard.
     *
     * @param records of the shard.
     * @param bytes   that its records have, in heap and index.
     */
    void resize(final long records, final long bytes)
    {
        final long sampled = bits < 0 ? Long.MAX_VALUE : records >>> bits;
        if (bits < 0 || sampled > SLACK * MAX_RECORDS || bits > MIN_BITS && sampled < MAX_RECORDS / (2 * SLACK))
        {
            bits = MIN_BITS;
            while (records >>> bits > MAX_RECORDS && bits < MAX_BITS)
            {
                bits++;
            }
            for (int i = 0; i < SIZES; i++)
            {
                caches[i] = new MiniatureCache(random);
            }
        }
        for (int i = 0; i < SIZES; i++)
        {
            caches[i].capacity((bytes << i >>> 1) >>> bits);
        }
    }

    /** How many low bits of a key's fingerprint must be zero for the miniatures. */
    int bits()
    {
        return bits;
    }

    /** Whether the miniatures hold a key. */
    boolean takes(final long key)
    {
        return bits >= 0 && (KeyHash.fingerprint(key) & (1 << bits) - 1) == 0;
    }

    /**
     * A key of the miniatures was looked up.
     *
     * @param length     of its record.
     * @param isReported whether the shard learns of the lookup.
     * @param weight     of the report.
     */
    void onLookup(final long key, final long length, final boolean isReported, final double weight)
    {
        final boolean isReady = isReady();
        for (int i = 0; i < SIZES; i++)
        {
            if (caches[i].access(key, length, isReported, weight) && isReady)
            {
                hits[i] += 1L << bits;
            }
        }
    }

    /** A lookup of any key stands for so many. */
    void count(final int sampling)
    {
        lookups += isReady() ? sampling : 0;
    }

    /** A key was deleted. */
    void onDeleted(final long key)
    {
        if (takes(key))
        {
            for (final MiniatureCache cache : caches)
            {
                cache.remove(key);
            }
        }
    }

    /**
     * Whether the miniatures are as full as they get. That of twice the memory never is if all keys fit into it; then
     * nearly all that the present one missed so often is in there.
     */
    private boolean isReady()
    {
        return bits >= 0 && (caches[SIZES - 1].hasTurnedOver(1) || caches[1].hasTurnedOver(MANY_TURNOVERS));
    }

    /**
     * Lookups that would have found their key. Safe to call from any thread.
     *
     * @param size of the miniatures.
     */
    long hits(final int size)
    {
        return hits[size];
    }

    /** Lookups of which {@link #hits} are, found or not. Safe to call from any thread. */
    long lookups()
    {
        return lookups;
    }
}
