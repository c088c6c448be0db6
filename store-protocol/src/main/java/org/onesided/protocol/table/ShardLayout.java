package org.onesided.protocol.table;

import static org.onesided.protocol.table.SuperblockDescriptor.*;

import org.agrona.UnsafeApi;

/**
 * Where a shard's parts are, in table offsets.
 *
 * @param buckets       where its buckets begin, aligned to a bucket.
 * @param bucketCount   how many, from 1 to 2<sup>32</sup> - 2.
 * @param overflow      where its overflow buckets begin, aligned to a bucket.
 * @param overflowCount how many, to 2<sup>32</sup> - 2.
 * @param heap          where its record heap begins, aligned to a granule.
 * @param heapLength    of its record heap in bytes, a multiple of a granule; there may be memory for its start only.
 */
public record ShardLayout(
    long buckets,
    long bucketCount,
    long overflow,
    long overflowCount,
    long heap,
    long heapLength)
{
    /** Bucket numbers plus one fit into 32 bits. */
    private static final long MAX_BUCKETS = 0xFFFF_FFFEL;

    /**
     * @param number of a bucket of the shard.
     * @return its table offset.
     */
    public long bucketOffset(final long number)
    {
        return buckets + number * BucketDescriptor.LENGTH;
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
        UnsafeApi.putLong(address + BUCKET_COUNT_OFFSET, bucketCount);
        UnsafeApi.putLong(address + OVERFLOW_OFFSET, overflow);
        UnsafeApi.putLong(address + OVERFLOW_COUNT_OFFSET, overflowCount);
        UnsafeApi.putLong(address + HEAP_OFFSET, heap);
        UnsafeApi.putLong(address + HEAP_LENGTH_OFFSET, heapLength);
    }

    static ShardLayout read(final long address, final long regionLength)
    {
        final ShardLayout layout = new ShardLayout(
            UnsafeApi.getLong(address + BUCKETS_OFFSET),
            UnsafeApi.getLong(address + BUCKET_COUNT_OFFSET),
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
        return bucketCount >= 1 && bucketCount <= MAX_BUCKETS && overflowCount >= 0 && overflowCount <= MAX_BUCKETS &&
            isInside(buckets, bucketCount * BucketDescriptor.LENGTH, BucketDescriptor.LENGTH, regionLength) &&
            isInside(overflow, overflowCount * BucketDescriptor.LENGTH, BucketDescriptor.LENGTH, regionLength) &&
            isInside(heap, heapLength, SlotWord.GRANULE, regionLength);
    }

    private static boolean isInside(final long offset, final long length, final int alignment, final long regionLength)
    {
        return offset >= SuperblockDescriptor.LENGTH && length >= 0 && length <= regionLength &&
            offset <= regionLength - length && offset % alignment == 0 && length % alignment == 0;
    }
}
