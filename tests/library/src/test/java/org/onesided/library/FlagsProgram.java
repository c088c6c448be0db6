package org.onesided.library;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.typed.Codecs;
import org.onesided.client.typed.TypedStore;

/**
 * A program that {@link JvmFlagsTest} starts with some flags: uses a store in many ways, and with {@code Bytes} if its
 * second argument says so.
 */
final class FlagsProgram
{
    private FlagsProgram()
    {
    }

    public static void main(final String[] arguments)
    {
        try (StoreClient store = StoreClient.builder().server(arguments[0]).build())
        {
            if (arguments[1].equals("bytes"))
            {
                useBytes(store);
            }
            else
            {
                use(store);
            }
        }
    }

    private static void use(final StoreClient store)
    {
        final byte[] key = "key".getBytes(StandardCharsets.UTF_8);
        final UnsafeBuffer buffer = new UnsafeBuffer(key);
        store.put("key", "1");
        store.putAll(Map.of("a", "1", "b", "2"));
        store.put(ByteBuffer.wrap(key), ByteBuffer.allocateDirect(70_000));
        store.get(buffer, 0, key.length, new ExpandableArrayBuffer(), 0);
        store.put(key, key);
        store.append("key", "2");
        store.increment("counter", 1);
        store.update("key", value -> value + "3");
        store.scan((name, value) -> { });
        store.async().put("c", "4").join();
        store.async().getAll(List.of(key)).join();
        TypedStore.of(store, Codecs.utf8(), Codecs.decimal()).asMap().merge("counter", 1L, Long::sum);
        useSession(store, buffer);
        useCache(store);
        System.out.println(store.get("key") + " " + store.getAll(Set.of("a", "c")).size() + " " + store.get("counter"));
    }

    private static void useSession(final StoreClient store, final UnsafeBuffer key)
    {
        try (StoreSession session = store.openSession())
        {
            session.putIfAbsent("d", "5");
            session.getVersioned("d");
            session.touch("d", Duration.ofMinutes(1));
            final AsyncSession async = session.async(new Listener());
            async.get(key, 0, key.capacity(), 1);
            async.drain();
        }
    }

    /** Does nothing. */
    private static final class Listener implements AsyncListener
    {
        @Override
        public void onValue(final long correlation, final @Nullable DirectBuffer value)
        {
        }

        @Override
        public void onPut(final long correlation)
        {
        }

        @Override
        public void onDelete(final long correlation, final boolean wasPresent)
        {
        }

        @Override
        public void onFailure(final long correlation, final StoreException failure)
        {
            throw failure;
        }
    }

    private static void useCache(final StoreClient store)
    {
        try (CacheManager manager = Caching.getCachingProvider().getCacheManager(
            URI.create("onesided://" + store.server().address()), null))
        {
            final Cache<String, Long> cache = manager.createCache(
                "prices", new MutableConfiguration<String, Long>().setTypes(String.class, Long.class));
            cache.put("tea", 3L);
            cache.clear();
        }
    }

    private static void useBytes(final StoreClient store)
    {
        store.put("key", "1");
        final long beganNs = System.nanoTime();
        final Bytes<?> key = Bytes.from("key");
        final Bytes<?> value = Bytes.allocateElasticOnHeap();
        final boolean isFound = store.getUsing(key, value);
        final Bytes<?> direct = Bytes.allocateElasticDirect();
        store.put(key, direct.append("2"));
        final boolean isGone = store.delete(key);
        direct.releaseLast();
        final long ms = (System.nanoTime() - beganNs) / 1_000_000;
        System.out.println(isFound + " " + value + " " + isGone + " ms=" + ms);
    }
}
