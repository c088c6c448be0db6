package org.onesided.client.jcache;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;
import org.onesided.client.typed.Codec;

/**
 * Tells the listeners of a cache what this client changed. Without listeners nothing is decoded. Thread-safe.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class Events<K, V>
{
    private final Supplier<Cache<K, V>> cache;
    private final Codec<V> values;
    private final Executor executor;
    private final List<Listening<K, V>> all = new CopyOnWriteArrayList<>();

    /**
     * @param cache    source of the events.
     * @param values   decodes new values.
     * @param executor runs the listeners that need not be waited for, in order.
     */
    Events(final Supplier<Cache<K, V>> cache, final Codec<V> values, final Executor executor)
    {
        this.cache = cache;
        this.values = values;
        this.executor = executor;
    }

    /** Makes a listener by its configuration and adds it. */
    void register(final CacheEntryListenerConfiguration<K, V> configuration)
    {
        all.add(new Listening<>(configuration, executor));
    }

    /** Removes the listener of a configuration, if it is there. */
    void deregister(final CacheEntryListenerConfiguration<K, V> configuration)
    {
        for (final Listening<K, V> each : all)
        {
            if (each.isOf(configuration) && all.remove(each))
            {
                each.close();
            }
        }
    }

    boolean hasListeners()
    {
        return !all.isEmpty();
    }

    /**
     * Tells all listeners.
     *
     * @param type  of the event.
     * @param key   of the entry.
     * @param bytes of the new value; null for an event that removes the entry.
     * @param found what was there before.
     */
    void raise(final EventType type, final K key, final byte @Nullable [] bytes, final Found<V> found)
    {
        if (all.isEmpty())
        {
            return;
        }
        final V before = found.value();
        final V value = bytes == null ? before : values.decode(bytes);
        final EntryEvent<K, V> event = new EntryEvent<>(cache.get(), type, key, value, before);
        for (final Listening<K, V> each : all)
        {
            each.tell(event);
        }
    }

    /** Closes all listeners. */
    void close()
    {
        for (final Listening<K, V> each : all)
        {
            all.remove(each);
            each.close();
        }
    }
}
