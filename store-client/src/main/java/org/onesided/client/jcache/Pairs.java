package org.onesided.client.jcache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * The pairs of one cache in the store, as bytes. A key is that of the cache; a place is that of the store, with the
 * generation. An operation finds the generation that the cache has when it begins or later. A failure of the store is
 * a {@link CacheException}. Thread-safe.
 */
final class Pairs
{
    /** So many keys are deleted at once. */
    private static final int CHUNK = 512;

    private final StoreClient client;
    private final Generation generation;

    Pairs(final StoreClient client, final Generation generation)
    {
        this.client = client;
        this.generation = generation;
    }

    /** Looks up one key; null if it is absent. */
    byte[] get(final byte[] key)
    {
        return getAll(List.of(key)).get(0);
    }

    /** Looks up keys, all at once and together with the generation. The values are in the order of the keys. */
    List<byte[]> getAll(final List<byte[]> keys)
    {
        return call(() ->
        {
            final byte[] fresh = generation.fresh();
            if (fresh != null)
            {
                return keys.size() == 1 ?
                    Collections.singletonList(client.get(concat(generation.prefix(fresh), keys.get(0)))) :
                    client.getAll(places(fresh, keys, false));
            }
            final byte[] guess = generation.last();
            if (guess != null)
            {
                final long nowNs = System.nanoTime();
                final List<byte[]> found = client.getAll(places(guess, keys, true));
                if (Arrays.equals(found.get(0), guess))
                {
                    generation.note(guess, nowNs);
                    return found.subList(1, found.size());
                }
            }
            return client.getAll(places(generation.read(), keys, false));
        });
    }

    private List<byte[]> places(final byte[] id, final List<byte[]> keys, final boolean withGeneration)
    {
        final byte[] prefix = generation.prefix(id);
        final List<byte[]> places = new ArrayList<>(keys.size() + 1);
        if (withGeneration)
        {
            places.add(generation.key());
        }
        for (final byte[] key : keys)
        {
            places.add(concat(prefix, key));
        }
        return places;
    }

    /** Finds where a key's value is now. */
    byte[] locate(final byte[] key)
    {
        return call(() -> concat(generation.prefix(generation.fetch()), key));
    }

    /** As {@link #locate} for many keys, in their order. */
    List<byte[]> locateAll(final List<byte[]> keys)
    {
        return call(() -> places(generation.fetch(), keys, false));
    }

    boolean contains(final byte[] key)
    {
        return call(() -> client.contains(locate(key)));
    }

    /** Looks up the value of a place, for a later change. */
    VersionedValue<byte[]> getVersioned(final byte[] place)
    {
        return call(() -> client.getVersioned(place));
    }

    /** Returns whether the condition held. */
    boolean put(final byte[] place, final byte[] value, final PutOptions options)
    {
        return call(() -> client.put(place, value, options)).applied();
    }

    /** Puts many values at once. */
    List<WriteOutcome> putAll(final List<byte[]> places, final List<byte[]> values, final List<PutOptions> options)
    {
        return call(() -> client.putAll(places, values, options));
    }

    /** Returns whether the place had that version. */
    boolean deleteIfVersion(final byte[] place, final Version version)
    {
        return call(() -> client.deleteIfVersion(place, version)).applied();
    }

    /** Deletes many at once; returns how many were there. */
    int deleteAll(final List<byte[]> places)
    {
        return call(() -> client.deleteAll(places));
    }

    void touch(final byte[] place, final Expiry expiry)
    {
        call(() -> client.touch(new UnsafeBuffer(place), 0, place.length, expiry));
    }

    /** All keys that the cache has now, in no order. Reads the whole store. */
    List<byte[]> keys()
    {
        return call(() ->
        {
            final byte[] prefix = generation.prefix(generation.fetch());
            final List<byte[]> keys = scan(prefix);
            keys.replaceAll((place) -> Arrays.copyOfRange(place, prefix.length, place.length));
            return keys;
        });
    }

    /** Begins another generation. Returns the one before, or null. */
    byte[] renewGeneration()
    {
        return call(generation::renew);
    }

    /**
     * Deletes the pairs of a former generation. Reads the whole store. Ends early if the thread is interrupted.
     */
    void sweep(final byte[] id)
    {
        call(() ->
        {
            final List<byte[]> places = scan(generation.prefix(id));
            for (int i = 0; i < places.size() && !Thread.currentThread().isInterrupted(); i += CHUNK)
            {
                client.deleteAll(places.subList(i, Math.min(places.size(), i + CHUNK)));
            }
            return null;
        });
    }

    private List<byte[]> scan(final byte[] prefix)
    {
        final List<byte[]> places = new ArrayList<>();
        client.scan((key, value) ->
        {
            if (startsWith(key, prefix))
            {
                final byte[] place = new byte[key.capacity()];
                key.getBytes(0, place);
                places.add(place);
            }
        });
        return places;
    }

    private static boolean startsWith(final DirectBuffer key, final byte[] prefix)
    {
        if (key.capacity() < prefix.length)
        {
            return false;
        }
        // From the end: caches have the beginning in common.
        for (int i = prefix.length - 1; i >= 0; i--)
        {
            if (key.getByte(i) != prefix[i])
            {
                return false;
            }
        }
        return true;
    }

    private static byte[] concat(final byte[] prefix, final byte[] key)
    {
        final byte[] place = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, place, prefix.length, key.length);
        return place;
    }

    private static <T> T call(final Supplier<T> operation)
    {
        try
        {
            return operation.get();
        }
        catch (final StoreException e)
        {
            throw new CacheException(e.getMessage(), e);
        }
    }
}
