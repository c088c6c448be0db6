package org.onesided.client.request;

import java.util.Arrays;
import org.onesided.client.bootstrap.ServedShards;

/**
 * The SENDs of a session over one attachment, counted for each shard from 0: how many were posted, how many are known
 * to be complete, and which one carried the request of a slot. SENDs of a shard complete in order, so only some of them
 * tell of their completion, for those before as well. Not thread-safe.
 */
final class SendCounts
{
    private static final long NEVER_SENT = -1;

    private final ServedShards served;
    /** A SEND whose id is so far behind the last signaled one is signaled. */
    private final int interval;
    private final long[] posted;
    private final long[] completed;
    /** For each shard, the id of the last signaled SEND. */
    private final long[] signaledIds;
    /** For each slot, the number of the SEND that carried it last. */
    private final long[] numbers;

    /**
     * @param served  the shards that the session is for.
     * @param credits slots of a shard.
     */
    SendCounts(final ServedShards served, final int credits)
    {
        this.served = served;
        interval = Math.max(1, credits / 2);
        posted = new long[served.total()];
        completed = new long[served.total()];
        signaledIds = new long[served.total()];
        numbers = new long[served.count() * credits];
        Arrays.fill(numbers, NEVER_SENT);
    }

    /** Number of SENDs posted to a shard: that of its next one. */
    long posted(final int shard)
    {
        return posted[shard];
    }

    /** The request of a slot was posted. */
    void post(final int shard, final int slot)
    {
        numbers[slot] = posted[shard]++;
    }

    /**
     * Decides whether the SEND of the request that is posted next is to tell of its completion. Ids count here and not
     * SENDs, since slots are used again by id: of ids that were taken back there are no SENDs, and between two uses of
     * a slot one must tell.
     */
    boolean takeSignal(final int shard, final long id)
    {
        final boolean isDue = id - signaledIds[shard] >= interval;
        if (isDue)
        {
            signaledIds[shard] = id;
        }
        return isDue;
    }

    /**
     * A completion was polled.
     *
     * @return whether such a SEND was outstanding.
     */
    boolean complete(final int shard, final long number)
    {
        if (!served.contains(shard) || number < completed[shard] || number >= posted[shard])
        {
            return false;
        }
        completed[shard] = number + 1;
        return true;
    }

    /** Whether the SEND that carried a slot last is known to be complete, or there is none. */
    boolean isComplete(final int shard, final int slot)
    {
        return numbers[slot] < completed[shard];
    }

    /** Another attachment begins, over which nothing was sent. {@link #resume} follows for each shard. */
    void restart()
    {
        Arrays.fill(numbers, NEVER_SENT);
        Arrays.fill(posted, 0);
        Arrays.fill(completed, 0);
    }

    /** The first request to a shard over the attachment has this id. */
    void resume(final int shard, final long firstId)
    {
        signaledIds[shard] = firstId - 1;
    }
}
