package org.onesided.client.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a cache, if it writes through; otherwise its methods do nothing. Thread-safe if the writer is.
 *
 * @param <K> type of the keys.
 * @param <V> type of the values.
 */
final class Writing<K, V>
{
    private final CacheWriter<K, V> writer;
    private final boolean isWriteThrough;

    @SuppressWarnings("unchecked")
    Writing(final CompleteConfiguration<K, V> configuration)
    {
        final Factory<CacheWriter<? super K, ? super V>> factory = configuration.getCacheWriterFactory();
        writer = factory == null ? null : (CacheWriter<K, V>)factory.create();
        isWriteThrough = configuration.isWriteThrough() && writer != null;
    }

    boolean isWriteThrough()
    {
        return isWriteThrough;
    }

    /** Writes a value. */
    void write(final K key, final V value)
    {
        if (isWriteThrough)
        {
            final CacheWriterException failure = call(() -> writer.write(new SimpleEntry<>(key, value)));
            if (failure != null)
            {
                throw failure;
            }
        }
    }

    /** Deletes a key. */
    void delete(final K key)
    {
        if (isWriteThrough)
        {
            final CacheWriterException failure = call(() -> writer.delete(key));
            if (failure != null)
            {
                throw failure;
            }
        }
    }

    /**
     * Writes many values.
     *
     * @param pairs to write; afterwards those that were written.
     * @return why the others were not, or null.
     */
    @Nullable CacheWriterException writeAll(final Map<K, V> pairs)
    {
        if (!isWriteThrough || pairs.isEmpty())
        {
            return null;
        }
        final Collection<Cache.Entry<? extends K, ? extends V>> left = new ArrayList<>();
        pairs.forEach((key, value) -> left.add(new SimpleEntry<>(key, value)));
        final CacheWriterException failure = call(() -> writer.writeAll(left));
        if (failure != null)
        {
            // Those that are left were not written: the interface says so.
            left.forEach((entry) -> pairs.remove(entry.getKey()));
        }
        return failure;
    }

    /**
     * Deletes many keys.
     *
     * @param keys to delete; afterwards those that were deleted.
     * @return why the others were not, or null.
     */
    @Nullable CacheWriterException deleteAll(final Set<K> keys)
    {
        if (!isWriteThrough || keys.isEmpty())
        {
            return null;
        }
        final Collection<Object> left = new LinkedHashSet<>(keys);
        final CacheWriterException failure = call(() -> writer.deleteAll(left));
        if (failure != null)
        {
            keys.removeAll(left);
        }
        return failure;
    }

    private static CacheWriterException call(final Runnable call)
    {
        try
        {
            call.run();
            return null;
        }
        catch (final CacheWriterException e)
        {
            return e;
        }
        catch (final RuntimeException e)
        {
            return new CacheWriterException("writer of the cache failed", e);
        }
    }

    /** Closes the writer, if it can be. */
    void close()
    {
        Closing.close(writer);
    }

    /** A copy that the methods above may change. */
    static <K, V> Map<K, V> copy(final Map<? extends K, ? extends V> pairs)
    {
        return new LinkedHashMap<>(pairs);
    }
}
