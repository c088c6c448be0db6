package org.onesided.server.table;

/**
 * A shard's counters at one moment.
 *
 * @param records             live ones.
 * @param buckets             in use, without overflow buckets and those that were split.
 * @param overflowBuckets     that were ever in use.
 * @param overflowBucketsUsed of them, now.
 * @param segments            of memory, of index and heap together.
 * @param retiredBytes        of split buckets, which stay until no client READs them any more.
 * @param releasedBytes       of split buckets, which were given back.
 * @param heapReleasedBytes   of the heap that were given back since the start.
 * @param heapBytes           of the record heap that are there.
 * @param heapBytesUsed       of it: records, extents lent out, what is not yet zeroed, and what the writer keeps for
 *                            itself.
 * @param puts                done since the start.
 * @param putsInPlace         of them.
 * @param deletes             done since the start; of keys that were there.
 * @param recordsMoved        to make room, since the start.
 * @param bytesMoved          of such records, since the start.
 * @param expiring            live records that have a time.
 * @param expired             records removed since the start, as their time had come.
 * @param expiryBytes         that the times take outside the region.
 * @param evictedForHeap      records that left to make room in the heap, since the start.
 * @param evictedForIndex     records that left to make room in the index, since the start.
 * @param evictedBytes        of both, since the start.
 * @param hitsHalf            lookups that would have found their key with half of the memory, estimated.
 * @param hitsSame            the same with the memory that there is, to compare with.
 * @param hitsDouble          the same with twice the memory.
 * @param hitsOf              of how many lookups these are, estimated.
 */
public record TableStatistics(
    long records,
    long buckets,
    long overflowBuckets,
    long overflowBucketsUsed,
    long segments,
    long retiredBytes,
    long releasedBytes,
    long heapReleasedBytes,
    long heapBytes,
    long heapBytesUsed,
    long puts,
    long putsInPlace,
    long deletes,
    long recordsMoved,
    long bytesMoved,
    long expiring,
    long expired,
    long expiryBytes,
    long evictedForHeap,
    long evictedForIndex,
    long evictedBytes,
    long hitsHalf,
    long hitsSame,
    long hitsDouble,
    long hitsOf)
{
}
