package org.onesided.server.shard.agent;

import org.onesided.server.shard.reign.ShardRole;

/**
 * Is told by a shard's thread of changes of queue pairs.
 */
public interface ShardListener
{
    /**
     * A queue pair has ended: it is destroyed, no request that came over it will be executed any more, and its buffers
     * may be freed.
     *
     * @param queuePair that ended.
     * @param reason    why, if the shard ended it; null if {@link ShardQueuePairs#end} was called before.
     */
    void onEnded(CreditedQueuePair queuePair, String reason);

    /**
     * The shard's completion queue of a device is broken: it can serve nobody over that device any more. The
     * sessions over it end.
     *
     * @param device index of the device among the shard's.
     * @param reason why.
     */
    void onBroken(int device, String reason);

    /**
     * The shard cannot go on, and ends: what its log says cannot be applied.
     *
     * @param shard number of the shard.
     * @param cause why.
     */
    void onFailed(int shard, RuntimeException cause);

    /**
     * The shard's log has several members, and what this one is has changed.
     *
     * @param shard number of the shard.
     * @param role  from now on.
     */
    default void onRole(final int shard, final ShardRole role)
    {
    }
}
