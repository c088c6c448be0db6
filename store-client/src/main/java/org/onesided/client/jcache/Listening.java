package org.onesided.client.jcache;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener with its filter. Thread-safe if these are.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class Listening<K, V>
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Listening.class);

    private final CacheEntryListenerConfiguration<K, V> configuration;
    private final CacheEntryListener<? super K, ? super V> listener;
    private final CacheEntryEventFilter<? super K, ? super V> filter;
    private final Executor executor;

    Listening(final CacheEntryListenerConfiguration<K, V> configuration, final Executor executor)
    {
        this.configuration = configuration;
        this.executor = executor;
        listener = configuration.getCacheEntryListenerFactory().create();
        final Factory<CacheEntryEventFilter<? super K, ? super V>> filters =
            configuration.getCacheEntryEventFilterFactory();
        try
        {
            filter = filters == null ? null : filters.create();
        }
        catch (final RuntimeException | Error e)
        {
            Closing.close(listener);
            throw e;
        }
    }

    boolean isOf(final CacheEntryListenerConfiguration<K, V> other)
    {
        return configuration.equals(other);
    }

    /** Calls the listener, or has it called. What it throws, an error excepted, comes out as the interface says. */
    void tell(final EntryEvent<K, V> event)
    {
        if (configuration.isSynchronous())
        {
            call(event);
            return;
        }
        try
        {
            executor.execute(() -> callLater(event));
        }
        catch (final RejectedExecutionException e)
        {
            LOGGER.debug("event of a cache that was closed is lost: type={}", event.getEventType());
        }
    }

    private void callLater(final EntryEvent<K, V> event)
    {
        try
        {
            call(event);
        }
        catch (final CacheEntryListenerException e)
        {
            LOGGER.warn("listener of cache {} failed", event.getSource().getName(), e);
        }
    }

    private void call(final EntryEvent<K, V> event)
    {
        try
        {
            if (filter == null || filter.evaluate(event))
            {
                dispatch(event);
            }
        }
        catch (final CacheEntryListenerException e)
        {
            throw e;
        }
        catch (final RuntimeException e)
        {
            throw new CacheEntryListenerException("listener failed: type=" + event.getEventType(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private void dispatch(final EntryEvent<K, V> event)
    {
        final List<CacheEntryEvent<? extends K, ? extends V>> events = List.of(event);
        switch (event.getEventType())
        {
            case CREATED ->
            {
                if (listener instanceof CacheEntryCreatedListener)
                {
                    ((CacheEntryCreatedListener<K, V>)listener).onCreated(events);
                }
            }
            case UPDATED ->
            {
                if (listener instanceof CacheEntryUpdatedListener)
                {
                    ((CacheEntryUpdatedListener<K, V>)listener).onUpdated(events);
                }
            }
            case REMOVED ->
            {
                if (listener instanceof CacheEntryRemovedListener)
                {
                    ((CacheEntryRemovedListener<K, V>)listener).onRemoved(events);
                }
            }
            case EXPIRED ->
            {
                if (listener instanceof CacheEntryExpiredListener)
                {
                    ((CacheEntryExpiredListener<K, V>)listener).onExpired(events);
                }
            }
            default -> throw new IllegalStateException("unknown event: type=" + event.getEventType());
        }
    }

    /** Closes the listener and the filter, if they can be. */
    void close()
    {
        Closing.close(listener);
        Closing.close(filter);
    }
}
