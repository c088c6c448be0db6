package org.onesided.client.typed;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.StoreOperations;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * A view of a store whose keys and values are objects. It has no state of its own: any number of views of one store may
 * be in use, and their store is closed as usual. Thread-safe if the store is, as a client is and a session is not.
 *
 * <pre>{@code
 * TypedStore<String, User> users =
 *     TypedStore.of(client, Codecs.utf8(), JsonCodec.of(User.class)).withPrefix("user:");
 * users.put("ada", new User("Ada", 1815));
 * }</pre>
 *
 * <p>Calls do what those of {@link StoreOperations} with the same name do, and throw the same; what a codec throws
 * comes out as it is. {@code null} is no key and no value: it is returned where a key is absent, and refused with a
 * {@link NullPointerException} where it is given. The view allocates for each call.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
public final class TypedStore<K, V>
{
    private final StoreOperations store;
    private final Codec<K> keys;
    private final Codec<V> values;
    private final byte[] prefix;

    private TypedStore(
        final StoreOperations store, final Codec<K> keys, final Codec<V> values, final byte[] prefix)
    {
        this.store = Objects.requireNonNull(store, "store");
        this.keys = Objects.requireNonNull(keys, "keys");
        this.values = Objects.requireNonNull(values, "values");
        this.prefix = prefix;
    }

    /**
     * Makes a view.
     *
     * @param store  that has the pairs.
     * @param keys   turns keys into bytes, 1 to 4096 with the prefix.
     * @param values turns values into bytes.
     * @param <K>    type of the keys.
     * @param <V>    type of the values.
     * @return the view.
     */
    public static <K, V> TypedStore<K, V> of(
        final StoreOperations store, final Codec<K> keys, final Codec<V> values)
    {
        return new TypedStore<>(store, keys, values, new byte[0]);
    }

    /**
     * Makes a view of those pairs of this one whose keys begin with some text, which the view adds and removes. So
     * several kinds of objects share a store; a prefix should end with a character that keys do not have, such as a
     * colon.
     *
     * @param text that keys begin with; it comes behind the prefix that this view may have.
     * @return the view.
     */
    public TypedStore<K, V> withPrefix(final String text)
    {
        return new TypedStore<>(store, keys, values, concat(prefix, Codecs.utf8().encode(text)));
    }

    /**
     * Makes a view of the same pairs whose calls have another deadline, as {@link StoreOperations#within}.
     *
     * @param deadline of each call; positive.
     * @return the view.
     */
    public TypedStore<K, V> within(final Duration deadline)
    {
        return new TypedStore<>(store.within(deadline), keys, values, prefix);
    }

    /**
     * Looks a key up.
     *
     * @param key to look up.
     * @return its value, or null if it is absent.
     */
    public @Nullable V get(final K key)
    {
        return decode(store.get(encodeKey(key)));
    }

    /**
     * Looks a key up, for a later change under the condition that its value is still the same.
     *
     * @param key to look up.
     * @return its value and version, or null if it is absent.
     */
    public @Nullable VersionedValue<V> getVersioned(final K key)
    {
        final VersionedValue<byte[]> found = store.getVersioned(encodeKey(key));
        return found == null ? null : new VersionedValue<>(values.decode(found.value()), found.version());
    }

    /**
     * Looks up many keys at once.
     *
     * @param wanted keys to look up.
     * @return those that are there with their values, in the order of the keys; the caller's own. It finds a key by
     *         {@code equals}, which arrays lack.
     */
    public Map<K, V> getAll(final Collection<? extends K> wanted)
    {
        final List<K> order = List.copyOf(wanted);
        final List<byte @Nullable []> found = store.getAll(order.stream().map(this::encodeKey).toList());
        final Map<K, V> result = new LinkedHashMap<>();
        for (int i = 0; i < order.size(); i++)
        {
            if (found.get(i) != null)
            {
                result.put(order.get(i), values.decode(found.get(i)));
            }
        }
        return result;
    }

