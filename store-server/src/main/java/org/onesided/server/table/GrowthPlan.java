package org.onesided.server.table;

import java.util.ArrayList;
import java.util.List;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SegmentDirectoryDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * Divides the addresses of a table whose memory grows. Addresses cost nothing, so each shard's heap has as many as the
 * whole memory: any shard may end up with all of it.
 *
 * <pre>
 *  +------------+-------------+---------+     +---------+----------------+     +---------+----------------+
 *  | superblock | directories | index   | gap | reserve | records        | gap | reserve | records        | ...
 *  |            | of segments |         |     | of 0    | of shard 0     |     | of 1    | of shard 1     |
 *  +------------+-------------+---------+     +---------+----------------+     +---------+----------------+
 *   there from the start: one segment           each is there up to some point, and grows segment by segment
 * </pre>
 *
 * @param regionLength      addresses of the table in bytes.
 * @param memory            most bytes of segments, in whole pages.
 * @param directories       table offset of the first segment directory; there is one for each device.
 * @param directoryCapacity most entries of each.
 * @param startLength       bytes from the start of the table that are there from the start.
 * @param minSegment        least length of a segment but the last ones, in bytes.
 * @param maxSegment        length of a segment, in bytes, unless a single record needs more.
 * @param shards            where the parts of each shard are.
 */
