package org.onesided.server.table;

import java.util.ArrayList;
import java.util.List;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * Divides memory into superblock, buckets, overflow buckets and record heaps.
 *
 * <p>Buckets are 0.6 full, with 4.2 keys each, when the heap is full. The keys of a bucket are Poisson distributed:
 * 6.4 % of the buckets have more than 7 and so an overflow bucket, and 1 key in 38 sits in one. A lookup whose mirror
 * is fresh takes one READ all the same; only that of an absent key takes a second one, in 6.4 of 100 cases. The region
 * has an overflow bucket for 6 buckets, 2.6 times what that needs, so that records smaller than expected do not exhaust
 * it soon: it lasts until the keys are 1.26 times as many as planned. In all a key takes 17.8 bytes of index.
 *
 * @param regionLength in bytes; at most the memory given.
 * @param shards       where the parts of each are.
 */
public record TablePlan(long regionLength, List<ShardLayout> shards)
{
    /** Least heap of a shard in bytes. */
    public static final long MIN_HEAP_LENGTH = 64 << 10;

    private static final long MAX_REGION_LENGTH = (1L << 36) * SlotWord.GRANULE;
    /** Three fifths of the slots. */
    private static final long KEYS_OF_FIVE_BUCKETS = 3 * BucketDescriptor.SLOT_COUNT;
    private static final long BUCKETS_PER_OVERFLOW = 6;
    /** What the index takes for so many buckets, overflow included. */
    private static final long GROUP_LENGTH = (BUCKETS_PER_OVERFLOW + 1) * BucketDescriptor.LENGTH;
    private static final int ALIGNMENT = 4096;

    /**
     * @param memory           to divide, in bytes.
     * @param shardCount       1 to {@link SuperblockDescriptor#MAX_SHARDS}.
     * @param meanRecordLength expected of the records, headers and keys included, in bytes.
     * @return the plan.
     * @throws IllegalArgumentException if the memory is too little or too much, or another argument out of range.
     */
    public static TablePlan of(final long memory, final int shardCount, final long meanRecordLength)
    {
        check(shardCount, meanRecordLength);
        final long least = leastMemory(shardCount);
        if (memory < least)
        {
            throw new IllegalArgumentException("too little memory, give more or take fewer shards: memory=" + memory +
                " shards=" + shardCount + " least=" + least);
        }
        if (memory > MAX_REGION_LENGTH)
        {
            throw new IllegalArgumentException("more memory than slots can address: memory=" + memory +
                " most=" + MAX_REGION_LENGTH);
        }
        return divide(memory / ALIGNMENT * ALIGNMENT, shardCount, SlotWord.granules(meanRecordLength));
    }

    static void check(final int shardCount, final long meanRecordLength)
    {
        if (shardCount < 1 || shardCount > SuperblockDescriptor.MAX_SHARDS)
        {
            throw new IllegalArgumentException("shards must be 1 to " + SuperblockDescriptor.MAX_SHARDS +
                ": shards=" + shardCount);
        }
        final long longest =
            RecordDescriptor.length(RecordDescriptor.MAX_KEY_LENGTH, RecordDescriptor.MAX_VALUE_LENGTH);
        if (meanRecordLength <= RecordDescriptor.HEADER_LENGTH || meanRecordLength > longest)
        {
            throw new IllegalArgumentException("mean record length must be over " + RecordDescriptor.HEADER_LENGTH +
                " and at most " + longest + " bytes: meanRecordLength=" + meanRecordLength);
        }
    }

    /**
     * @param shardCount of the table.
     * @return the least memory for so many shards, in bytes.
     */
    public static long leastMemory(final int shardCount)
    {
        final long shard = MIN_HEAP_LENGTH + GROUP_LENGTH;
        return align(SuperblockDescriptor.LENGTH + shardCount * shard, ALIGNMENT);
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

    private static TablePlan divide(final long length, final int shardCount, final long meanGranules)
    {
        final long part = (length - SuperblockDescriptor.LENGTH) / shardCount /
            BucketDescriptor.LENGTH * BucketDescriptor.LENGTH;
        final long groupHeap = BUCKETS_PER_OVERFLOW * KEYS_OF_FIVE_BUCKETS * meanGranules * SlotWord.GRANULE / 5;
        final long wanted = part / (GROUP_LENGTH + groupHeap);
        final long groups = Math.max(1, Math.min(wanted, (part - MIN_HEAP_LENGTH) / GROUP_LENGTH));
        final long bucketCount = groups * BUCKETS_PER_OVERFLOW;
        final List<ShardLayout> layouts = new ArrayList<>(shardCount);
        for (int i = 0; i < shardCount; i++)
        {
            final long buckets = SuperblockDescriptor.LENGTH + i * part;
            final long overflow = buckets + bucketCount * BucketDescriptor.LENGTH;
            final long heap = overflow + groups * BucketDescriptor.LENGTH;
            layouts.add(new ShardLayout(buckets, bucketCount, overflow, groups, heap, buckets + part - heap));
        }
        return new TablePlan(length, List.copyOf(layouts));
    }

    private static long align(final long length, final long alignment)
    {
        return (length + alignment - 1) / alignment * alignment;
    }
}
