package org.onesided.server.memory;

import org.onesided.server.table.GrowthPlan;

/**
 * How a table's memory is divided between its shards, and how long the next segment of one is. Thread-safe.
 *
 * @param plan      of the table.
 * @param memory    of the table.
 * @param isDivided whether no shard gets more than its {@link GrowthPlan#memoryShare}; otherwise all draw from one
 *                  pool.
 */
record MemoryShares(GrowthPlan plan, TableMemory memory, boolean isDivided)
{
    /** A step is halved when it is refused, but not below this part of it: a directory has room for so many. */
    private static final int LEAST_PART_OF_STEP = 8;
    private static final int PARTS_PER_SHARD = 4;

    /**
     * Lengths to try for a segment.
     *
     * @param length to begin with.
     * @param least  length that is worth while.
     */
    record Segment(long length, long least)
    {
    }

    /** What the segments of one more shard come of. */
    MemoryPool pool()
    {
        return isDivided ? new MemoryPool(plan.memoryShare()) : memory.pool();
    }

    /** Bytes that are left of a shard's pool for heaps, or for indexes, in whole pages. */
    long left(final MemoryPool pool, final boolean isIndex)
    {
        // The system may keep memory that was given back: then there is less than all shares.
        return GrowthPlan.pageFloor(Math.min(memory.pool().left(), isIndex ? pool.left() : pool.leftForHeaps()));
    }

    /** What all shards together may still get, if one may get so much. */
    long ofAll(final long left)
    {
        return isDivided ? left * plan.shards().size() : left;
    }

    /**
     * The next segment of a part. In a share of the memory, a long record gets several: an index that needs memory gets
     * the last segment of the heap, if there is so much room elsewhere.
     */
    Segment next(final GrowingPart part)
    {
        final long step = plan.segment(part.held(), ofAll(part.left()), part.isIndex());
        final long wanted = Math.max(Math.max(step, lasting()), isDivided ?
            Math.min(part.missing(), plan.maxSegment()) : part.missing());
        final long least = Math.max(
            Math.max(plan.minSegment(), GrowthPlan.pageFloor(step / LEAST_PART_OF_STEP)), lasting());
        return new Segment(Math.min(wanted, Math.min(part.left(), part.most())), least);
    }

    /** Once half of the directory is full, segments are at least so long that the other half lasts. */
    private long lasting()
    {
        final int capacity = plan.directoryCapacity();
        final long entries = memory.entriesLeft() - (long)PARTS_PER_SHARD * plan.shards().size();
        return 2 * entries >= capacity ? 0 : GrowthPlan.pageCeiling(memory.pool().left() / Math.max(1, entries));
    }
}
