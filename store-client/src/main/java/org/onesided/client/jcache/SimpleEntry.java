package org.onesided.client.jcache;

import javax.cache.Cache;

/**
 * A key and its value, as they were. Immutable.
 *
 * @param key   of the entry.
 * @param value of the entry.
 * @param <K>   type of the key.
 * @param <V>   type of the value.
 */
record SimpleEntry<K, V>(K key, V value) implements Cache.Entry<K, V>
{
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
    public <T> T unwrap(final Class<T> type)
    {
        return Unwrapping.of(type, this);
    }
}
