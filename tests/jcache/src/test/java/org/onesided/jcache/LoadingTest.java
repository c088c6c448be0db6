package org.onesided.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.Test;

/**
 * Loaders that others compete with, that do not end, or that fail badly.
 */
class LoadingTest extends CacheFixture
{
    private static Cache<String, Integer> cache(final CacheManager manager, final Loader loader)
    {
        return manager.createCache("numbers", new MutableConfiguration<String, Integer>()
            .setTypes(String.class, Integer.class)
            .setReadThrough(true)
            .setCacheLoaderFactory(new FactoryBuilder.SingletonFactory<>(loader)));
    }

    @Test
    void shouldLoadOnceForAllClients()
    {
        final AtomicInteger loads = new AtomicInteger();
        final Loader loader = (key) -> loads.incrementAndGet();
        final Cache<String, Integer> one = cache(managers().open(), loader);
        final Cache<String, Integer> other = cache(managers().open(), loader);

        assertEquals(1, one.get("a"));
        assertEquals(1, other.get("a"));
        assertEquals(Map.of("a", 1, "b", 2), other.getAll(Set.of("a", "b")));
        assertNull(cache(managers().open(), (key) -> null).get("c"));
    }

    @Test
    void shouldTellWhoWaitsThatTheManagerWasClosed() throws Exception
    {
        final CountDownLatch never = new CountDownLatch(1);
        final CacheManager manager = managers().open();
        final Cache<String, Integer> cache = cache(manager, (key) ->
        {
            try
            {
                never.await();
            }
            catch (final InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
            return 1;
        });
        final List<CompletionListenerFuture> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++)
        {
            final CompletionListenerFuture future = new CompletionListenerFuture();
            cache.loadAll(Set.of("key" + i), false, future);
            waiting.add(future);
        }
        manager.close();

        for (final CompletionListenerFuture future : waiting)
        {
            assertInstanceOf(CacheException.class,
                assertThrows(ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS)).getCause());
        }
    }

    @Test
    void shouldTellWhoWaitsOfAnError()
    {
        final Cache<String, Integer> cache = cache(managers().open(), (key) ->
        {
            throw new CacheException("no such number");
        });
        final CompletionListenerFuture future = new CompletionListenerFuture();
        cache.loadAll(Set.of("a"), true, future);

        final ExecutionException failure =
            assertThrows(ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS));
        assertTrue(failure.getCause().getCause().getMessage().contains("no such number"), failure.toString());
    }

    @Test
    void shouldCloseWhatItMadeWithTheCacheOrIfTheRestFails()
    {
        final CacheManager manager = managers().open();
        final ClosedLoader loader = new ClosedLoader();
        cache(manager, loader).close();
        assertEquals(1, loader.closes.get());

        final MutableConfiguration<String, Integer> wrong = new MutableConfiguration<String, Integer>()
            .setCacheLoaderFactory(new FactoryBuilder.SingletonFactory<>(loader))
            .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                () ->
                {
                    throw new IllegalStateException("no listener");
                }, null, false, true));
        assertThrows(IllegalStateException.class, () -> manager.createCache("numbers", wrong));
        assertEquals(2, loader.closes.get());
        assertNull(manager.getCache("numbers"));
    }

    /** Counts how often it is closed. */
    private static final class ClosedLoader implements Loader, Closeable
    {
        private final AtomicInteger closes = new AtomicInteger();

        @Override
        public Integer load(final String key)
        {
            return 1;
        }

        @Override
        public void close()
        {
            closes.incrementAndGet();
        }
    }

    /** Loads a value by a function. */
    @FunctionalInterface
    private interface Loader extends CacheLoader<String, Integer>
    {
        @Override
        default Map<String, Integer> loadAll(final Iterable<? extends String> keys)
        {
            final Map<String, Integer> all = new HashMap<>();
            keys.forEach((key) -> all.put(key, load(key)));
            return all;
        }
    }
}
