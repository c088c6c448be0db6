package org.onesided.client.jcache;

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A change of an entry. Immutable.
 *
 * @param <K> type of the key.
 * @param <V> type of the values.
 */
final class EntryEvent<K, V> extends CacheEntryEvent<K, V>
{
    private static final long serialVersionUID = 1;

    private final transient K key;
    private final transient V value;
    private final transient V before;

    /** @param before null if the entry is new. */
    EntryEvent(final Cache<K, V> source, final EventType type, final K key, final V value, final @Nullable V before)
    {
        super(source, type);
        this.key = key;
        this.value = value;
        this.before = before;
    }

    @Override
    public K getKey()
    {
        return key;
    }

    @Override
    public V getValue()
    {
        return value;
    }

    @Override
    public V getOldValue()
    {
        return before;
    }

    @Override
    public boolean isOldValueAvailable()
    {
        return before != null;
    }

    @Override
    public <T> T unwrap(final Class<T> type)
    {
        return Unwrapping.of(type, this);
    }
}
