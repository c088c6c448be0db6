package org.onesided.server.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.table.GrowthPlan;

/**
 * Gives memory back, segment by segment, once no client READs it any more. There are two kinds. Splitting goes on from
 * the first bucket to the last, so it is always the first segments of an index that go:
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
 * <p>Of a heap it is the last segments that go, those that its shard has cleared and given up. The directories mark
 * them as removed before the clients are told to forget the segments that they know. So a client that looks for one
 * again does not find it. A shard that wants more memory meanwhile gets them back.
 *
 * <p>What is retired together makes a <em>release epoch</em>. There is one at a time: the next begins when all clients
 * have confirmed it and its memory is gone. For the growth thread.
 */
final class MemoryRelease
{
    /** Time from the begin of one epoch to that of the next: each costs every client a message. */
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final TableMemory memory;
    private final GrowthPlan plan;
    private final GrowthListener listener;
    private final Runnable wakeUp;
    private final List<GrowingPart> indexes = new ArrayList<>();
    private final List<GrowingPart> heaps = new ArrayList<>();
    /** Bytes of each index that are retired by the epoch under way. */
    private long[] limits;
    /** The segments of heaps that are, the last one of each heap first. */
    private final Map<GrowingPart, List<GrowingPart.Segment>> marked = new LinkedHashMap<>();
    private long epoch;
    private long removal;
    private volatile long confirmed;
    private long begunNs = System.nanoTime() - INTERVAL_NS;

    /**
     * @param wakeUp of the growth thread, by any thread.
     */
    MemoryRelease(
        final TableMemory memory, final GrowthPlan plan, final GrowthListener listener, final Runnable wakeUp)
    {
        this.memory = memory;
        this.plan = plan;
        this.listener = listener;
        this.wakeUp = wakeUp;
        limits = new long[plan.shards().size()];
    }

    /** Adds the next shard's buckets, and its records. */
    void add(final GrowingPart buckets, final GrowingPart records)
    {
        indexes.add(buckets);
        heaps.add(records);
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
        final boolean hasReleased = releaseIndexes() | releaseHeaps();
        if (nowNs - begunNs >= INTERVAL_NS)
        {
            begin(nowNs);
        }
        return hasReleased;
    }

    /** Nanoseconds until there may be something to do, unless somebody wakes the thread. */
    long pauseNs(final long nowNs)
    {
        final boolean isDue = !isWaiting() && (indexes.stream().anyMatch(GrowingPart::hasRetiredSegment) ||
            heaps.stream().anyMatch((heap) -> heap.givenUp() > 0));
        return isDue ? Math.max(1, INTERVAL_NS - (nowNs - begunNs)) : Long.MAX_VALUE;
    }

    /** Gives a shard back what its heap has given up. */
    void takeBack(final GrowingPart heap)
    {
        final List<GrowingPart.Segment> segments = marked.remove(heap);
        if (segments != null)
        {
            segments.forEach((each) -> memory.restore(each.offset(), each.length()));
        }
        heap.takeBack();
    }

    private void begin(final long nowNs)
    {
        final List<Long> points = new ArrayList<>();
        final long[] next = new long[limits.length];
        boolean isWorthIt = false;
        for (int i = 0; i < indexes.size(); i++)
        {
            // Clients that attach READ the same word later, so they know as much.
            final long point = Superblock.splitPoint(memory.range().address(), i);
            final ShardLayout layout = plan.shards().get(i).layout();
            next[i] = layout.firstInUse(point) * BucketDescriptor.LENGTH;
            points.add(point);
            isWorthIt |= indexes.get(i).endOfFirst() <= next[i];
        }
        mark();
        if (isWorthIt || !marked.isEmpty())
        {
            begunNs = nowNs;
            limits = next;
            epoch++;
            removal = marked.isEmpty() ? removal : epoch;
            final long begun = epoch;
            listener.retire(new RetiredMemory(begun, removal, List.copyOf(points)), () ->
            {
                confirmed = begun;
                wakeUp.run();
            });
        }
    }

    private void mark()
    {
        for (final GrowingPart heap : heaps)
        {
            final List<GrowingPart.Segment> segments = heap.givenUpSegments();
            if (!segments.isEmpty())
            {
                segments.forEach((each) -> memory.retire(each.offset()));
                marked.put(heap, segments);
            }
        }
    }

    private boolean releaseIndexes()
    {
        boolean hasReleased = false;
        for (int i = 0; i < indexes.size(); i++)
        {
            final GrowingPart part = indexes.get(i);
            while (part.endOfFirst() <= limits[i])
            {
                final boolean isFree =
                    memory.remove(part.begin(), part.endOfFirst() - part.released(), part.freeBefore(), 0);
                part.releaseFirst(isFree);
                hasReleased |= isFree;
            }
        }
        return hasReleased;
    }

    private boolean releaseHeaps()
    {
        boolean hasReleased = false;
        for (final Map.Entry<GrowingPart, List<GrowingPart.Segment>> each : marked.entrySet())
        {
            final GrowingPart heap = each.getKey();
            for (final GrowingPart.Segment segment : each.getValue())
            {
                final boolean isFree = memory.remove(segment.offset(), segment.length(), 0, heap.freeBehind());
                heap.releaseLast(isFree);
                hasReleased |= isFree;
            }
        }
        marked.clear();
        return hasReleased;
    }
}
