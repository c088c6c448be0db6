package org.onesided.eviction;

/** Redis' allkeys-lru: 5 records at random into a pool of 16, of which the longest idle one goes. Sees every lookup. */
final class RedisLru extends RedisPolicy
{
    private final int[] used;

    RedisLru(final Trace trace, final long capacity)
    {
        super(trace, capacity);
        used = new int[trace.keyCount()];
    }

    @Override
    void touched(final int key)
    {
        used[key] = lookups;
    }

    @Override
    void added(final int key)
    {
        used[key] = lookups;
    }

    @Override
    long idle(final int key)
    {
        return lookups - used[key];
    }
}
