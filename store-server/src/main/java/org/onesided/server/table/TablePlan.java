package org.onesided.server.table;

import java.util.ArrayList;
import java.util.List;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * Gives superblock, record heaps and indexes their places in memory that is all there; {@link GrowthPlan} does so for
 * memory that grows.
 *
 * <pre>
 *  region = superblock | heap of each shard | for each shard: buckets, overflow buckets
 * </pre>
 *
 * <p>Heaps and the first buckets take the memory given. The rest of the indexes are ranges for what an index may grow
 * to if all records are as short as can be, with the fill of {@link BucketSplitter}. Pages there that are never used
 * are only address space, where the device's memory allows that.
 *
 * @param regionLength in bytes.
 * @param shards       where the parts of each are.
 */
public record TablePlan(long regionLength, List<ShardLayout> shards)
{
    /** Least heap of a shard in bytes. */
    public static final long MIN_HEAP_LENGTH = 64 << 10;

    /** As slots count granules in 36 bits. */
    static final long MAX_HEAP_LENGTH = (1L << 36) * SlotWord.GRANULE;
    /** Least buckets to begin with; there may be almost twice as many. */
    static final int FIRST_BUCKETS = 64;
    static final long MAX_FIRST_LENGTH = 2L * FIRST_BUCKETS * BucketDescriptor.LENGTH;
    private static final int ALIGNMENT = 4096;

    /**
     * @param memory     to divide, in bytes.
     * @param shardCount 1 to {@link SuperblockDescriptor#MAX_SHARDS}.
     * @return the plan.
     * @throws IllegalArgumentException if the memory is too little or too much, or there are too many shards, or none.
     */
    public static TablePlan of(final long memory, final int shardCount)
    {
        return of(memory, shardCount, FIRST_BUCKETS);
    }

    /**
     * @param memory       to divide, in bytes.
     * @param shardCount   1 to {@link SuperblockDescriptor#MAX_SHARDS}.
     * @param firstBuckets of a shard at least, 1 to 64; so that tests have buckets that are split often.
     * @return the plan.
     * @throws IllegalArgumentException if the memory is too little or too much, or another argument out of range.
     */
    public static TablePlan of(final long memory, final int shardCount, final int firstBuckets)
    {
        check(shardCount, firstBuckets);
        final long least = leastMemory(shardCount);
        if (memory < least)
        {
            throw new IllegalArgumentException("too little memory, give more or take fewer shards: memory=" + memory +
                " shards=" + shardCount + " least=" + least);
        }
        if (memory > MAX_HEAP_LENGTH)
        {
            throw new IllegalArgumentException("more memory than slots can address: memory=" + memory +
                " most=" + MAX_HEAP_LENGTH);
        }
        return divide(memory / ALIGNMENT * ALIGNMENT, shardCount, firstBuckets);
    }

    static void check(final int shardCount, final int firstBuckets)
    {
        if (shardCount < 1 || shardCount > SuperblockDescriptor.MAX_SHARDS)
        {
            throw new IllegalArgumentException("shards must be 1 to " + SuperblockDescriptor.MAX_SHARDS +
                ": shards=" + shardCount);
        }
        if (firstBuckets < 1 || firstBuckets > FIRST_BUCKETS)
        {
            throw new IllegalArgumentException("first buckets must be 1 to " + FIRST_BUCKETS +
                ": firstBuckets=" + firstBuckets);
        }
    }

    /**
     * @param shardCount of the table.
     * @return the least memory for so many shards, in bytes.
     */
    public static long leastMemory(final int shardCount)
    {
        final long shard = MIN_HEAP_LENGTH + MAX_FIRST_LENGTH;
        return align(SuperblockDescriptor.LENGTH + shardCount * shard);
    }

    /**
     * @param tableId    names the table.
     * @param serverLife names this life of the server.
     * @param hashSeed   of the keys' hashes.
     * @param checkSeed  of the records' check words.
     * @return a superblock of the first epoch that describes this plan.
     */
    public Superblock superblock(
        final long tableId, final long serverLife, final long hashSeed, final long checkSeed)
    {
        return new Superblock(tableId, serverLife, 1, regionLength, hashSeed, checkSeed, shards);
    }

    private static TablePlan divide(final long memory, final int shardCount, final int leastFirst)
    {
        final long part = (memory - SuperblockDescriptor.LENGTH) / shardCount /
            BucketDescriptor.LENGTH * BucketDescriptor.LENGTH;
        final IndexSize index = IndexSize.of(part, leastFirst);
        final long heapLength = part - index.firstLength();
        final List<ShardLayout> layouts = new ArrayList<>(shardCount);
        long buckets = align(SuperblockDescriptor.LENGTH + shardCount * heapLength);
        for (int i = 0; i < shardCount; i++)
        {
            final long heap = SuperblockDescriptor.LENGTH + i * heapLength;
            final long overflow = align(buckets + index.bucketsLength());
            layouts.add(new ShardLayout(
                buckets, index.firstBuckets(), index.levels(), overflow, index.overflowCount(), heap, heapLength));
            buckets = align(overflow + index.overflowLength());
        }
        return new TablePlan(buckets, List.copyOf(layouts));
    }

    private static long align(final long length)
    {
        return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
