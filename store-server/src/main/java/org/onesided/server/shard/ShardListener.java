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
     * The shard's completion queue of a device is broken: it can serve nobody over that device any more. The
     * connections over it end.
     *
     * @param device index of the device among the shard's.
     * @param reason why.
     */
    void onBroken(int device, String reason);
}
