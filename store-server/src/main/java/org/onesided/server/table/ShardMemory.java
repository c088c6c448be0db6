package org.onesided.server.table;

import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;

/**
 * The memory of a shard's parts. Each part grows by itself.
 *
 * @param buckets  of the arrays of buckets, one behind the other; those of level 0 are usable from the start.
 * @param overflow of the overflow buckets.
 * @param reserve  of the start of the heap, see {@link GrowthPlan}.
 * @param records  of the rest of the heap.
 */
public record ShardMemory(PartMemory buckets, PartMemory overflow, PartMemory reserve, PartMemory records)
{
    /**
     * @return how many segments the parts have together; safe to ask from any thread.
     */
    public int segments()
    {
        return buckets.segments() + overflow.segments() + reserve.segments() + records.segments();
    }

    /**
     * @return bytes that the index has; safe to ask from any thread.
     */
    public long indexBytes()
    {
        return buckets.usable() - buckets.released() + overflow.usable();
    }

    /**
     * @return bytes of split buckets that are still there; safe to ask from any thread.
     */
    public long indexRetiredBytes()
    {
        return Math.max(0, buckets.retired() - buckets.released());
    }

    /**
     * @return bytes of split buckets that were given back; safe to ask from any thread.
     */
    public long indexReleasedBytes()
    {
        return buckets.released();
    }

    /**
     * @return bytes that the heap has given up and that are still there; safe to ask from any thread.
     */
    public long heapRetiredBytes()
    {
        return records.givenUp();
    }

    /**
     * @return bytes of the heap that were given back since the start; safe to ask from any thread.
     */
    public long heapReleasedBytes()
    {
        return records.givenBack();
    }

    /**
     * Memory that is all there.
     *
     * @param layout of the shard.
     * @return the memory.
     */
    public static ShardMemory whole(final ShardLayout layout)
    {
        final long kept = HeapLayout.keptLength(layout.heapLength());
        return new ShardMemory(
            PartMemory.whole(layout.bucketCount() * BucketDescriptor.LENGTH),
            PartMemory.whole(layout.overflowCount() * BucketDescriptor.LENGTH),
            PartMemory.whole(kept),
            PartMemory.whole(layout.heapLength() - kept));
    }
}
