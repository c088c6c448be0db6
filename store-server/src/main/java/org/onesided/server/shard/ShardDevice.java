package org.onesided.server.shard;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.collections.Int2ObjectHashMap;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;

/**
 * A shard's end of one device: completion queue and channel, and the connections over it. Belongs to the shard's
 * thread.
 */
public final class ShardDevice
{
    private final String name;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final int regionKey;
    /** Queue pair numbers are the device's own. */
    private final Int2ObjectHashMap<ShardConnection> connections = new Int2ObjectHashMap<>();
    private final AtomicLong connectionCount = new AtomicLong();
    private String brokenReason;

    /**
     * @param name      of the device's kind.
     * @param channel   of the completion queue, used by one shard alone.
     * @param queue     of the shard's queue pairs.
     * @param regionKey lkey of the region.
     */
    public ShardDevice(
        final String name, final CompletionChannel channel, final CompletionQueue queue, final int regionKey)
    {
        this.name = name;
        this.channel = channel;
        this.queue = queue;
        this.regionKey = regionKey;
    }

    /**
     * @return name of the device's kind.
     */
    public String name()
    {
        return name;
    }

    CompletionChannel channel()
    {
        return channel;
    }

    CompletionQueue queue()
    {
        return queue;
    }

    int regionKey()
    {
        return regionKey;
    }

    void add(final ShardConnection connection)
    {
        connections.put(connection.queuePair().number(), connection);
        connectionCount.setOpaque(connections.size());
    }

    void remove(final ShardConnection connection)
    {
        connections.remove(connection.queuePair().number());
        connectionCount.setOpaque(connections.size());
    }

    /** The connection with that queue pair, or null. */
    ShardConnection connection(final int queuePair)
    {
        return connections.get(queuePair);
    }

    Iterable<ShardConnection> connections()
    {
        return connections.values();
    }

    /** Safe to ask from any thread. */
    long connectionCount()
    {
        return connectionCount.getOpaque();
    }

    /** Why the device is of no use to the shard any more, or null. */
    String brokenReason()
    {
        return brokenReason;
    }

    void breakDown(final String reason)
    {
        brokenReason = reason;
    }
}
