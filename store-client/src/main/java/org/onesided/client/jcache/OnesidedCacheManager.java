package org.onesided.client.jcache;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.onesided.client.StoreClient;

/**
 * The caches of one URI and one class loader, and the client that they share. Thread-safe.
 */
final class OnesidedCacheManager implements CacheManager
{
    private final OnesidedCachingProvider provider;
    private final URI uri;
    private final ClassLoader loader;
    private final Properties properties;
    private final ManagerOptions options;
    private final CodecFactory codecs;
    private final Background background = new Background();
    private final StoreClient client;
    private final Map<String, StoreCache<?, ?>> caches = new ConcurrentHashMap<>();
    private final Object lock = new Object();
    private volatile boolean isClosed;

    /** Connects to the store. */
    OnesidedCacheManager(
        final OnesidedCachingProvider provider, final URI uri, final ClassLoader loader, final Properties properties)
    {
        this.provider = provider;
        this.uri = uri;
        this.loader = loader;
        this.properties = properties;
        options = ManagerOptions.of(uri, properties);
        codecs = CodecChoice.of(options, loader);
        client = connect(options);
        try
        {
            options.caches().forEach((name) -> createCache(name, DeclaredCache.of(options, name)));
        }
        catch (final RuntimeException | Error e)
        {
            end();
            throw e;
        }
    }

    private static StoreClient connect(final ManagerOptions options)
    {
        try
        {
            return options.connect();
        }
        catch (final CacheException e)
        {
            throw e;
        }
        catch (final RuntimeException e)
        {
            throw new CacheException(e.getMessage(), e);
        }
    }

    ManagerOptions options()
    {
        return options;
    }

    CodecFactory codecs()
    {
        return codecs;
    }

    Background background()
    {
        return background;
    }

    StoreClient client()
    {
        return client;
    }

    @Override
    public CachingProvider getCachingProvider()
    {
        return provider;
    }

    @Override
    public URI getURI()
    {
        return uri;
    }

    @Override
    public ClassLoader getClassLoader()
    {
        return loader;
    }

    @Override
    public Properties getProperties()
    {
        return properties;
    }

    @Override
    public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(final String cacheName, final C configuration)
    {
        Objects.requireNonNull(cacheName, "cacheName");
        final MutableConfiguration<K, V> own = copy(Objects.requireNonNull(configuration, "configuration"));
        synchronized (lock)
        {
            checkOpen();
            if (caches.containsKey(cacheName))
            {
                throw new CacheException("there is a cache of this name: cache=" + cacheName);
            }
            final StoreCache<K, V> cache = new StoreCache<>(this, cacheName, own);
            caches.put(cacheName, cache);
            showStatistics(cache);
            showManagement(cache);
            return cache;
        }
    }

    private static <K, V> MutableConfiguration<K, V> copy(final Configuration<K, V> configuration)
    {
        if (!configuration.isStoreByValue())
        {
            throw new UnsupportedOperationException(
                "the store keeps bytes, so its caches store by value only: call setStoreByValue(true)");
        }
        return configuration instanceof final CompleteConfiguration<K, V> complete ?
            new MutableConfiguration<>(complete) :
            new MutableConfiguration<K, V>().setTypes(configuration.getKeyType(), configuration.getValueType());
    }

    @Override
    public <K, V> Cache<K, V> getCache(final String cacheName, final Class<K> keyType, final Class<V> valueType)
    {
        Objects.requireNonNull(keyType, "keyType");
        Objects.requireNonNull(valueType, "valueType");
        final StoreCache<?, ?> cache = find(cacheName);
        if (cache == null)
        {
            return null;
        }
        final CompleteConfiguration<?, ?> configuration = cache.liveConfiguration();
        if (configuration.getKeyType() != keyType || configuration.getValueType() != valueType)
        {
            throw new ClassCastException("cache has other types: cache=" + cacheName + " key=" +
                configuration.getKeyType().getName() + " value=" + configuration.getValueType().getName());
        }
        @SuppressWarnings("unchecked")
        final Cache<K, V> typed = (Cache<K, V>)cache;
        return typed;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K, V> Cache<K, V> getCache(final String cacheName)
    {
        return (Cache<K, V>)find(cacheName);
    }

    private StoreCache<?, ?> find(final String cacheName)
    {
        checkOpen();
        return caches.get(Objects.requireNonNull(cacheName, "cacheName"));
    }

    @Override
    public Iterable<String> getCacheNames()
    {
        checkOpen();
        return List.copyOf(caches.keySet());
    }

    /** Empties the cache for all clients, and closes it here. */
    @Override
    public void destroyCache(final String cacheName)
    {
        final StoreCache<?, ?> cache = find(cacheName);
        if (cache != null)
        {
            try
            {
                cache.clear();
            }
            finally
            {
                cache.close();
            }
        }
    }

    /** Closes a cache; its pairs stay in the store. */
    void release(final StoreCache<?, ?> cache)
    {
        synchronized (lock)
        {
            if (caches.remove(cache.getName(), cache))
            {
                Beans.unregister(Beans.STATISTICS, uri, cache.getName());
                Beans.unregister(Beans.CONFIGURATION, uri, cache.getName());
            }
        }
        cache.end();
    }

    @Override
    public void enableManagement(final String cacheName, final boolean enabled)
    {
        synchronized (lock)
        {
            final StoreCache<?, ?> cache = find(cacheName);
            if (cache != null)
            {
                cache.liveConfiguration().setManagementEnabled(enabled);
                showManagement(cache);
            }
        }
    }

    @Override
    public void enableStatistics(final String cacheName, final boolean enabled)
    {
        synchronized (lock)
        {
            final StoreCache<?, ?> cache = find(cacheName);
            if (cache != null)
            {
                cache.liveConfiguration().setStatisticsEnabled(enabled);
                cache.statistics().switchTo(enabled);
                showStatistics(cache);
            }
        }
    }

    private void showStatistics(final StoreCache<?, ?> cache)
    {
        show(cache.liveConfiguration().isStatisticsEnabled(), cache.statistics(), Beans.STATISTICS, cache);
    }

    private void showManagement(final StoreCache<?, ?> cache)
    {
        show(
            cache.liveConfiguration().isManagementEnabled(), new CacheManagement(cache.liveConfiguration()),
            Beans.CONFIGURATION, cache);
    }

    private void show(final boolean isOn, final Object bean, final String type, final StoreCache<?, ?> cache)
    {
        if (isOn)
        {
            Beans.register(bean, type, uri, cache.getName());
        }
        else
        {
            Beans.unregister(type, uri, cache.getName());
        }
    }

    /** Closes the caches and the client; pairs stay in the store. */
    @Override
    public void close()
    {
        provider.forget(this);
        end();
    }

    /** Ends the manager, once. */
    void end()
    {
        synchronized (lock)
        {
            if (isClosed)
            {
                return;
            }
            isClosed = true;
        }
        caches.values().forEach(this::release);
        background.close();
        client.close();
    }

    @Override
    public boolean isClosed()
    {
        return isClosed;
    }

    @Override
    public <T> T unwrap(final Class<T> type)
    {
        return Unwrapping.of(type, this, client);
    }

    private void checkOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException("cache manager was closed: uri=" + uri);
        }
    }

    @Override
    public String toString()
    {
        return "OnesidedCacheManager[uri=" + uri + "]";
    }
}
