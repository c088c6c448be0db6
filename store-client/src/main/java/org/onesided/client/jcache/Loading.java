package org.onesided.client.jcache;

import java.util.Map;
import java.util.function.Supplier;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;

/**
 * The loader of a cache, if it has one. Thread-safe if the loader is.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class Loading<K, V>
{
    private final CacheLoader<K, V> loader;
    private final boolean isReadThrough;

    Loading(final CompleteConfiguration<K, V> configuration)
    {
        final Factory<CacheLoader<K, V>> factory = configuration.getCacheLoaderFactory();
        loader = factory == null ? null : factory.create();
        isReadThrough = configuration.isReadThrough() && loader != null;
    }

    boolean hasLoader()
    {
        return loader != null;
    }

    /** Whether lookups load what is absent. */
    boolean isReadThrough()
    {
        return isReadThrough;
    }

    /** Loads a value; null if there is none. */
    V load(final K key)
    {
        return call(() -> loader.load(key));
    }

    /** Loads values; the map may lack keys, or have null for them. */
    Map<K, V> loadAll(final Iterable<? extends K> keys)
    {
        final Map<K, V> loaded = call(() -> loader.loadAll(keys));
        return loaded == null ? Map.of() : loaded;
    }

    private static <T> T call(final Supplier<T> call)
    {
        try
        {
            return call.get();
        }
        catch (final CacheLoaderException e)
        {
            throw e;
        }
        catch (final RuntimeException e)
        {
            throw new CacheLoaderException("loader of the cache failed", e);
        }
    }

    /** Closes the loader, if it can be. */
    void close()
    {
        Closing.close(loader);
    }
}
