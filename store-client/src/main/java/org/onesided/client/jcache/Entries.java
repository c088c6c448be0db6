package org.onesided.client.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.cache.CacheException;
import javax.cache.event.EventType;
import org.onesided.client.typed.Codec;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.VersionedValue;

/**
 * The entries of a cache: objects in place of bytes, with the times and the events that belong to each change.
 * A change looks the entry up, lets a function decide, and writes if nobody has changed the entry meanwhile; if
 * somebody has, it begins again with what is there now, until a deadline. Thread-safe.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class Entries<K, V>
{
    private static final long FIRST_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int MAX_DOUBLINGS = 6;

    private final Pairs pairs;
    private final Codec<K> keys;
    private final Codec<V> values;
    private final ExpiryRules expiry;
    private final Events<K, V> events;
    private final long deadlineNs;

    Entries(
        final Pairs pairs, final Codec<K> keys, final Codec<V> values, final ExpiryRules expiry,
        final Events<K, V> events, final long deadlineNs)
    {
        this.pairs = pairs;
        this.keys = keys;
        this.values = values;
        this.expiry = expiry;
        this.events = events;
        this.deadlineNs = deadlineNs;
    }

    boolean contains(final K key)
    {
        return pairs.contains(keys.encode(key));
    }

    /** Looks up an entry, which counts as an access; null if it is absent. */
    V get(final K key)
    {
        return accessed(key, keys.encode(key), pairs.get(keys.encode(key)));
    }

    /** As {@link #get} for many keys; the values are in the order of the keys. */
    List<V> getAll(final List<K> wanted)
    {
        final List<byte[]> encoded = wanted.stream().map(keys::encode).toList();
        final List<byte[]> found = pairs.getAll(encoded);
        final List<V> result = new ArrayList<>(wanted.size());
        for (int i = 0; i < wanted.size(); i++)
        {
            result.add(accessed(wanted.get(i), encoded.get(i), found.get(i)));
        }
        return result;
    }

    private V accessed(final K key, final byte[] encoded, final byte[] bytes)
    {
        if (bytes == null)
        {
            return null;
        }
        final V value = values.decode(bytes);
        final Expiry time = expiry.access();
        if (time == null)
        {
            expire(key, pairs.locate(encoded));
        }
        else if (time != Expiry.KEEP)
        {
            pairs.touch(pairs.locate(encoded), time);
        }
        return value;
    }

    private void expire(final K key, final byte[] place)
    {
        final Found<V> found = new Found<>(pairs.getVersioned(place), values);
        if (found.exists() && pairs.deleteIfVersion(place, found.versioned().version()))
        {
            events.raise(EventType.EXPIRED, key, null, found);
        }
    }

    /** All keys, encoded, as they are now. */
    List<byte[]> encodedKeys()
    {
        return pairs.keys();
    }

    K decodeKey(final byte[] encoded)
    {
        return keys.decode(encoded);
    }

    /** Looks up a key from {@link #encodedKeys}, which is no access yet; null if it is absent. */
    V peek(final byte[] encoded)
    {
        final byte[] bytes = pairs.get(encoded);
        return bytes == null ? null : values.decode(bytes);
    }

    /**
     * Changes an entry.
     *
     * @param key      of the entry.
     * @param decision called once for each attempt.
     * @return what became of it.
     */
    Effect change(final K key, final Function<Found<V>, Verdict<V>> decision)
    {
        final byte[] encoded = keys.encode(key);
        final long beganNs = System.nanoTime();
        for (int attempts = 0; true; attempts++)
        {
            final byte[] place = pairs.locate(encoded);
            final Found<V> found = new Found<>(pairs.getVersioned(place), values);
            if (events.hasListeners())
            {
                // Bytes that are no value fail before anything changes.
                found.value();
            }
            final Effect effect = apply(key, place, found, decision.apply(found));
            if (effect != null)
            {
                return effect;
            }
            if (System.nanoTime() - beganNs > deadlineNs)
            {
                throw new CacheException(
                    "others changed the entry again and again until the deadline, try later: attempts=" +
                    (attempts + 1));
            }
            // The first conflict needs no pause: the other writer is done.
            if (attempts > 0)
            {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(
                    FIRST_PAUSE_NS << Math.min(attempts - 1, MAX_DOUBLINGS)));
            }
        }
    }

    /** Puts values, all at once if nobody listens. Returns how many were put. */
    int putAll(final Map<K, V> wanted)
    {
        int count = 0;
        final Map<K, V> left = events.hasListeners() ? wanted : new LinkedHashMap<>();
        if (left != wanted)
        {
            count = new BatchPut<>(pairs, keys, values, expiry).put(wanted, left);
        }
        for (final Map.Entry<K, V> pair : left.entrySet())
        {
            count += change(pair.getKey(), (found) -> Verdict.store(pair.getValue())).isPut() ? 1 : 0;
        }
        return count;
    }

    /** Removes all entries, without events. Returns how many were there. */
    int removeAllSilently()
    {
        return pairs.deleteAll(pairs.locateAll(pairs.keys()));
    }

    /** Removes entries, all at once if nobody listens. Returns how many were there. */
    int removeAll(final Collection<K> unwanted)
    {
        if (!events.hasListeners())
        {
            return pairs.deleteAll(pairs.locateAll(unwanted.stream().map(keys::encode).toList()));
        }
        int count = 0;
        for (final K key : unwanted)
        {
            count += change(key, (found) -> Verdict.remove()) == Effect.REMOVED ? 1 : 0;
        }
        return count;
    }

    /** Returns null if somebody else has changed the entry meanwhile. */
    private Effect apply(final K key, final byte[] place, final Found<V> found, final Verdict<V> verdict)
    {
        return switch (verdict.kind())
        {
            case LEAVE -> Effect.NONE;
            case ACCESS -> found.exists() ? access(key, place, found) : Effect.NONE;
            case STORE -> found.exists() ?
                update(key, place, found, verdict.value()) : create(key, place, found, verdict.value());
            case REMOVE -> found.exists() ?
                delete(key, place, found, EventType.REMOVED, Effect.REMOVED) : Effect.NONE;
        };
    }

    private Effect access(final K key, final byte[] place, final Found<V> found)
    {
        final Expiry time = expiry.access();
        if (time == null)
        {
            return delete(key, place, found, EventType.EXPIRED, Effect.EXPIRED);
        }
        if (time != Expiry.KEEP)
        {
            pairs.touch(place, time);
        }
        return Effect.NONE;
    }

    private Effect create(final K key, final byte[] place, final Found<V> found, final V value)
    {
        final byte[] bytes = values.encode(value);
        final Expiry time = expiry.creation();
        if (time == null)
        {
            return Effect.EXPIRED;
        }
        if (!pairs.put(place, bytes, PutOptions.ifAbsent().expiry(time)))
        {
            return null;
        }
        events.raise(EventType.CREATED, key, bytes, found);
        return Effect.CREATED;
    }

    private Effect update(final K key, final byte[] place, final Found<V> found, final V value)
    {
        final byte[] bytes = values.encode(value);
        final Expiry time = expiry.update();
        if (time == null)
        {
            return delete(key, place, found, EventType.EXPIRED, Effect.EXPIRED);
        }
        final VersionedValue<byte[]> before = found.versioned();
        if (!pairs.put(place, bytes, PutOptions.ifVersion(before.version()).expiry(time)))
        {
            return null;
        }
        events.raise(EventType.UPDATED, key, bytes, found);
        return Effect.UPDATED;
    }

    private Effect delete(
        final K key, final byte[] place, final Found<V> found, final EventType type, final Effect effect)
    {
        if (!pairs.deleteIfVersion(place, found.versioned().version()))
        {
            return null;
        }
        events.raise(type, key, null, found);
        return effect;
    }

    /** Empties the cache at once, without events. Returns the former generation, or null. */
    byte[] renewGeneration()
    {
        return pairs.renewGeneration();
    }

    /** Deletes the pairs of a former generation. */
    void sweep(final byte[] generation)
    {
        pairs.sweep(generation);
    }
}
