package org.onesided.jcache;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.cache.CacheManager;
import org.onesided.client.StoreClient;
import org.onesided.client.jcache.OnesidedCachingProvider;
import org.onesided.junit.TestStore;

/**
 * Opens cache managers for a test, each of a provider and so of a client of its own, and closes them.
 */
final class Managers implements AutoCloseable
{
    private static final long DEADLINE_S = 60;

    private final String address;
    private final List<OnesidedCachingProvider> providers = new ArrayList<>();

    Managers(final TestStore store)
    {
        address = store.address();
    }

    CacheManager open()
    {
        return open(Map.of());
    }

    /** With these options, which begin with {@code onesided.}. */
    CacheManager open(final Map<String, String> options)
    {
        final OnesidedCachingProvider provider = new OnesidedCachingProvider();
        providers.add(provider);
        final Properties properties = new Properties();
        properties.putAll(options);
        return provider.getCacheManager(URI.create("onesided://" + address), null, properties);
    }

    /** Keys of the store that begin with a text. */
    static List<byte[]> keys(final StoreClient client, final String start)
    {
        final List<byte[]> keys = new ArrayList<>();
        client.scan((key, value) ->
        {
            final byte[] bytes = new byte[key.capacity()];
            key.getBytes(0, bytes);
            if (new String(bytes, StandardCharsets.UTF_8).startsWith(start))
            {
                keys.add(bytes);
            }
        });
        return keys;
    }

    /** Waits until something holds; fails if it does not in a time that only a hang reaches. */
    static void await(final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - endNs > 0)
            {
                throw new AssertionError("nothing happened for " + DEADLINE_S + " s");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Override
    public void close()
    {
        providers.forEach(OnesidedCachingProvider::close);
    }
}
