package org.onesided.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.TimeToLive;

/**
 * Changes of a cache beyond what the kit of the specification looks at: competing clients, times at the server, events.
 */
class SharedChangesTest extends CacheFixture
{
    private static final javax.cache.expiry.Duration HOUR =
        new javax.cache.expiry.Duration(TimeUnit.HOURS, 1);

    private static MutableConfiguration<String, Integer> numbers()
    {
        return new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class);
    }

    private static Cache<String, Integer> cache(final CacheManager manager, final ExpiryPolicy policy)
    {
        return manager.createCache(
            "numbers", numbers().setExpiryPolicyFactory(new FactoryBuilder.SingletonFactory<>(policy)));
    }

    private TimeToLive ttl(final String key)
    {
        return client().ttl("jcache:numbers:" + client().get("jcache:numbers") + ":" + key);
    }

    @Test
    void shouldLoseNoUpdateOfProcessorsOfSeveralClients() throws Exception
    {
        final int rounds = 200;
        final List<Cache<String, Integer>> caches = List.of(
            managers().open().createCache("numbers", numbers()), managers().open().createCache("numbers", numbers()));
        final ExecutorService executor = Executors.newFixedThreadPool(4);
        try
        {
            final List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++)
            {
                final Cache<String, Integer> cache = caches.get(i % 2);
                running.add(executor.submit(() ->
                {
                    for (int round = 0; round < rounds; round++)
                    {
                        cache.<Integer>invoke("sum", (entry, arguments) ->
                        {
                            entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
                            return null;
                        });
                    }
                }));
            }
            for (final Future<?> each : running)
            {
                each.get(120, TimeUnit.SECONDS);
            }
        }
        finally
        {
            executor.shutdownNow();
            assertTrue(executor.awaitTermination(60, TimeUnit.SECONDS));
        }
        assertEquals(4 * rounds, caches.get(0).get("sum"));
    }

    @Test
    void shouldLetTheServerExpireWhatWasCreated()
    {
        final Cache<String, Integer> cache = cache(managers().open(), new CreatedExpiryPolicy(HOUR));
        cache.put("a", 1);
        final TimeToLive first = ttl("a");
        assertTrue(first.left().compareTo(Duration.ofHours(1)) <= 0);

        cache.put("a", 2);
        cache.putAll(Map.of("a", 3, "b", 1));
        cache.get("a");
        assertEquals(first.end(), ttl("a").end(), "the time is that of its creation");
        assertTrue(ttl("b").expires());
    }

    @Test
    void shouldRenewTheTimeWithEachChange()
    {
        final Cache<String, Integer> cache = cache(managers().open(), new ModifiedExpiryPolicy(HOUR));
        cache.put("a", 1);
        client().touch("jcache:numbers:" + client().get("jcache:numbers") + ":a", Duration.ofMinutes(1));

        cache.get("a");
        assertTrue(ttl("a").left().compareTo(Duration.ofMinutes(1)) <= 0);
        cache.putAll(Map.of("a", 2));
        assertTrue(ttl("a").left().compareTo(Duration.ofMinutes(1)) > 0);
    }

    @Test
    void shouldRenewTheTimeWithEachLookup()
    {
        final Cache<String, Integer> cache = cache(managers().open(), new TouchedExpiryPolicy(HOUR));
        cache.put("a", 1);
        client().touch("jcache:numbers:" + client().get("jcache:numbers") + ":a", Duration.ofMinutes(1));

        assertEquals(1, cache.get("a"));
        assertTrue(ttl("a").left().compareTo(Duration.ofMinutes(1)) > 0);
    }

    @Test
    void shouldStayForEverWithoutAPolicy()
    {
        final Cache<String, Integer> cache = managers().open().createCache("numbers", numbers());
        cache.put("a", 1);
        assertEquals(TimeToLive.FOREVER, ttl("a"));
        assertEquals(TimeToLive.FOREVER, client().ttl("jcache:numbers"));
    }

    @Test
    void shouldPutManyAsOneByOne()
    {
        final CacheManager manager = managers().open();
        final Cache<String, Integer> cache = manager.createCache("numbers", numbers().setStatisticsEnabled(true));
        final Map<String, Integer> many = new HashMap<>();
        for (int i = 0; i < 1000; i++)
        {
            many.put("key" + i, i);
        }
        cache.put("key7", -1);
        cache.putAll(many);
        cache.putAll(Map.of());

        assertEquals(many, cache.getAll(many.keySet()));
        cache.removeAll(Set.of("key1", "key2", "nobody"));
        cache.removeAll(Set.of());
        assertNull(cache.get("key1"));
        assertEquals(7, cache.get("key7"));
        int count = 0;
        for (final Cache.Entry<String, Integer> entry : cache)
        {
            assertEquals(many.get(entry.getKey()), entry.getValue());
            count++;
        }
        assertEquals(998, count);
    }

    @Test
    void shouldTellListenersOfThisClientsChangesInOrder() throws InterruptedException
    {
        final CacheManager manager = managers().open();
        final Cache<String, Integer> cache = manager.createCache("numbers", numbers());
        final Cache<String, Integer> other = managers().open().createCache("numbers", numbers());
        final Recorder recorder = new Recorder();
        final MutableCacheEntryListenerConfiguration<String, Integer> later =
            new MutableCacheEntryListenerConfiguration<>(
                new FactoryBuilder.SingletonFactory<>(recorder), null, true, false);
        cache.registerCacheEntryListener(later);

        other.put("other", 1);
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            cache.put("a", i);
            cache.remove("a");
            expected.add("CREATED a=" + i);
            expected.add("REMOVED a=" + i);
        }
        Managers.await(() -> recorder.events.size() >= expected.size());
        assertEquals(expected, recorder.events, "the other client's change raises none");

        cache.deregisterCacheEntryListener(later);
        cache.put("a", 1);
        manager.close();
        assertEquals(expected, recorder.events);
    }

    @Test
    void shouldEndItsThreads() throws InterruptedException
    {
        // Those of other tests have done their work, and may be at their very end.
        Managers.await(() -> threads() == 0);
        final CacheManager manager = managers().open();
        final Cache<String, Integer> cache = manager.createCache("numbers", numbers());
        cache.put("a", 1);
        cache.clear();
        Managers.await(() -> Managers.keys(client(), "jcache:numbers:").isEmpty());
        assertTrue(threads() > 0, "a thread has swept");

        manager.close();
        Managers.await(() -> threads() == 0);
    }

    private static long threads()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> thread.getName().startsWith("onesided-jcache")).count();
    }

    /** Writes down what it hears of. */
    private static final class Recorder
        implements CacheEntryCreatedListener<String, Integer>, CacheEntryRemovedListener<String, Integer>
    {
        private final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void onCreated(final Iterable<CacheEntryEvent<? extends String, ? extends Integer>> all)
        {
            all.forEach(this::add);
        }

        @Override
        public void onRemoved(final Iterable<CacheEntryEvent<? extends String, ? extends Integer>> all)
        {
            all.forEach(this::add);
        }

        private void add(final CacheEntryEvent<? extends String, ? extends Integer> event)
        {
            events.add(event.getEventType() + " " + event.getKey() + "=" + event.getValue());
        }
    }
}
