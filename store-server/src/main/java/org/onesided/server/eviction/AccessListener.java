package org.onesided.server.eviction;

/**
 * Is told of sampled lookups. They are hints: keys may be absent or of another shard, whatever was reported.
 */
public interface AccessListener
{
    /**
     * A client has looked up a key.
     *
     * @param key      of the lookup, as {@link org.onesided.protocol.bootstrap.AccessWord#key} has it.
     * @param isFound  whether the lookup found the key.
     * @param sampling the lookup stands for so many on average, at least 1.
     */
    void onAccess(long key, boolean isFound, int sampling);
}
