package org.onesided.client.typed;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The map that {@link TypedStore#asMap} describes. A change that depends on the value is an update of the store, which
 * begins again where somebody else was faster.
 */
final class StoreMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V>
{
    private final TypedStore<K, V> store;

    StoreMap(final TypedStore<K, V> store)
    {
        this.store = store;
    }

    /** As maps have it, a key of another type is a {@link ClassCastException}, which the codec throws. */
    @SuppressWarnings("unchecked")
    private K key(final Object key)
    {
        return (K)key;
    }

    /** Whether a value of the store is the same as any object. */
    @SuppressWarnings("unchecked")
    private boolean isSame(final V value, final Object other)
    {
        return value != null && other != null &&
            (value.equals(other) || value.getClass() == other.getClass() && store.haveSameBytes(value, (V)other));
    }

    @Override
    public V get(final Object key)
    {
        return store.get(key(key));
    }

    @Override
    public V getOrDefault(final Object key, final V otherwise)
    {
        final V value = get(key);
        return value == null ? otherwise : value;
    }

    @Override
    public boolean containsKey(final Object key)
    {
        return store.contains(key(key));
    }

    @Override
    public boolean containsValue(final Object value)
    {
        return entrySet().stream().anyMatch((entry) -> isSame(entry.getValue(), value));
    }

    @Override
    public V put(final K key, final V value)
    {
        return store.getAndPut(key, value);
    }

    @Override
    public void putAll(final Map<? extends K, ? extends V> pairs)
    {
        store.putAll(pairs);
    }

    @Override
    public V remove(final Object key)
    {
        return store.getAndDelete(key(key));
    }

    @Override
    public V putIfAbsent(final K key, final V value)
    {
        Objects.requireNonNull(value, "value");
        return store.exchange(key, (before) -> before == null ? value : leave());
    }

    @Override
    public boolean remove(final Object key, final Object value)
    {
        return store.tryUpdate(key(key), (before) -> isSame(before, value) ? null : leave());
    }

    @Override
    public boolean replace(final K key, final V expected, final V value)
    {
        Objects.requireNonNull(expected, "expected");
        Objects.requireNonNull(value, "value");
        return store.tryUpdate(key, (before) -> isSame(before, expected) ? value : leave());
    }

    @Override
    public V replace(final K key, final V value)
    {
        Objects.requireNonNull(value, "value");
        return store.exchange(key, (before) -> before == null ? leave() : value);
    }

    @Override
    public V compute(final K key, final BiFunction<? super K, ? super V, ? extends V> function)
    {
        Objects.requireNonNull(function, "function");
        return store.update(key, (before) -> function.apply(key, before));
    }

    @Override
    public V computeIfAbsent(final K key, final Function<? super K, ? extends V> function)
    {
        Objects.requireNonNull(function, "function");
        final V there = store.get(key);
        if (there != null)
        {
            return there;
        }
        final V value = function.apply(key);
        final V before = value == null ? null : putIfAbsent(key, value);
        return before == null ? value : before;
    }

    @Override
    public V computeIfPresent(final K key, final BiFunction<? super K, ? super V, ? extends V> function)
    {
        Objects.requireNonNull(function, "function");
        return store.update(key, (before) -> before == null ? null : function.apply(key, before));
    }

    @Override
    public V merge(final K key, final V value, final BiFunction<? super V, ? super V, ? extends V> function)
    {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(function, "function");
        return store.update(key, (before) -> before == null ? value : function.apply(before, value));
    }

    @Override
    public void replaceAll(final BiFunction<? super K, ? super V, ? extends V> function)
    {
        Objects.requireNonNull(function, "function");
        for (final K key : store.keys())
        {
            computeIfPresent(key, (same, before) -> Objects.requireNonNull(function.apply(same, before), "new value"));
        }
    }

    @Override
    public int size()
    {
        return store.count(Integer.MAX_VALUE);
    }

    @Override
    public boolean isEmpty()
    {
        return store.count(1) == 0;
    }

    @Override
    public void clear()
    {
        store.deleteAll(store.keys());
    }

    @Override
    public Set<Entry<K, V>> entrySet()
    {
        return new Entries();
    }

    @Override
    public String toString()
    {
        // Not all pairs, as other maps do: a log line would read the whole store.
        return "StoreMap[" + store + "]";
    }

    private V leave()
    {
        throw LeftAlone.INSTANCE;
    }

    private final class Entries extends AbstractSet<Entry<K, V>>
    {
        @Override
        public Iterator<Entry<K, V>> iterator()
        {
            final List<Entry<K, V>> found = new ArrayList<>();
            store.scan((key, value) -> found.add(new MapEntry(key, value)));
            return new Walk(found.iterator());
        }

        @Override
        public int size()
        {
            return StoreMap.this.size();
        }

        @Override
        public boolean isEmpty()
        {
            return StoreMap.this.isEmpty();
        }

        @Override
        public void clear()
        {
            StoreMap.this.clear();
        }

        @Override
        public boolean contains(final Object other)
        {
            return other instanceof Entry<?, ?> entry && isSame(get(entry.getKey()), entry.getValue());
        }

        @Override
        public boolean remove(final Object other)
        {
            return other instanceof Entry<?, ?> entry && StoreMap.this.remove(entry.getKey(), entry.getValue());
        }

        private final class Walk implements Iterator<Entry<K, V>>
        {
            private final Iterator<Entry<K, V>> found;
            private Entry<K, V> last;

            private Walk(final Iterator<Entry<K, V>> found)
            {
                this.found = found;
            }

            @Override
            public boolean hasNext()
            {
                return found.hasNext();
            }

            @Override
            public Entry<K, V> next()
            {
                last = found.next();
                return last;
            }

            @Override
            public void remove()
            {
                if (last == null)
                {
                    throw new IllegalStateException("next() was not called");
                }
                StoreMap.this.remove(last.getKey());
                last = null;
            }
        }
    }

    /** Writes through to the store. */
    private final class MapEntry extends SimpleEntry<K, V>
    {
        private static final long serialVersionUID = 1;

        private MapEntry(final K key, final V value)
        {
            super(key, value);
        }

        @Override
        public V setValue(final V value)
        {
            store.getAndPut(getKey(), value);
            return super.setValue(value);
        }
    }
}
