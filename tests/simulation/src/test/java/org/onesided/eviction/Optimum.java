package org.onesided.eviction;

import java.util.Arrays;

/**
 * Belady's clairvoyant cache: evicts the record whose next lookup is the farthest, also one that was just put. It does
 * not weigh sizes, so it is no bound for records of unlike sizes.
 */
final class Optimum
{
    private Optimum()
    {
    }

    static double hitRatio(final Trace trace, final long capacity)
    {
        final int[] keys = trace.keys;
        final int[] next = new int[keys.length];
        final int[] seen = new int[trace.keyCount()];
        Arrays.fill(seen, Integer.MAX_VALUE);
        for (int i = keys.length - 1; i >= 0; i--)
        {
            next[i] = seen[keys[i]];
            seen[keys[i]] = i;
        }
        final Heap heap = new Heap(trace.keyCount());
        long used = 0;
        long hits = 0;
        for (int i = 0; i < keys.length; i++)
        {
            final int key = keys[i];
            final boolean isHeld = heap.contains(key);
            if (isHeld)
            {
                hits++;
            }
            else
            {
                used += trace.sizes[key];
            }
            final double when = next[i] == Integer.MAX_VALUE ? 1e15 : next[i];
            heap.put(key, -when);
            while (used > capacity)
            {
                used -= trace.sizes[heap.removeLeast()];
            }
        }
        return (double)hits / keys.length;
    }
}
