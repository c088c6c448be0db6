package org.onesided.client.jcache;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;
import org.onesided.client.StoreClientBuilder;

/**
 * Caches by JSR-107 in a store. {@code javax.cache.Caching} finds it as a service; applications need not name it.
 *
 * <pre>{@code
 * CacheManager manager = Caching.getCachingProvider().getCacheManager(
 *     URI.create("onesided://store.example.org:19875?deadline=2s"), null);
 * Cache<String, Book> books = manager.createCache(
 *     "books", new MutableConfiguration<String, Book>().setTypes(String.class, Book.class));
 * }</pre>
 *
 * <p>A URI names a server, with options behind it, or a file of properties with all options. Each cache manager has a
 * client of its own, which it closes. {@code unwrap(StoreClient.class)} of a manager or a cache gives that client.
 * Thread-safe.
 */
public final class OnesidedCachingProvider implements CachingProvider
{
    /** System property with the URI that counts where an application names none. */
    public static final String URI_PROPERTY = "onesided.jcache.uri";

    private final Map<ClassLoader, Map<URI, OnesidedCacheManager>> managers = new HashMap<>();

    /**
     * Makes a provider; called by {@code javax.cache.Caching}.
     */
    public OnesidedCachingProvider()
    {
    }

    /**
     * Gives the manager of a URI and a class loader, and connects it if it is new.
     *
     * @param uri         {@code onesided://HOST:PORT?NAME=VALUE&...}, or one of a file of properties; null for the
     *                    default.
     * @param classLoader loads the classes of keys and values; null for the default.
     * @param properties  options, which begin with {@code onesided.}; a manager that is there keeps its own. May be
     *                    null.
     * @return the manager, the same until it is closed.
     * @throws CacheException if an option is wrong or the server cannot be reached.
     */
    @Override
    public CacheManager getCacheManager(
        final @Nullable URI uri, final @Nullable ClassLoader classLoader, final @Nullable Properties properties)
    {
        final URI place = uri == null ? getDefaultURI() : uri;
        final ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        final Properties own = new Properties();
        if (properties != null)
        {
            properties.stringPropertyNames().forEach((name) -> own.setProperty(name, properties.getProperty(name)));
        }
        synchronized (managers)
        {
            return managers.computeIfAbsent(loader, (key) -> new HashMap<>())
                .computeIfAbsent(place, (key) -> new OnesidedCacheManager(this, place, loader, own));
        }
    }

    @Override
    public ClassLoader getDefaultClassLoader()
    {
        return getClass().getClassLoader();
    }

    /**
     * @return what the system property {@value #URI_PROPERTY} says, or else a server on this host.
     */
    @Override
    public URI getDefaultURI()
    {
        return URI.create(System.getProperty(
            URI_PROPERTY, ManagerOptions.SCHEME + "://" + StoreClientBuilder.DEFAULT_SERVER));
    }

    /**
     * @return an empty set of properties.
     */
    @Override
    public Properties getDefaultProperties()
    {
        return new Properties();
    }

    @Override
    public CacheManager getCacheManager(final @Nullable URI uri, final @Nullable ClassLoader classLoader)
    {
        return getCacheManager(uri, classLoader, getDefaultProperties());
    }

    @Override
    public CacheManager getCacheManager()
    {
        return getCacheManager(getDefaultURI(), getDefaultClassLoader());
    }

    @Override
    public void close()
    {
        closeWhere((manager) -> true);
    }

    @Override
    public void close(final ClassLoader classLoader)
    {
        final ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        closeWhere((manager) -> manager.getClassLoader() == loader);
    }

    @Override
    public void close(final URI uri, final ClassLoader classLoader)
    {
        final URI place = uri == null ? getDefaultURI() : uri;
        final ClassLoader loader = classLoader == null ? getDefaultClassLoader() : classLoader;
        closeWhere((manager) -> manager.getClassLoader() == loader && manager.getURI().equals(place));
    }

    private void closeWhere(final Predicate<OnesidedCacheManager> condition)
    {
        final List<OnesidedCacheManager> closed = new ArrayList<>();
        synchronized (managers)
        {
            managers.values().forEach((byUri) -> byUri.values().stream().filter(condition).forEach(closed::add));
            closed.forEach(this::forget);
        }
        closed.forEach(OnesidedCacheManager::end);
    }

    /** Lets the next one who asks get another manager. */
    void forget(final OnesidedCacheManager manager)
    {
        synchronized (managers)
        {
            final Map<URI, OnesidedCacheManager> byUri = managers.get(manager.getClassLoader());
            if (byUri != null)
            {
                byUri.remove(manager.getURI(), manager);
                if (byUri.isEmpty())
                {
                    managers.remove(manager.getClassLoader());
                }
            }
        }
    }

    /**
     * @param feature that is asked for.
     * @return false: the store keeps bytes, so its caches store by value only.
     */
    @Override
    public boolean isSupported(final OptionalFeature feature)
    {
        return false;
    }
}
