package org.onesided.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.jcache.OnesidedCachingProvider;
import org.onesided.junit.OnesidedServer;
import org.onesided.junit.TestStore;
import org.onesided.protocol.bootstrap.FreePorts;

/**
 * What a URI, a file and properties can say.
 */
@OnesidedServer
class OptionsTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldBeTheProviderThatIsFound()
    {
        assertInstanceOf(OnesidedCachingProvider.class, Caching.getCachingProvider());
    }

    @Test
    @SuppressWarnings("unchecked")
    void shouldMakeTheCachesOfAFile(final TestStore store) throws IOException
    {
        final Path file = directory.resolve("caches.properties");
        Files.writeString(file, """
            onesided.server = %s
            onesided.device = shm
            onesided.sessions = 2
            onesided.caches = books, books.old, prices
            onesided.cache.books.old.management = true
            onesided.cache.books.expiry-after-write = 10m
            onesided.cache.prices.statistics = true
            other.option = ignored
            """.formatted(store.address()));
        final OnesidedCachingProvider provider = new OnesidedCachingProvider();
        try
        {
            final CacheManager manager = provider.getCacheManager(file.toUri(), null);

            assertEquals(Set.of("books", "books.old", "prices"),
                StreamSupport.stream(manager.getCacheNames().spliterator(), false).collect(Collectors.toSet()));
            final Cache<String, String> books = manager.getCache("books");
            books.put("a", "1");
            final StoreClient client = manager.unwrap(StoreClient.class);
            final byte[] place = Managers.keys(client, "jcache:books:").get(0);
            assertTrue(client.ttl(place).left().compareTo(Duration.ofMinutes(10)) <= 0);
            assertTrue(manager.getCache("prices").getConfiguration(CompleteConfiguration.class).isStatisticsEnabled());
            assertSame(manager, provider.getCacheManager(file.toUri(), null));
        }
        finally
        {
            provider.close();
        }
    }

    @Test
    void shouldTakeTheOptionsOfTheUriFirst(final TestStore store)
    {
        try (Managers managers = new Managers(store))
        {
            assertNotNull(managers.open(Map.of("onesided.server", "nobody.example:1")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "sesions=2", "sessions=0", "deadline=soon", "deadline", "sweep=maybe", "codecs=org.onesided.Nobody",
        "codecs=java.lang.String", "token-file=/nobody/here", "caches=a&cache.a.ttl=1s", "cache.a.statistics=true",
        "caches=a&cache.a.b.statistics=true", "generation-age=-PT1S",
        "serial-filter=maxdepth%3Dx", "device=nothing"})
    void shouldRefuseWrongOptions(final String query, final TestStore store)
    {
        final OnesidedCachingProvider provider = new OnesidedCachingProvider();
        final URI uri = URI.create("onesided://" + store.address() + "?" + query);

        final String message =
            assertThrows(CacheException.class, () -> provider.getCacheManager(uri, null)).getMessage();
        assertTrue(message.contains(query.replaceFirst(".*&", "").replaceFirst("=.*", "")), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///nobody/here.properties", "books", "nothing:here"})
    void shouldRefuseWrongUris(final String uri)
    {
        final OnesidedCachingProvider provider = new OnesidedCachingProvider();
        assertTrue(assertThrows(CacheException.class, () -> provider.getCacheManager(URI.create(uri), null))
            .getMessage().contains("uri=" + uri));
    }

    @Test
    void shouldSayThatTheServerIsAway()
    {
        final OnesidedCachingProvider provider = new OnesidedCachingProvider();
        final URI uri = URI.create("onesided://127.0.0.1:" + FreePorts.take() + "?deadline=200ms");

        assertInstanceOf(StoreConnectException.class,
            assertThrows(CacheException.class, () -> provider.getCacheManager(uri, null)).getCause());
    }

    @Test
    void shouldRefuseToStoreByReference(final TestStore store)
    {
        try (Managers managers = new Managers(store))
        {
            final CacheManager manager = managers.open();
            assertThrows(UnsupportedOperationException.class,
                () -> manager.createCache("books", new MutableConfiguration<>().setStoreByValue(false)));
        }
    }
}
