package org.onesided.client.jcache;

import javax.cache.CacheException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the pairs that a cleared cache has left in the store.
 */
final class Sweep
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Sweep.class);

    private Sweep()
    {
    }

    /** Deletes the pairs of a former generation. If it fails, they stay until they expire or are evicted. */
    static void run(final Entries<?, ?> entries, final String cache, final byte[] generation)
    {
        try
        {
            entries.sweep(generation);
        }
        catch (final CacheException e)
        {
            LOGGER.warn("pairs that were cleared stay in the store: cache={}: {}", cache, e.getMessage());
        }
    }
}
