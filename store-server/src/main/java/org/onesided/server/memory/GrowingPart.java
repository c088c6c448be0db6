package org.onesided.server.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.PartMemory;

/**
 * A part of a shard's memory that grows by segments. The shard's thread asks, the growth thread answers. Reserves of
 * address space make room behind each part, so its segments adjoin. The first segments may be given back.
 */
public final class GrowingPart implements PartMemory
{
    private final GrowthPlan.Part part;
    private final boolean isIndex;
    private final SegmentSource source;
    private final Runnable onGrown;
    private volatile long usable;
    private volatile long wanted;
    private volatile int segments;
    /** Bytes from the start that are not used any more, and bytes of them that were given back. */
    private volatile long retired;
    private volatile long released;
    /** The end of a segment that the growth thread was woken for. For the shard's thread. */
    private long signalledEnd;
    /** Where the first segment ends that is still there. */
    private volatile long endOfFirst = Long.MAX_VALUE;
    /** Ends of the segments, those that were given back not included. For the growth thread. */
    private final Deque<Long> ends = new ArrayDeque<>();
    private long freeFrom;

    /**
     * @param part    of the plan.
     * @param isIndex whether it belongs to an index, and may have the last memory.
     * @param source  of segments.
     * @param onGrown called by its thread when there is more memory, or none for now.
     */
    GrowingPart(
        final GrowthPlan.Part part, final boolean isIndex, final SegmentSource source, final Runnable onGrown)
    {
        this.part = part;
        this.isIndex = isIndex;
        this.source = source;
        this.onGrown = onGrown;
    }

    @Override
    public long usable()
    {
        return usable;
    }

    @Override
    public boolean ensure(final long length)
    {
        if (length <= usable)
        {
            return true;
        }
        final long most = Math.min(length, part.length());
        final long before = wanted;
        if (most > before && left() > 0)
        {
            wanted = most;
            // The thread looks again after each segment, so it need not be woken up while it is about to add one.
            if (before <= usable && !source.isRefused())
            {
                source.wakeUp();
            }
        }
        return false;
    }

    @Override
    public long growable()
    {
        return source.isRefused() ? 0 : Math.min(part.length() - usable, left());
    }

    @Override
    public long ahead()
    {
        return source.ahead(held(), isIndex);
    }

    @Override
    public void retire(final long length)
    {
        retired = length;
        // The thread reads them the other way round, so one of the two sees what the other wrote.
        final long end = endOfFirst;
        if (length >= end && signalledEnd != end)
        {
            signalledEnd = end;
            source.wakeUp();
        }
    }

    @Override
    public long retired()
    {
        return retired;
    }

    @Override
    public long released()
    {
        return released;
    }

    /** Bytes of segments that are there, up to where they are usable. */
    long held()
    {
        return usable - released;
    }

    /** Whether there is a segment of which nothing is used any more. */
    boolean hasRetiredSegment()
    {
        return retired >= endOfFirst;
    }

    /** Where the first segment ends that is still there, from the start of the part. */
    long endOfFirst()
    {
        return endOfFirst;
    }

    /** Table offset of the first segment that is still there. */
    long begin()
    {
        return GrowthPlan.pageFloor(part.start()) + released;
    }

    /** Bytes right before the first segment whose memory is free. */
    long freeBefore()
    {
        return released - freeFrom;
    }

    /** The first segment has been given back; its memory is free, unless a device keeps it. */
    void releaseFirst(final boolean isFree)
    {
        segments--;
        released = ends.removeFirst();
        freeFrom = isFree ? freeFrom : released;
        endOfFirst = ends.isEmpty() ? Long.MAX_VALUE : ends.getFirst();
    }

    @Override
    public int segments()
    {
        return segments;
    }

    @Override
    public boolean isRefused()
    {
        return source.isRefused() && usable < part.length() && left() > 0;
    }

    boolean isIndex()
    {
        return isIndex;
    }

    /** Bytes of the pool that it may have. */
    long left()
    {
        return source.left(isIndex);
    }

    /** Table offset of the next segment: segments are whole pages. */
    long end()
    {
        return GrowthPlan.pageFloor(part.start()) + committed();
    }

    private long committed()
    {
        return usable == 0 ? 0 : GrowthPlan.pageCeiling(part.start() + usable) - GrowthPlan.pageFloor(part.start());
    }

    /** Bytes of segments that are wanted, and not there. */
    long missing()
    {
        return wanted <= usable ? 0 : GrowthPlan.pageCeiling(part.start() + wanted) - end();
    }

    /** Bytes of segments that there still may be. */
    long most()
    {
        return GrowthPlan.pageCeiling(part.start() + part.length()) - end();
    }

    /** A segment has been added. */
    void grown(final long length)
    {
        segments++;
        ends.addLast(end() + length - GrowthPlan.pageFloor(part.start()));
        endOfFirst = ends.getFirst();
        usable = Math.min(part.length(), end() + length - part.start());
    }

    /** The shard is to look again. */
    void tell()
    {
        onGrown.run();
    }
}
