package org.onesided.client.read;

import java.util.Arrays;

/**
 * How many keys a group may have: as many as all queue pairs together can READ while another group is under way. A
 * queue pair belongs to one shard, so keys are counted per shard. Not thread-safe.
 */
final class GroupBound
{
    private final int maxKeys;
    private int[] keysOfShard = {};
    private int maxOfShard;
    private int count;

    /**
     * @param maxKeys of a group, whatever the queue pairs can do.
     */
    GroupBound(final int maxKeys)
    {
        this.maxKeys = maxKeys;
    }

    /**
     * Begins an empty group.
     *
     * @param shardCount shards are below this.
     * @param depth      READs that a queue pair may have under way.
     */
    void begin(final int shardCount, final int depth)
    {
        if (keysOfShard.length < shardCount)
        {
            keysOfShard = new int[shardCount];
        }
        Arrays.fill(keysOfShard, 0);
        // The next group is posted while this one is judged.
        maxOfShard = Math.max(1, depth / 2);
        count = 0;
    }

    /**
     * Counts a key.
     *
     * @param shard of the key.
     * @return whether the group is full with it.
     */
    boolean addReaches(final int shard)
    {
        count++;
        return ++keysOfShard[shard] >= maxOfShard || count >= maxKeys;
    }
}
