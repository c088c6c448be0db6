package org.onesided.server.table;

import java.util.ArrayList;
import java.util.List;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SegmentDirectoryDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * Divides the addresses of a table whose memory grows. Addresses cost nothing, so each shard's heap has as many as the
 * whole memory, and its index as many as the shortest records would need there: any shard may end up with all of it.
 *
 * <pre>
 *  +------------+-------------+     +---------+----------+---------+-------------+     +---------+----
 *  | superblock | directories | gap | buckets | overflow | reserve | records     | gap | buckets | ...
 *  |            | of segments |     | of 0    | of 0     | of 0    | of shard 0  |     | of 1    |
 *  +------------+-------------+     +---------+----------+---------+-------------+     +---------+----
 *   there from the start             each part is there up to some point, and grows segment by segment
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
     * @param layout   as readers know it.
     * @param buckets  arrays of buckets.
     * @param overflow overflow buckets.
     * @param reserve  start of its heap.
     * @param records  the rest of its heap.
     */
    public record Shard(ShardLayout layout, Part buckets, Part overflow, Part reserve, Part records)
    {
    }

    /** Least heap of a shard in bytes. */
    static final long MIN_HEAP_LENGTH = 64 << 10;
    /** As slots count granules in 36 bits. */
    private static final long MAX_HEAP_LENGTH = (1L << 36) * SlotWord.GRANULE;
    /** Least buckets to begin with; there may be almost twice as many. */
    private static final int FIRST_BUCKETS = 64;
    private static final long MAX_FIRST_LENGTH = 2L * FIRST_BUCKETS * BucketDescriptor.LENGTH;
    /** Segments are whole pages of this length. */
    private static final int PAGE = 4096;
    private static final int SEGMENTS_PER_SHARD = 64;
    private static final long LEAST_SEGMENT = 64 << 10;
    /** The least segment is at most this part of the longest, so that small shards hold little that they do not use. */
    private static final int LEAST_PART = 8;
    /** A part grows by a quarter of what it has, within limits. */
    private static final int GROWTH_PART = 4;
    private static final int AHEAD_PART = 8;
    /**
     * Part of a shard's share of what is left that one segment takes at most: so segments get shorter near the end of
     * the memory, and the last ones leave little unused. An index grows by less than a heap, so its last segment comes
     * sooner.
     */
    private static final int LEFT_PART = 8;
    private static final int LEFT_PART_OF_INDEX = 32;
    /** The last segments are at least this part of the longest, as a directory has room for so many. */
    private static final int LAST_PART = 256;
    /** Entries of a directory for the short segments of a shard, those at the beginning and those at the end. */
    private static final int SHORT_STEPS = 48;
    /** A part that grows by a quarter has 64 KiB and more, to a terabyte, after fewer steps than this. */
    private static final int GROWTH_STEPS = 80;
    private static final long MAX_REGION_LENGTH = 1L << 46;

    /**
     * @param memory     most bytes of the table.
     * @param shardCount 1 to {@link SuperblockDescriptor#MAX_SHARDS}.
     * @param devices    that need a directory each.
     * @param alignment  of heaps, in bytes: the length of a page.
     * @return the plan.
     * @throws IllegalArgumentException if the memory is too little or too much, or another argument out of range.
     */
    public static GrowthPlan of(final long memory, final int shardCount, final int devices, final long alignment)
    {
        if (shardCount < 1 || shardCount > SuperblockDescriptor.MAX_SHARDS)
        {
            throw new IllegalArgumentException("shards must be 1 to " + SuperblockDescriptor.MAX_SHARDS +
                ": shards=" + shardCount);
        }
        final long least = leastMemory(shardCount, devices);
        if (memory < least)
        {
            throw new IllegalArgumentException("too little memory, give more or take fewer shards: memory=" + memory +
                " shards=" + shardCount + " least=" + least);
        }
        final long all = pageFloor(memory);
        if (memory > MAX_HEAP_LENGTH)
        {
            throw new IllegalArgumentException("more memory than slots can address: memory=" + memory +
                " most=" + MAX_HEAP_LENGTH);
        }
        final int capacity = capacity(memory, shardCount);
        final long startLength = startLength(capacity, devices);
        final List<Shard> shards = new ArrayList<>();
        long at = startLength;
        for (int i = 0; i < shardCount; i++)
        {
            final Shard shard = shard(at, all, alignment);
            shards.add(shard);
            at = shard.records().start() + shard.records().length();
            if (at > MAX_REGION_LENGTH)
            {
                throw new IllegalArgumentException("each shard has addresses for all the memory, and those are too " +
                    "many, take fewer shards or less memory: memory=" + memory + " shards=" + shardCount);
            }
        }
        final long segment = pageFloor(memory / ((long)SEGMENTS_PER_SHARD * shardCount));
        return new GrowthPlan(align(at, alignment), all, SuperblockDescriptor.LENGTH, capacity, startLength,
            Math.min(LEAST_SEGMENT, Math.max(PAGE, pageFloor(segment / LEAST_PART))), Math.max(LEAST_SEGMENT, segment),
            List.copyOf(shards));
    }

    /**
     * @param shardCount of the table.
     * @param devices    that need a directory each.
     * @return the least memory for so many shards, in bytes.
     */
    public static long leastMemory(final int shardCount, final int devices)
    {
        final long shard = pageCeiling(MAX_FIRST_LENGTH) + PAGE + MIN_HEAP_LENGTH + 2 * PAGE;
        long least = 0;
        for (long next = shardCount * shard + startLength(1, devices); next > least;
            next = shardCount * shard + startLength(capacity(least, shardCount), devices))
        {
            least = next;
        }
        return least;
    }

    private static long startLength(final int capacity, final int devices)
    {
        return SuperblockDescriptor.LENGTH + pageCeiling(devices * directoryLength(capacity));
    }

    private static int capacity(final long memory, final int shardCount)
    {
        final long segment =
            Math.min(LEAST_SEGMENT, Math.max(PAGE, pageFloor(memory / ((long)SEGMENTS_PER_SHARD * shardCount))));
        final long most = Math.min(
            2 * (memory / segment) + (4L + SHORT_STEPS) * shardCount + 1,
            (2L * SEGMENTS_PER_SHARD + 3 * GROWTH_STEPS) * shardCount);
        return (int)Math.min(most, SegmentDirectoryDescriptor.MAX_ENTRIES);
    }

    private static Shard shard(final long start, final long memory, final long alignment)
    {
        final IndexSize index = IndexSize.of(memory, FIRST_BUCKETS);
        final long buckets = pageCeiling(start);
        final long overflow = pageCeiling(buckets + index.bucketsLength());
        final long kept = HeapLayout.keptLength(memory);
        final long records = align(align(overflow + index.overflowLength(), alignment) + kept, alignment);
        final long heap = records - kept;
        return new Shard(
            new ShardLayout(
                buckets, index.firstBuckets(), index.levels(), overflow, index.overflowCount(), heap, memory),
            new Part(buckets, index.bucketsLength()),
            new Part(overflow, index.overflowLength()),
            new Part(heap, kept),
            new Part(records, memory - kept));
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
     * Divides the memory that is to be there from the start evenly among the shards. Heaps get half of all memory at
     * most: the index of the shortest records needs as much as these.
     *
     * @param initial bytes of the table that are to be there from the start.
     * @return bytes of each shard's heap, its reserve included.
     */
    public long initialHeap(final long initial)
    {
        final long index = pageCeiling(MAX_FIRST_LENGTH) + minSegment;
        final long part = (memory - startLength) / shards.size();
        final long most = Math.max(part / 2, Math.min(part - index, MIN_HEAP_LENGTH));
        final long wanted = (Math.min(initial, memory) - startLength) / shards.size() - index;
        return pageFloor(Math.max(Math.min(most, MIN_HEAP_LENGTH), Math.min(wanted, most)));
    }

    /**
     * @param heap bytes of a shard's heap.
     * @return bytes of them for the reserve.
     */
    public long initialReserve(final long heap)
    {
        return HeapLayout.keptLength(memory, heap);
    }

    /**
     * @param held    bytes that a part has.
     * @param left    bytes that all parts like it may still get together.
     * @param isIndex whether it belongs to an index.
     * @return bytes of its next segment, in whole pages.
     */
    public long segment(final long held, final long left, final boolean isIndex)
    {
        final long step = Math.min(Math.max(pageFloor(held / GROWTH_PART), minSegment), maxSegment);
        final long least = Math.max(pageFloor(maxSegment / LAST_PART), Math.min(minSegment, 2 * PAGE));
        return Math.min(step, Math.max(pageFloor(share(left, isIndex)), least));
    }

    /**
     * @param held    bytes that a part has.
     * @param left    bytes that all parts like it may still get together.
     * @param isIndex whether it belongs to an index.
     * @return bytes that it should have free: more are prepared before they are used up.
     */
    public long ahead(final long held, final long left, final boolean isIndex)
    {
        return Math.min(
            Math.min(Math.max(held / AHEAD_PART, minSegment / 2), maxSegment / 2), share(left, isIndex));
    }

    /**
     * @return bytes of segments that each shard may have where the memory is divided among them.
     */
    public long memoryShare()
    {
        return pageFloor((memory - startLength) / shards.size());
    }

    private long share(final long left, final boolean isIndex)
    {
        return left / ((long)(isIndex ? LEFT_PART_OF_INDEX : LEFT_PART) * shards.size());
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
