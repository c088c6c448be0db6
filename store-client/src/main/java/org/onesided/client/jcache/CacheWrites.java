package org.onesided.client.jcache;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.cache.integration.CacheWriterException;

/**
 * Changes of a cache. The writer is called first, and nothing changes if it fails. Thread-safe.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class CacheWrites<K, V>
{
    private final Entries<K, V> entries;
    private final Events<K, V> events;
    private final Writing<K, V> writing;
    private final CacheStatistics statistics;
    private final Consumer<byte[]> sweeper;

    /** @param sweeper deletes the pairs of a former generation, later. */
    CacheWrites(
        final Entries<K, V> entries, final Events<K, V> events, final Writing<K, V> writing,
        final CacheStatistics statistics, final Consumer<byte[]> sweeper)
    {
        this.entries = entries;
        this.events = events;
        this.writing = writing;
        this.statistics = statistics;
        this.sweeper = sweeper;
    }

    void put(final K key, final V value)
    {
        final long beganNs = statistics.begin();
        writing.write(key, value);
        store(key, value, beganNs);
    }

    private void store(final K key, final V value, final long beganNs)
    {
        final Effect effect = entries.change(key, (found) -> Verdict.store(value));
        statistics.countPuts(effect.isPut() ? 1 : 0, beganNs);
    }

    void putAll(final Map<? extends K, ? extends V> pairs)
    {
        final long beganNs = statistics.begin();
        final Map<K, V> written = Writing.copy(pairs);
        final CacheWriterException failure = writing.writeAll(written);
        statistics.countPuts(entries.putAll(written), beganNs);
        if (failure != null)
        {
            throw failure;
        }
    }

    V getAndPut(final K key, final V value)
    {
        final long beganNs = statistics.begin();
        writing.write(key, value);
        final Seen<V> seen = new Seen<>(true);
        final Effect effect = entries.change(key, (found) ->
        {
            seen.take(found);
            return Verdict.store(value);
        });
        statistics.countGet(seen.exists, beganNs);
        statistics.countPuts(effect.isPut() ? 1 : 0, beganNs);
        return seen.value;
    }

    boolean putIfAbsent(final K key, final V value)
    {
        final long beganNs = statistics.begin();
        final Effect effect = entries.change(key, (found) ->
        {
            if (found.exists())
            {
                return Verdict.leave();
            }
            writing.write(key, value);
            return Verdict.store(value);
        });
        statistics.countGet(effect == Effect.NONE, beganNs);
        statistics.countPuts(effect.isPut() ? 1 : 0, beganNs);
        return effect.isPut();
    }

    boolean replace(final K key, final V value)
    {
        return replaceIf(key, (found) -> true, value, new Seen<>());
    }

    boolean replace(final K key, final V old, final V value)
    {
        return replaceIf(key, (found) -> Objects.equals(found.value(), old), value, new Seen<>());
    }

    V getAndReplace(final K key, final V value)
    {
        final Seen<V> seen = new Seen<>(true);
        replaceIf(key, (found) -> true, value, seen);
        return seen.value;
    }

    private boolean replaceIf(
        final K key, final Predicate<Found<V>> condition, final V value, final Seen<V> seen)
    {
        final long beganNs = statistics.begin();
        final boolean[] holds = new boolean[1];
        final Effect effect = entries.change(key, (found) ->
        {
            seen.take(found);
            holds[0] = found.exists() && condition.test(found);
            if (!holds[0])
            {
                return found.exists() ? Verdict.access() : Verdict.leave();
            }
            writing.write(key, value);
            return Verdict.store(value);
        });
        statistics.countGet(seen.exists, beganNs);
        statistics.countPuts(effect.isPut() ? 1 : 0, beganNs);
        return holds[0];
    }

    boolean remove(final K key)
    {
        final long beganNs = statistics.begin();
        writing.delete(key);
        final boolean isRemoved = entries.change(key, (found) -> Verdict.remove()) == Effect.REMOVED;
        statistics.countRemovals(isRemoved ? 1 : 0, beganNs);
        return isRemoved;
    }

    boolean remove(final K key, final V old)
    {
        final long beganNs = statistics.begin();
        final Seen<V> seen = new Seen<>();
        final boolean isRemoved = entries.change(key, (found) ->
        {
            seen.take(found);
            if (!found.exists())
            {
                return Verdict.leave();
            }
            if (!Objects.equals(found.value(), old))
            {
                return Verdict.access();
            }
            writing.delete(key);
            return Verdict.remove();
        }) == Effect.REMOVED;
        statistics.countGet(seen.exists, beganNs);
        statistics.countRemovals(isRemoved ? 1 : 0, beganNs);
        return isRemoved;
    }

    V getAndRemove(final K key)
    {
        final long beganNs = statistics.begin();
        writing.delete(key);
        final Seen<V> seen = new Seen<>(true);
        final boolean isRemoved = entries.change(key, (found) ->
        {
            seen.take(found);
            return Verdict.remove();
        }) == Effect.REMOVED;
        statistics.countGet(seen.exists, beganNs);
        statistics.countRemovals(isRemoved ? 1 : 0, beganNs);
        return seen.value;
    }

    void removeAll(final Set<? extends K> keys)
    {
        final long beganNs = statistics.begin();
        final Set<K> deleted = new LinkedHashSet<>(keys);
        final CacheWriterException failure = writing.deleteAll(deleted);
        statistics.countRemovals(entries.removeAll(deleted), beganNs);
        if (failure != null)
        {
            throw failure;
        }
    }

    /** Removes all entries, one by one only if somebody wants to know of each. */
    void removeAll()
    {
        if (events.hasListeners() || writing.isWriteThrough())
        {
            final Set<K> keys = new LinkedHashSet<>();
            entries.encodedKeys().forEach((encoded) -> keys.add(entries.decodeKey(encoded)));
            removeAll(keys);
        }
        else if (statistics.isOn())
        {
            final long beganNs = statistics.begin();
            statistics.countRemovals(entries.removeAllSilently(), beganNs);
        }
        else
        {
            clear();
        }
    }

    /** Empties the cache at once. */
    void clear()
    {
        final byte[] former = entries.renewGeneration();
        if (former != null)
        {
            sweeper.accept(former);
        }
    }

    /** Changes an entry as a processor wants it, which may be called several times. */
    <T> T invoke(final K key, final Loading<K, V> loading, final Function<InvokedEntry<K, V>, T> processor)
    {
        final long beganNs = statistics.begin();
        final Seen<V> seen = new Seen<>();
        final Object[] result = new Object[1];
        final Effect effect = entries.change(key, (found) ->
        {
            seen.take(found);
            final InvokedEntry<K, V> entry = new InvokedEntry<>(key, found, loading);
            result[0] = processor.apply(entry);
            return entry.finish(writing);
        });
        statistics.countGet(seen.exists, beganNs);
        statistics.countPuts(effect.isPut() ? 1 : 0, beganNs);
        statistics.countRemovals(effect == Effect.REMOVED ? 1 : 0, beganNs);
        @SuppressWarnings("unchecked")
        final T last = (T)result[0];
        return last;
    }

    /** What the last attempt of a change found. */
    private static final class Seen<V>
    {
        private final boolean wantsValue;
        private boolean exists;
        private V value;

        Seen()
        {
            this(false);
        }

        Seen(final boolean wantsValue)
        {
            this.wantsValue = wantsValue;
        }

        void take(final Found<V> found)
        {
            exists = found.exists();
            value = wantsValue ? found.value() : null;
        }
    }
}
