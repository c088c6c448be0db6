package org.onesided.client.jcache;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.expiry.ExpiryPolicy;
import org.onesided.client.typed.Codec;

/**
 * What the factories of a cache's configuration made: policy, loader, writer and listeners. If one of them fails, the
 * others are closed. Thread-safe.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class Products<K, V>
{
    private ExpiryPolicy policy;
    private Loading<K, V> loading;
    private Writing<K, V> writing;
    private final Events<K, V> events;

    /**
     * @param configuration of the cache.
     * @param cache         source of the events.
     * @param values        decodes values of events.
     * @param executor      runs the listeners that need not be waited for, in order.
     */
    Products(
        final CompleteConfiguration<K, V> configuration, final Supplier<Cache<K, V>> cache, final Codec<V> values,
        final Executor executor)
    {
        events = new Events<>(cache, values, executor);
        try
        {
            policy = configuration.getExpiryPolicyFactory().create();
            loading = new Loading<>(configuration);
            writing = new Writing<>(configuration);
            configuration.getCacheEntryListenerConfigurations().forEach(events::register);
        }
        catch (final RuntimeException | Error e)
        {
            close();
            throw e;
        }
    }

    ExpiryRules expiry()
    {
        return new ExpiryRules(policy);
    }

    Loading<K, V> loading()
    {
        return loading;
    }

    Writing<K, V> writing()
    {
        return writing;
    }

    Events<K, V> events()
    {
        return events;
    }

    /** Closes those that can be. */
    void close()
    {
        events.close();
        if (loading != null)
        {
            loading.close();
        }
        if (writing != null)
        {
            writing.close();
        }
        Closing.close(policy);
    }
}
