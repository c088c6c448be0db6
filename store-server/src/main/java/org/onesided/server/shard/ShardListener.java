package org.onesided.server.shard;

/**
 * Hears from a shard's thread what becomes of connections.
 */
public interface ShardListener
{
    /**
     * A connection is no more: its queue pair is destroyed, nothing of it will be executed any more, and its buffers
     * may be freed.
     *
     * @param connection that ended.
     * @param reason     why, if the shard ended it; null if {@link Shard#end} was called before.
     */
    void onEnded(ShardConnection connection, String reason);

    /**
     * The shard's completion queue is broken: it can serve nobody any more. Its connections end.
     *
     * @param reason why.
     */
    void onBroken(String reason);
}
