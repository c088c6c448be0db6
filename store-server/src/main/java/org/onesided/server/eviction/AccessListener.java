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
     * @param isDrawn  whether the lookup is in the random sample; else it was reported because of its key.
     * @param sampling a lookup of the random sample stands for so many on average, at least 1.
     */
    void onAccess(long key, boolean isFound, boolean isDrawn, int sampling);
}
