package org.onesided.server.shard.agent;

import org.agrona.collections.Int2ObjectHashMap;
import org.onesided.server.memory.LocalKeys;
import org.onesided.server.shard.execution.DeviceSessions;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionQueue;

/**
 * A shard's end of one device: completion queue and channel, and the queue pairs of sessions. Belongs to the shard's
 * thread.
 */
public final class ShardDevice
{
    /** After so many polls in a row that bring something, but no batch of puts, no more are expected. */
    private static final int POLLS_WITHOUT_BATCH = 8;

    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final LocalKeys keys;
    /** Queue pairs by number, which is unique per device. */
    private final Int2ObjectHashMap<CreditedQueuePair> queuePairs = new Int2ObjectHashMap<>();
    private final DeviceSessions sessions;
    private String brokenReason;
    /** In how many more polls a batch is expected. */
    private int pollsForBatch;

    /**
     * @param name      of the device's kind.
     * @param channel   of the completion queue, used by one shard alone.
     * @param queue     of the shard's queue pairs.
     * @param keys      lkeys of the table's memory.
     */
    public ShardDevice(
        final String name, final CompletionChannel channel, final CompletionQueue queue, final LocalKeys keys)
    {
        sessions = new DeviceSessions(name);
        this.channel = channel;
        this.queue = queue;
        this.keys = keys;
    }

    /**
     * @return name of the device's kind.
     */
    public String name()
    {
        return sessions.device();
    }

    CompletionChannel channel()
    {
        return channel;
    }

    CompletionQueue queue()
    {
        return queue;
    }

    LocalKeys keys()
    {
        return keys;
    }

    void add(final CreditedQueuePair queuePair)
    {
        queuePairs.put(queuePair.number(), queuePair);
        sessions.count(queuePairs.size());
    }

    void remove(final CreditedQueuePair queuePair)
    {
        queuePairs.remove(queuePair.number());
        sessions.count(queuePairs.size());
    }

    /** The queue pair with that number, or null. */
    CreditedQueuePair queuePair(final int number)
    {
        return queuePairs.get(number);
    }

    Iterable<CreditedQueuePair> queuePairs()
    {
        return queuePairs.values();
    }

    DeviceSessions sessions()
    {
        return sessions;
    }

    /** Whether batches of puts come. */
    boolean hasBatches()
    {
        return pollsForBatch > 0;
    }

    /** A poll has brought something. */
    void onPolled(final boolean hasBatch)
    {
        pollsForBatch = hasBatch ? POLLS_WITHOUT_BATCH : Math.max(0, pollsForBatch - 1);
    }

    /** Why the shard cannot use the device any more, or null. */
    String brokenReason()
    {
        return brokenReason;
    }

    void breakDown(final String reason)
    {
        brokenReason = reason;
    }
}
