package org.onesided.server.memory;

import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.PartMemory;

/**
 * A part of a shard's memory that grows by segments. The shard's thread asks, the growth thread answers. Reserves of
 * address space make room behind each part, so its segments adjoin.
 */
public final class GrowingPart implements PartMemory
{
    /** A part should have free so much of what it has, within limits. */
    private static final int AHEAD_PART = 8;

    private final GrowthPlan plan;
    private final GrowthPlan.Part part;
    private final MemoryPool pool;
    private final Runnable onWanted;
    private final Runnable onGrown;
    private volatile long usable;
    private volatile long wanted;
    private volatile int segments;

    /**
     * @param plan     of the table.
     * @param part     of it.
     * @param pool     from which segments are drawn.
     * @param onWanted wakes the thread that adds segments.
     * @param onGrown  called by that thread when there is more memory, or none for now.
     */
    GrowingPart(
        final GrowthPlan plan,
        final GrowthPlan.Part part,
        final MemoryPool pool,
        final Runnable onWanted,
        final Runnable onGrown)
    {
        this.plan = plan;
        this.part = part;
        this.pool = pool;
        this.onWanted = onWanted;
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
        if (most > wanted)
        {
            wanted = most;
            onWanted.run();
        }
        return false;
    }

    @Override
    public long growable()
    {
        return pool.isRefused() ? 0 : Math.min(part.length() - usable, pool.left());
    }

    @Override
    public long ahead()
    {
        return Math.min(Math.max(usable / AHEAD_PART, plan.minSegment() / 2), plan.maxSegment() / 2);
    }

    @Override
    public int segments()
    {
        return segments;
    }

    @Override
    public boolean isRefused()
    {
        return pool.isRefused() && usable < part.length() && pool.left() > 0;
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
        onGrown.run();
    }

    /** No memory is left to be had. */
    void drop()
    {
        wanted = usable;
        onGrown.run();
    }

    /** The shard is to look again. */
    void tell()
    {
        onGrown.run();
    }
}
