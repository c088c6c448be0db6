package org.onesided.eviction;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Caffeine's cache itself, which is W-TinyLFU with a window that adapts. It sees every lookup at once. */
final class CaffeineReference
{
    private CaffeineReference()
    {
    }

    static double hitRatio(final Trace trace, final long capacity)
    {
        final Cache<Integer, Boolean> cache = Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(capacity)
            .weigher((final Integer key, final Boolean value) -> trace.sizes[key])
            .build();
        long hits = 0;
        final Integer[] boxes = new Integer[trace.keyCount()];
        for (int i = 0; i < boxes.length; i++)
        {
            boxes[i] = i;
        }
        for (final int key : trace.keys)
        {
            final Integer box = boxes[key];
            if (cache.getIfPresent(box) != null)
            {
                hits++;
            }
            else
            {
                cache.put(box, Boolean.TRUE);
            }
            cache.cleanUp();
        }
        return (double)hits / trace.keys.length;
    }
}
