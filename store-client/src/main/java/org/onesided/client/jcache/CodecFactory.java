package org.onesided.client.jcache;

import org.onesided.client.typed.Codec;

/**
 * Gives the codecs of caches. An application that wants others than the built-in ones implements it, with a constructor
 * without parameters, and names its class in the option {@code onesided.codecs}. Thread-safe.
 *
 * <p>All clients of a cache must have the same codecs. Keys are the same if their bytes are.
 */
@FunctionalInterface
public interface CodecFactory
{
    /**
     * Gives the codec of a cache's keys or values.
     *
     * @param cache  name of the cache.
     * @param type   that the configuration of the cache has for them; {@code Object} if it has none.
     * @param loader loads classes of the application.
     * @param <T>    the same type.
     * @return the codec, thread-safe. What it throws comes out of the cache as it is.
     */
    <T> Codec<T> codec(String cache, Class<T> type, ClassLoader loader);
}
