package org.onesided.client.jcache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lookups of a cache, which load what is absent if it reads through. Thread-safe.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class CacheReads<K, V>
{
    private final Entries<K, V> entries;
    private final Loading<K, V> loading;
    private final CacheStatistics statistics;

    CacheReads(final Entries<K, V> entries, final Loading<K, V> loading, final CacheStatistics statistics)
    {
        this.entries = entries;
        this.loading = loading;
        this.statistics = statistics;
    }

    V get(final K key)
    {
        final long beganNs = statistics.begin();
        V value = entries.get(key);
        final boolean isHit = value != null;
        if (!isHit && loading.isReadThrough())
        {
            value = loading.load(key);
            if (value != null)
            {
                putLoaded(key, value, false);
            }
        }
        statistics.countGet(isHit, beganNs);
        return value;
    }

    Map<K, V> getAll(final Set<? extends K> keys)
    {
        final long beganNs = statistics.begin();
        final List<K> order = new ArrayList<>(keys);
        final List<V> found = entries.getAll(order);
        final Map<K, V> result = new HashMap<>();
        final Set<K> absent = new LinkedHashSet<>();
        for (int i = 0; i < order.size(); i++)
        {
            if (found.get(i) == null)
            {
                absent.add(order.get(i));
            }
            else
            {
                result.put(order.get(i), found.get(i));
            }
        }
        final int hits = result.size();
        if (!absent.isEmpty() && loading.isReadThrough())
        {
            load(absent, false, result);
        }
        statistics.countGets(hits, order.size() - hits, beganNs);
        return result;
    }

    boolean contains(final K key)
    {
        return entries.contains(key);
    }

    /** Loads values into the cache; those that are there are loaded again only if they are to be replaced. */
    void loadAll(final Set<? extends K> keys, final boolean replaces)
    {
        final Set<K> wanted = new LinkedHashSet<>(keys);
        if (!replaces)
        {
            wanted.removeIf(entries::contains);
        }
        if (!wanted.isEmpty() && loading.hasLoader())
        {
            load(wanted, replaces, new HashMap<>());
        }
    }

    private void load(final Set<K> keys, final boolean replaces, final Map<K, V> to)
    {
        loading.loadAll(keys).forEach((key, value) ->
        {
            if (value != null && keys.contains(key))
            {
                putLoaded(key, value, replaces);
                to.put(key, value);
            }
        });
    }

    private void putLoaded(final K key, final V value, final boolean replaces)
    {
        entries.change(
            key, (found) -> found.exists() && !replaces ? Verdict.leave() : Verdict.store(value));
    }
}
