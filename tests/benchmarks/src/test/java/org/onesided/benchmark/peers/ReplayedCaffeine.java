package org.onesided.benchmark.peers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The policy W-TinyLFU in this process, which sees every lookup at once: Caffeine's cache, with lengths for values.
 */
final class ReplayedCaffeine implements ReplayedCache
{
    private final Cache<String, Integer> cache;

    /**
     * @param memory   of the records in bytes.
     * @param overhead bytes of a record beside its value.
     */
    ReplayedCaffeine(final long memory, final int overhead)
    {
        cache = Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(memory)
            .weigher((final String key, final Integer length) -> length + overhead)
            .build();
    }

    @Override
    public boolean get(final String key)
    {
        final boolean isFound = cache.getIfPresent(key) != null;
        cache.cleanUp();
        return isFound;
    }

    @Override
    public void put(final String key, final int length)
    {
        cache.put(key, length);
        cache.cleanUp();
    }

    @Override
    public void close()
    {
        cache.invalidateAll();
    }
}
