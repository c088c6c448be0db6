package org.onesided.protocol.table;

import static org.onesided.protocol.table.SuperblockDescriptor.*;

import org.agrona.UnsafeApi;

/**
 * Where a shard's parts are, in table offsets, and which bucket a key's chain begins with.
 *
 * <p>The index has arrays of buckets, each twice as long as the one before it. They have fixed places, one behind the
 * other, and their buckets are counted through all of them:
 *
 * <pre>
 *  level:        0              1                             2
 *         +-------------+----------------------------+--------------------------------
 *  index: | 0 ... F - 1 | F ... 3F - 1               | 3F ... 7F - 1          ...        F = firstBuckets
 *         +-------------+----------------------------+--------------------------------
 *
 *  bucket i splits into the buckets 2i + F and 2i + F + 1 of the next level
 * </pre>
 *
 * <p>Buckets are split in their order, so those in use are always neighbours: the unsplit ones of a level, and behind
 * them the ones that the others of the level were split into. The range of an array never holds anything else.
 *
 * @param buckets       where its buckets begin, aligned to a bucket.
 * @param firstBuckets  how many the array of level 0 has, at least 1.
 * @param levels        how many arrays there may be, 1 to {@link #MAX_LEVELS}; all their buckets together are less than
 *                      2<sup>48</sup>.
 * @param overflow      where its overflow buckets begin, aligned to a bucket.
 * @param overflowCount how many there may be, to 2<sup>32</sup> - 2.
 * @param heap          where its record heap begins, aligned to a granule.
 * @param heapLength    of its record heap in bytes, a multiple of a granule; there may be memory for its start only.
 */
