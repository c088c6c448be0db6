package org.onesided.client.jcache;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.onesided.client.StoreClient;
import org.onesided.client.typed.Codec;

/**
 * A cache: checks the arguments, and leaves the rest to its reads and writes. Thread-safe.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class StoreCache<K, V> implements Cache<K, V>
{
    private final OnesidedCacheManager manager;
    private final String name;
    private final MutableConfiguration<K, V> configuration;
    private final Products<K, V> products;
    private final CacheStatistics statistics = new CacheStatistics();
    private final Entries<K, V> entries;
    private final CacheReads<K, V> reads;
    private final CacheWrites<K, V> writes;
    private volatile boolean isClosed;

    /** @param configuration the cache's own. */
    StoreCache(final OnesidedCacheManager manager, final String name, final MutableConfiguration<K, V> configuration)
    {
        this.manager = manager;
        this.name = name;
        this.configuration = configuration;
        final CodecFactory codecs = manager.codecs();
        final Codec<K> keys = codecs.codec(name, configuration.getKeyType(), manager.getClassLoader());
        final Codec<V> values = codecs.codec(name, configuration.getValueType(), manager.getClassLoader());
        final ManagerOptions options = manager.options();
        products = new Products<>(configuration, () -> this, values, manager.background().events());
        final Pairs pairs =
            new Pairs(manager.client(), new Generation(manager.client(), name, options.generationAgeNs()));
        entries = new Entries<>(pairs, keys, values, products.expiry(), products.events(), options.deadlineNs());
        reads = new CacheReads<>(entries, products.loading(), statistics);
        writes = new CacheWrites<>(entries, products.events(), products.writing(), statistics, this::sweepLater);
        statistics.switchTo(configuration.isStatisticsEnabled());
    }

    private void sweepLater(final byte[] generation)
    {
        if (!manager.options().sweeps())
        {
            return;
        }
        try
        {
            manager.background().work().execute(() -> Sweep.run(entries, name, generation));
        }
        catch (final RejectedExecutionException e)
        {
            // The manager is being closed; the pairs stay until they expire.
        }
    }

    MutableConfiguration<K, V> liveConfiguration()
    {
        return configuration;
    }

    CacheStatistics statistics()
    {
        return statistics;
    }

    @Override
    public V get(final K key)
    {
        checkOpen();
        return reads.get(checkKey(key));
    }

    @Override
    public Map<K, V> getAll(final Set<? extends K> keys)
    {
        checkOpen();
        return reads.getAll(checkKeys(keys));
    }

    @Override
    public boolean containsKey(final K key)
    {
        checkOpen();
        return reads.contains(checkKey(key));
    }

    @Override
    public void loadAll(
        final Set<? extends K> keys, final boolean replaceExistingValues, final CompletionListener completionListener)
    {
        checkOpen();
        final Set<K> wanted = new LinkedHashSet<>(checkKeys(keys));
        final LoadTask task =
            new LoadTask(() -> reads.loadAll(wanted, replaceExistingValues), completionListener);
        try
        {
            manager.background().work().execute(task);
        }
        catch (final RejectedExecutionException e)
        {
            task.refuse();
        }
    }

    @Override
    public void put(final K key, final V value)
    {
        checkOpen();
        writes.put(checkKey(key), checkValue(value));
    }

    @Override
    public V getAndPut(final K key, final V value)
    {
        checkOpen();
        return writes.getAndPut(checkKey(key), checkValue(value));
    }

    @Override
    public void putAll(final Map<? extends K, ? extends V> map)
    {
        checkOpen();
        map.forEach((key, value) ->
        {
            checkKey(key);
            checkValue(value);
        });
        writes.putAll(map);
    }

    @Override
    public boolean putIfAbsent(final K key, final V value)
    {
        checkOpen();
        return writes.putIfAbsent(checkKey(key), checkValue(value));
    }

    @Override
    public boolean remove(final K key)
    {
        checkOpen();
        return writes.remove(checkKey(key));
    }

    @Override
    public boolean remove(final K key, final V oldValue)
    {
        checkOpen();
        return writes.remove(checkKey(key), checkValue(oldValue));
    }

    @Override
    public V getAndRemove(final K key)
    {
        checkOpen();
        return writes.getAndRemove(checkKey(key));
    }

    @Override
    public boolean replace(final K key, final V oldValue, final V newValue)
    {
        checkOpen();
        return writes.replace(checkKey(key), checkValue(oldValue), checkValue(newValue));
    }

    @Override
    public boolean replace(final K key, final V value)
    {
        checkOpen();
        return writes.replace(checkKey(key), checkValue(value));
    }

    @Override
    public V getAndReplace(final K key, final V value)
    {
        checkOpen();
        return writes.getAndReplace(checkKey(key), checkValue(value));
    }

    @Override
    public void removeAll(final Set<? extends K> keys)
    {
        checkOpen();
        writes.removeAll(checkKeys(keys));
    }

    @Override
    public void removeAll()
    {
        checkOpen();
        writes.removeAll();
    }

    @Override
    public void clear()
    {
        checkOpen();
        writes.clear();
    }

    @Override
    public <C extends Configuration<K, V>> C getConfiguration(final Class<C> type)
    {
        synchronized (configuration)
        {
            return Unwrapping.of(type, new MutableConfiguration<>(configuration));
        }
    }

    @Override
    public <T> T invoke(final K key, final EntryProcessor<K, V, T> entryProcessor, final Object... arguments)
    {
        checkOpen();
        checkKey(key);
        Objects.requireNonNull(entryProcessor, "entryProcessor");
        return writes.invoke(key, products.loading(), (entry) ->
        {
            try
            {
                return entryProcessor.process(entry, arguments);
            }
            catch (final CacheException e)
            {
                throw e;
            }
            catch (final RuntimeException e)
            {
                throw new EntryProcessorException(e);
            }
        });
    }

    @Override
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(
        final Set<? extends K> keys, final EntryProcessor<K, V, T> entryProcessor, final Object... arguments)
    {
        checkOpen();
        checkKeys(keys);
        Objects.requireNonNull(entryProcessor, "entryProcessor");
        final Map<K, EntryProcessorResult<T>> results = new HashMap<>();
        for (final K key : keys)
        {
            try
            {
                final T result = invoke(key, entryProcessor, arguments);
                if (result != null)
                {
                    results.put(key, () -> result);
                }
            }
            catch (final CacheException e)
            {
                final EntryProcessorException failure =
                    e instanceof final EntryProcessorException known ? known : new EntryProcessorException(e);
                results.put(key, () ->
                {
                    throw failure;
                });
            }
        }
        return results;
    }

    @Override
    public Iterator<Entry<K, V>> iterator()
    {
        checkOpen();
        return new EntryIterator<>(entries, this::access, this::remove);
    }

    /** A lookup that loads nothing. */
    private V access(final K key)
    {
        final long beganNs = statistics.begin();
        final V value = entries.get(key);
        statistics.countGet(value != null, beganNs);
        return value;
    }

    @Override
    public void registerCacheEntryListener(final CacheEntryListenerConfiguration<K, V> listenerConfiguration)
    {
        checkOpen();
        synchronized (configuration)
        {
            // Fails if it is there.
            configuration.addCacheEntryListenerConfiguration(listenerConfiguration);
            try
            {
                products.events().register(listenerConfiguration);
            }
            catch (final RuntimeException | Error e)
            {
                configuration.removeCacheEntryListenerConfiguration(listenerConfiguration);
                throw e;
            }
        }
    }

    @Override
    public void deregisterCacheEntryListener(final CacheEntryListenerConfiguration<K, V> listenerConfiguration)
    {
        checkOpen();
        Objects.requireNonNull(listenerConfiguration, "listenerConfiguration");
        synchronized (configuration)
        {
            configuration.removeCacheEntryListenerConfiguration(listenerConfiguration);
            products.events().deregister(listenerConfiguration);
        }
    }

    @Override
    public String getName()
    {
        return name;
    }

    @Override
    public CacheManager getCacheManager()
    {
        return manager;
    }

    @Override
    public void close()
    {
        manager.release(this);
    }

    /** Ends the cache, once; its pairs stay. */
    void end()
    {
        synchronized (this)
        {
            if (isClosed)
            {
                return;
            }
            isClosed = true;
        }
        products.close();
    }

    @Override
    public boolean isClosed()
    {
        return isClosed;
    }

    @Override
    public <T> T unwrap(final Class<T> type)
    {
        return type == StoreClient.class ? type.cast(manager.client()) : Unwrapping.of(type, this);
    }

    private void checkOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException("cache was closed: cache=" + name);
        }
    }

    private K checkKey(final K key)
    {
        return configuration.getKeyType().cast(Objects.requireNonNull(key, "key"));
    }

    private V checkValue(final V value)
    {
        return configuration.getValueType().cast(Objects.requireNonNull(value, "value"));
    }

    private <S extends Set<? extends K>> S checkKeys(final S keys)
    {
        for (final K key : keys)
        {
            checkKey(key);
        }
        return keys;
    }

    @Override
    public String toString()
    {
        return "StoreCache[name=" + name + ", manager=" + manager.getURI() + "]";
    }
}