    /**
     * @param key to look up.
     * @return whether it is there.
     */
    public boolean contains(final K key)
    {
        return store.contains(encodeKey(key));
    }

    /**
     * Puts a value.
     *
     * @param key   of the value.
     * @param value to put.
     */
    public void put(final K key, final V value)
    {
        store.put(encodeKey(key), encode(value));
    }

    /**
     * Puts a value under a condition, with a time to live, or both.
     *
     * @param key     of the value.
     * @param value   to put.
     * @param options condition and time.
     * @return what became of it.
     */
    public WriteOutcome put(final K key, final V value, final PutOptions options)
    {
        return store.put(encodeKey(key), encode(value), options);
    }

    /**
     * Puts many values at once; some may be put if this fails.
     *
     * @param pairs to put.
     */
    public void putAll(final Map<? extends K, ? extends V> pairs)
    {
        final List<byte[]> encodedKeys = new ArrayList<>(pairs.size());
        final List<byte[]> encodedValues = new ArrayList<>(pairs.size());
        pairs.forEach((key, value) ->
        {
            encodedKeys.add(encodeKey(key));
            encodedValues.add(encode(value));
        });
        store.putAll(encodedKeys, encodedValues);
    }

    /**
     * Deletes a key.
     *
     * @param key to delete.
     * @return whether it was there.
     */
    public boolean delete(final K key)
    {
        return store.delete(encodeKey(key));
    }

    /**
     * Deletes many keys at once; some may be deleted if this fails.
     *
     * @param unwanted keys to delete.
     * @return how many of them were there.
     */
    public int deleteAll(final Collection<? extends K> unwanted)
    {
        return store.deleteAll(unwanted.stream().map(this::encodeKey).toList());
    }

    /**
     * Deletes a key if its value is still the same.
     *
     * @param key     to delete.
     * @param version that the value must have.
     * @return what became of it.
     */
    public WriteOutcome deleteIfVersion(final K key, final Version version)
    {
        return store.deleteIfVersion(encodeKey(key), version);
    }

    /**
     * Replaces a key's value by one computed from it, in one atomic step; it is written also if it is the same. The
     * function may be called several times. It must not use the session that this is a view of, nor write the key.
     *
     * @param key      of the value.
     * @param function gets the value, or null if the key is absent; it returns the new one, or null to delete the key.
     * @return the new value, or null if the key is absent now.
     */
    public @Nullable V update(final K key, final UnaryOperator<@Nullable V> function)
    {
        Objects.requireNonNull(function, "function");
        return decode(store.update(encodeKey(key), (bytes) ->
        {
            final V after = function.apply(decode(bytes));
            return after == null ? null : encode(after);
        }));
    }

    /**
     * @param key   of the value.
     * @param value to put.
     * @return the value before, or null if the key was absent.
     */
    public @Nullable V getAndPut(final K key, final V value)
    {
        Objects.requireNonNull(value, "value");
        return exchange(key, (before) -> value);
    }

    /**
     * @param key to delete.
     * @return the value before, or null if the key was absent.
     */
    public @Nullable V getAndDelete(final K key)
    {
        return exchange(key, (before) -> null);
    }

    /**
     * Changes when a key expires.
     *
     * @param key of the value.
     * @param ttl for how long it stays from now on.
     * @return whether it was there.
     */
    public boolean touch(final K key, final Duration ttl)
    {
        return store.touch(encodeKey(key), ttl);
    }

    /**
     * Lets a key stay for ever.
     *
     * @param key of the value.
     * @return whether it was there.
     */
    public boolean persist(final K key)
    {
        return store.persist(encodeKey(key));
    }

    /**
     * @param key of the value.
     * @return how long it stays, as {@link StoreOperations#ttl(byte[])} has it; null if it is absent.
     */
    public @Nullable TimeToLive ttl(final K key)
    {
        return store.ttl(encodeKey(key));
    }

    /**
     * Visits all pairs of this view, in no order. It reads the whole store, also what other prefixes have.
     *
     * @param consumer gets each pair; it must not use the session that this is a view of.
     */
    public void scan(final BiConsumer<? super K, ? super V> consumer)
    {
        Objects.requireNonNull(consumer, "consumer");
        store.scan(prefix, (key, value) -> consumer.accept(decodeKey(bytes(key)), values.decode(bytes(value))));
    }