public record ShardLayout(
    long buckets,
    int firstBuckets,
    int levels,
    long overflow,
    long overflowCount,
    long heap,
    long heapLength)
{
    /** Most arrays of buckets. */
    public static final int MAX_LEVELS = 32;

    /** Overflow bucket numbers plus one fit into 32 bits. */
    private static final long MAX_OVERFLOW = 0xFFFF_FFFEL;
    /** The hash tells no more buckets apart. */
    private static final long MAX_BUCKETS = 1L << 48;

    /**
     * @return how many buckets all arrays have.
     */
    public long bucketCount()
    {
        return firstIndex(levels);
    }

    /**
     * @param level 0 to {@link #levels}.
     * @return index of the first bucket of the level's array.
     */
    public long firstIndex(final int level)
    {
        return ((long)firstBuckets << level) - firstBuckets;
    }

    /**
     * @param index of a bucket.
     * @return level of its array.
     */
    public int level(final long index)
    {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(index / firstBuckets + 1);
    }

    /**
     * Where a key's chain begins. Doubling the number of buckets splits each in two (Lemire, "Fast random integer
     * generation in an interval", 2019), so the bucket of the next level tells that of the level before.
     *
     * @param hash  of the key.
     * @param point how far splitting has come; {@link #isReachable}.
     * @return index of the bucket.
     */
    public long bucket(final long hash, final long point)
    {
        final long count = (long)firstBuckets << SplitPoint.level(point);
        final long child = 2 * count - firstBuckets + KeyHash.bucket(hash, 2 * count);
        final long parent = parent(child);
        // Without a branch, which nothing could predict.
        final long isSplit = parent - (count - firstBuckets + SplitPoint.split(point)) >> Long.SIZE - 1;
        return parent + (child - parent & isSplit);
    }

    /**
     * @param index of a bucket of level 1 or higher.
     * @return index of the bucket that is split into this one and another; negative for a bucket of level 0.
     */
    public long parent(final long index)
    {
        return index - firstBuckets >> 1;
    }

    /**
     * @param index of a bucket.
     * @return index of the first of the two buckets that it is split into.
     */
    public long child(final long index)
    {
        return 2 * index + firstBuckets;
    }

    /**
     * @param point how far splitting has come.
     * @return index of the first bucket that is not split. {@link #child} of it is the end of the buckets in use.
     */
    public long firstInUse(final long point)
    {
        return firstIndex(SplitPoint.level(point)) + SplitPoint.split(point);
    }

    /**
     * @param index of a bucket that is split.
     * @return the least split point of which that is true.
     */
    public long pointBehind(final long index)
    {
        final int level = level(index + 1);
        return SplitPoint.of(level, index + 1 - firstIndex(level));
    }

    /**
     * @param point of which it is not known who wrote it.
     * @return whether splitting can come so far.
     */
    public boolean isReachable(final long point)
    {
        final int level = SplitPoint.level(point);
        final long split = SplitPoint.split(point);
        return level < levels && split < (long)firstBuckets << level && (split == 0 || level + 1 < levels);
    }

    /**
     * @param index of a bucket of the shard.
     * @return its table offset.
     */
    public long bucketOffset(final long index)
    {
        return buckets + index * BucketDescriptor.LENGTH;
    }

    /**
     * @param number of an overflow bucket of the shard.
     * @return its table offset.
     */
    public long overflowOffset(final long number)
    {
        return overflow + number * BucketDescriptor.LENGTH;
    }

    /**
     * @param slotWord of a record of the shard.
     * @return table offset of the record.
     */
    public long recordOffset(final long slotWord)
    {
        return heap + SlotWord.heapOffset(slotWord);
    }

    /**
     * The inverse of {@link #recordOffset}.
     *
     * @param fingerprint of the record's key, 16 bits.
     * @param length      of the record in bytes.
     * @param tableOffset of the record.
     * @return the slot word.
     */
    public long slotWord(final int fingerprint, final long length, final long tableOffset)
    {
        return SlotWord.of(fingerprint, length, tableOffset - heap);
    }

    /**
     * @param tableOffset where a record is said to be.
     * @param length      in bytes.
     * @return whether it lies inside the heap.
     */
    public boolean heapContains(final long tableOffset, final long length)
    {
        return length >= 0 && length <= heapLength && tableOffset >= heap && tableOffset - heap <= heapLength - length;
    }

    void write(final long address)
    {
        UnsafeApi.putLong(address + BUCKETS_OFFSET, buckets);
        UnsafeApi.putInt(address + FIRST_BUCKETS_OFFSET, firstBuckets);
        UnsafeApi.putInt(address + LEVELS_OFFSET, levels);
        UnsafeApi.putLong(address + OVERFLOW_OFFSET, overflow);
        UnsafeApi.putLong(address + OVERFLOW_COUNT_OFFSET, overflowCount);
        UnsafeApi.putLong(address + HEAP_OFFSET, heap);
        UnsafeApi.putLong(address + HEAP_LENGTH_OFFSET, heapLength);
    }

    static ShardLayout read(final long address, final long regionLength)
    {
        final ShardLayout layout = new ShardLayout(
            UnsafeApi.getLong(address + BUCKETS_OFFSET),
            UnsafeApi.getInt(address + FIRST_BUCKETS_OFFSET),
            UnsafeApi.getInt(address + LEVELS_OFFSET),
            UnsafeApi.getLong(address + OVERFLOW_OFFSET),
            UnsafeApi.getLong(address + OVERFLOW_COUNT_OFFSET),
            UnsafeApi.getLong(address + HEAP_OFFSET),
            UnsafeApi.getLong(address + HEAP_LENGTH_OFFSET));
        if (!layout.fitsInto(regionLength))
        {
            throw new IllegalArgumentException("shard lies outside the region: " + layout + " length=" + regionLength);
        }
        return layout;
    }

    private boolean fitsInto(final long regionLength)
    {
        return firstBuckets >= 1 && levels >= 1 && levels <= MAX_LEVELS &&
            firstBuckets <= MAX_BUCKETS >> levels && overflowCount >= 0 && overflowCount <= MAX_OVERFLOW &&
            isInside(buckets, bucketCount() * BucketDescriptor.LENGTH, BucketDescriptor.LENGTH, regionLength) &&
            isInside(overflow, overflowCount * BucketDescriptor.LENGTH, BucketDescriptor.LENGTH, regionLength) &&
            isInside(heap, heapLength, SlotWord.GRANULE, regionLength);
    }

    private static boolean isInside(final long offset, final long length, final int alignment, final long regionLength)
    {
        return offset >= SuperblockDescriptor.LENGTH && length >= 0 && length <= regionLength &&
            offset <= regionLength - length && offset % alignment == 0 && length % alignment == 0;
    }
}