public record GrowthPlan(
    long regionLength,
    long memory,
    long directories,
    int directoryCapacity,
    long startLength,
    long minSegment,
    long maxSegment,
    List<Shard> shards)
{
    /**
     * Addresses of memory that grows at its end.
     *
     * @param start  table offset.
     * @param length most bytes.
     */
    public record Part(long start, long length)
    {
    }

    /**
     * A shard.
     *
     * @param layout  as readers know it.
     * @param reserve start of its heap.
     * @param records the rest of its heap.
     */
    public record Shard(ShardLayout layout, Part reserve, Part records)
    {
    }

    /** Segments are whole pages of this length. */
    private static final int PAGE = 4096;
    /** Memory that shards hold without using it stays below some 2 %: each has at most the rest of a segment. */
    private static final int SEGMENTS_PER_SHARD = 64;
    private static final long LEAST_SEGMENT = 64 << 10;
    /** A part that grows by a quarter has 64 KiB and more, to a terabyte, after fewer steps than this. */
    private static final int GROWTH_STEPS = 80;
    private static final long MAX_REGION_LENGTH = 1L << 46;

    /**
     * @param memory           most bytes of the table.
     * @param shardCount       1 to {@link SuperblockDescriptor#MAX_SHARDS}.
     * @param meanRecordLength expected of the records, headers and keys included, in bytes.
     * @param devices          that need a directory each.
     * @param alignment        of parts that grow, in bytes: the length of a page.
     * @return the plan.
     * @throws IllegalArgumentException if the memory is too little or too much, or another argument out of range.
     */
    public static GrowthPlan of(
        final long memory,
        final int shardCount,
        final long meanRecordLength,
        final int devices,
        final long alignment)
    {
        TablePlan.check(shardCount, meanRecordLength);
        final long least = leastMemory(shardCount, devices);
        if (memory < least)
        {
            throw new IllegalArgumentException("too little memory, give more or take fewer shards: memory=" + memory +
                " shards=" + shardCount + " least=" + least);
        }
        final long segment = pageFloor(memory / ((long)SEGMENTS_PER_SHARD * shardCount));
        final int capacity = capacity(memory, shardCount);
        final long overhead = overhead(memory, shardCount, devices);
        return divide(
            pageFloor(memory), TablePlan.of(memory - overhead, shardCount, meanRecordLength), capacity,
            SuperblockDescriptor.LENGTH + pageCeiling(devices * directoryLength(capacity)),
            Math.min(LEAST_SEGMENT, Math.max(PAGE, segment)), Math.max(LEAST_SEGMENT, segment), alignment);
    }

    /**
     * @param shardCount of the table.
     * @param devices    that need a directory each.
     * @return the least memory for so many shards, in bytes.
     */
    public static long leastMemory(final int shardCount, final int devices)
    {
        final long parts = TablePlan.leastMemory(shardCount);
        long least = parts;
        for (long next = parts + overhead(least, shardCount, devices); next > least;
            next = parts + overhead(least, shardCount, devices))
        {
            least = next;
        }
        return least;
    }

    /** What directories take, and what is lost as parts begin with a page. */
    private static long overhead(final long memory, final int shardCount, final int devices)
    {
        return pageCeiling(devices * directoryLength(capacity(memory, shardCount))) + 2L * PAGE * shardCount;
    }

    private static int capacity(final long memory, final int shardCount)
    {
        final long segment =
            Math.min(LEAST_SEGMENT, Math.max(PAGE, pageFloor(memory / ((long)SEGMENTS_PER_SHARD * shardCount))));
        final long most = Math.min(
            2 * (memory / segment) + 2L * shardCount + 1, (2L * SEGMENTS_PER_SHARD + GROWTH_STEPS) * shardCount);
        return (int)Math.min(most, SegmentDirectoryDescriptor.MAX_ENTRIES);
    }

    private static GrowthPlan divide(
        final long memory,
        final TablePlan index,
        final int capacity,
        final long indexStart,
        final long minSegment,
        final long maxSegment,
        final long alignment)
    {
        final int shardCount = index.shards().size();
        final List<long[]> places = new ArrayList<>();
        long at = indexStart;
        for (final ShardLayout each : index.shards())
        {
            final long overflow = at + each.bucketCount() * BucketDescriptor.LENGTH;
            places.add(new long[] {at, overflow});
            at = overflow + each.overflowCount() * BucketDescriptor.LENGTH;
        }
        final long startLength = pageCeiling(at);
        final long kept = HeapSpace.keptLength(memory);
        final List<Shard> shards = new ArrayList<>();
        at = align(startLength, alignment);
        for (int i = 0; i < shardCount; i++)
        {
            final ShardLayout each = index.shards().get(i);
            final long records = align(at + kept, alignment);
            final long heap = records - kept;
            shards.add(new Shard(
                new ShardLayout(places.get(i)[0], each.bucketCount(), places.get(i)[1], each.overflowCount(), heap,
                    memory),
                new Part(heap, kept),
                new Part(records, memory - kept)));
            at = align(heap + memory, alignment);
        }
        if (at > MAX_REGION_LENGTH)
        {
            throw new IllegalArgumentException("each shard has addresses for all the memory, and those are too many, " +
                "take fewer shards or less memory: memory=" + memory + " shards=" + shardCount + " most=" +
                MAX_REGION_LENGTH / shardCount);
        }
        return new GrowthPlan(at, memory, SuperblockDescriptor.LENGTH, capacity, startLength, minSegment, maxSegment,
            List.copyOf(shards));
    }

    /**
     * @param device index of a device.
     * @return table offset of its segment directory.
     */
    public long directory(final int device)
    {
        return directories + device * directoryLength(directoryCapacity);
    }

    /**
     * Divides the memory that is to be there from the start evenly among the shards.
     *
     * @param initial bytes of the table that are to be there from the start.
     * @return bytes of each shard's heap, its reserve included.
     */
    public long initialHeap(final long initial)
    {
        final long most = (memory - startLength) / shards.size();
        final long wanted = (Math.min(initial, memory) - startLength) / shards.size();
        return pageFloor(Math.max(Math.min(most, TablePlan.MIN_HEAP_LENGTH), Math.min(wanted, most)));
    }

    /**
     * @param heap bytes of a shard's heap.
     * @return bytes of them for the reserve.
     */
    public long initialReserve(final long heap)
    {
        return HeapSpace.keptLength(memory, heap);
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
        return new Superblock(
            tableId, serverLife, 1, regionLength, hashSeed, checkSeed, shards.stream().map(Shard::layout).toList());
    }

    /**
     * @param length in bytes.
     * @return the same in whole pages, rounded down.
     */
    public static long pageFloor(final long length)
    {
        return length / PAGE * PAGE;
    }

    /**
     * @param length in bytes.
     * @return the same in whole pages, rounded up.
     */
    public static long pageCeiling(final long length)
    {
        return align(length, PAGE);
    }

    private static long directoryLength(final int capacity)
    {
        return align(SegmentDirectoryDescriptor.length(capacity), BucketDescriptor.LENGTH);
    }

    private static long align(final long length, final long alignment)
    {
        return (length + alignment - 1) / alignment * alignment;
    }
}