    /**
     * As {@link #scan}, until the visitor wants no more.
     *
     * @param visitor gets the pairs, and returns whether to go on; it must not use the session that this view is of.
     * @return whether all pairs were passed, and the visitor wanted to go on after the last.
     */
    public boolean scanWhile(final BiPredicate<? super K, ? super V> visitor)
    {
        Objects.requireNonNull(visitor, "visitor");
        return store.scanWhile(prefix,
            entry -> visitor.test(decodeKey(bytes(entry.key())), values.decode(bytes(entry.value()))));
    }

    /**
     * A map of the same pairs. Its methods that change a pair are atomic, and fail with a {@link StoreException} as the
     * store does. They are updates of the store, so a key keeps the time when it expires, but for {@code putAll}, whose
     * puts are plain. Values are the same if they are equal or have the same bytes. Functions that are given to it may
     * be called several times, and must not write the key that they are called for. {@code size}, {@code isEmpty},
     * {@code containsValue}, {@code clear}, {@code equals}, {@code hashCode} and the views of keys, values and entries
     * read the whole store, and iterators keep all pairs in memory, as they were when they began.
     *
     * @return the map.
     */
    public ConcurrentMap<K, V> asMap()
    {
        return new StoreMap<>(this);
    }

    /**
     * Changes a value, and returns the one before, which is decoded before anything is written. The function may throw
     * {@link LeftAlone}.
     */
    @Nullable V exchange(final K key, final UnaryOperator<@Nullable V> function)
    {
        final AtomicReference<@Nullable V> last = new AtomicReference<>();
        tryUpdate(key, (before) ->
        {
            last.set(before);
            return function.apply(before);
        });
        return last.get();
    }

    /** Whether two values have the same bytes: arrays, for instance, are never equal otherwise. */
    boolean haveSameBytes(final V one, final V other)
    {
        return Arrays.equals(encode(one), encode(other));
    }

    /** As {@link #update}, with functions that may throw {@link LeftAlone}. Returns whether they did not. */
    boolean tryUpdate(final K key, final UnaryOperator<@Nullable V> function)
    {
        try
        {
            update(key, function);
            return true;
        }
        catch (final LeftAlone e)
        {
            return false;
        }
    }

    /** All keys of this view, in no order. */
    List<K> keys()
    {
        final List<K> found = new ArrayList<>();
        store.scan(prefix, (key, value) -> found.add(decodeKey(bytes(key))));
        return found;
    }

    /** Number of pairs of this view, and no more than a limit. */
    int count(final int limit)
    {
        final int[] count = {0};
        store.scanWhile(prefix, entry -> ++count[0] < limit);
        return count[0];
    }

    private byte[] encodeKey(final K key)
    {
        final byte[] bytes =
            Objects.requireNonNull(keys.encode(Objects.requireNonNull(key, "key")), "codec gave no bytes");
        return prefix.length == 0 ? bytes : concat(prefix, bytes);
    }

    private K decodeKey(final byte[] whole)
    {
        return keys.decode(prefix.length == 0 ? whole : Arrays.copyOfRange(whole, prefix.length, whole.length));
    }

    private byte[] encode(final V value)
    {
        return Objects.requireNonNull(values.encode(Objects.requireNonNull(value, "value")), "codec gave no bytes");
    }

    private @Nullable V decode(final byte @Nullable [] bytes)
    {
        return bytes == null ? null : values.decode(bytes);
    }

    private static byte[] bytes(final DirectBuffer buffer)
    {
        final byte[] bytes = new byte[buffer.capacity()];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    private static byte[] concat(final byte[] first, final byte[] second)
    {
        final byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Override
    public String toString()
    {
        return "TypedStore[server=" + store.server().address() + ", prefix=" +
            new String(prefix, StandardCharsets.UTF_8) + "]";
    }
}
