package org.onesided.server.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.table.GrowthPlan;

/**
 * Gives the memory of split buckets back, segment by segment, once no client READs them any more. Splitting goes on
 * from the first bucket to the last, so it is always the first segments of an index that go:
 *
 * <pre>
 *           released        retired, waits for       in use           not used yet
 *                           the clients
 *  buckets +---------------+------------------------+----------------+--------------+
 *          |  no memory    | segment |  segment     | segment | ...  |              |
 *          +---------------+------------------------+----------------+--------------+
 *                                           first bucket in use
 * </pre>
 *
 * <p>What is retired together makes a <em>release epoch</em>. There is one at a time: the next begins when all clients
 * have confirmed it and its memory is gone. For the growth thread.
 */
final class IndexRelease
{
    /** Time from the begin of one epoch to that of the next: each costs every client a message. */
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final TableMemory memory;
    private final GrowthPlan plan;
    private final GrowthListener listener;
    private final Runnable wakeUp;
    private final List<GrowingPart> parts = new ArrayList<>();
    /** Bytes of each part that are retired by the epoch under way. */
    private long[] limits;
    private long epoch;
    private volatile long confirmed;
    private long begunNs = System.nanoTime() - INTERVAL_NS;

    /**
     * @param wakeUp of the growth thread, by any thread.
     */
    IndexRelease(
        final TableMemory memory, final GrowthPlan plan, final GrowthListener listener, final Runnable wakeUp)
    {
        this.memory = memory;
        this.plan = plan;
        this.listener = listener;
        this.wakeUp = wakeUp;
        limits = new long[plan.shards().size()];
    }

    /** Adds the next shard's buckets. */
    void add(final GrowingPart buckets)
    {
        parts.add(buckets);
    }

    /** Whether an epoch is under way that not all clients have confirmed. */
    private boolean isWaiting()
    {
        return confirmed < epoch;
    }

    /**
     * Gives back what is confirmed, and begins an epoch if there is something to give back.
     *
     * @return whether memory was given back.
     */
    boolean step(final long nowNs)
    {
        if (isWaiting())
        {
            return false;
        }
        final boolean hasReleased = release();
        if (nowNs - begunNs >= INTERVAL_NS)
        {
            begin(nowNs);
        }
        return hasReleased;
    }

    /** Nanoseconds until there may be something to do, unless somebody wakes the thread. */
    long pauseNs(final long nowNs)
    {
        for (final GrowingPart part : parts)
        {
            if (!isWaiting() && part.hasRetiredSegment())
            {
                return Math.max(1, INTERVAL_NS - (nowNs - begunNs));
            }
        }
        return Long.MAX_VALUE;
    }

    private void begin(final long nowNs)
    {
        final List<Long> points = new ArrayList<>();
        final long[] next = new long[limits.length];
        boolean isWorthIt = false;
        for (int i = 0; i < parts.size(); i++)
        {
            // Clients that attach READ the same word later, so they know as much.
            final long point = Superblock.splitPoint(memory.range().address(), i);
            final ShardLayout layout = plan.shards().get(i).layout();
            next[i] = layout.firstInUse(point) * BucketDescriptor.LENGTH;
            points.add(point);
            isWorthIt |= parts.get(i).endOfFirst() <= next[i];
        }
        if (isWorthIt)
        {
            begunNs = nowNs;
            limits = next;
            epoch++;
            final long begun = epoch;
            listener.retire(new RetiredIndex(begun, List.copyOf(points)), () ->
            {
                confirmed = begun;
                wakeUp.run();
            });
        }
    }

    private boolean release()
    {
        boolean hasReleased = false;
        for (int i = 0; i < parts.size(); i++)
        {
            final GrowingPart part = parts.get(i);
            while (part.endOfFirst() <= limits[i])
            {
                final boolean isFree =
                    memory.remove(part.begin(), part.endOfFirst() - part.released(), part.freeBefore());
                part.releaseFirst(isFree);
                hasReleased |= isFree;
            }
        }
        return hasReleased;
    }
}
