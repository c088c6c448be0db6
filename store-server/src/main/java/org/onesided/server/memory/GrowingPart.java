package org.onesided.server.memory;

import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.PartMemory;

/**
 * A part of a shard's memory that grows by segments. The shard's thread asks, the growth thread answers. Reserves of
 * address space make room behind each part, so its segments adjoin.
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
        return source.ahead(usable);
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
        usable = Math.min(part.length(), end() + length - part.start());
    }

    /** The shard is to look again. */
    void tell()
    {
        onGrown.run();
    }
}
