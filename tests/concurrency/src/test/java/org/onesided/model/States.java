package org.onesided.model;

import java.util.Arrays;

/**
 * The states that a search has seen, by 64-bit hashes: two states of ten million share one with a probability of
 * 0.000003, and then part of a search is skipped.
 */
final class States
{
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private long[] hashes = new long[1 << 16];
    private int size;

    int size()
    {
        return size;
    }

    /** Adds a state; false if it was there. */
    boolean add(final byte[] state)
    {
        if (2 * size > hashes.length)
        {
            grow();
        }
        if (put(hash(state)))
        {
            size++;
            return true;
        }
        return false;
    }

    private boolean put(final long hash)
    {
        int at = (int)(hash >>> 32) & hashes.length - 1;
        while (hashes[at] != 0)
        {
            if (hashes[at] == hash)
            {
                return false;
            }
            at = at + 1 & hashes.length - 1;
        }
        hashes[at] = hash;
        return true;
    }

    private void grow()
    {
        final long[] former = hashes;
        hashes = new long[2 * former.length];
        Arrays.stream(former).filter(hash -> hash != 0).forEach(this::put);
    }

    /** Never 0, which stands for an empty place. */
    private static long hash(final byte[] state)
    {
        long hash = state.length;
        for (final byte b : state)
        {
            hash = (hash ^ b) * MULTIPLIER;
            hash ^= hash >>> 29;
        }
        hash = (hash ^ hash >>> 32) * MULTIPLIER;
        return hash | 1;
    }
}
