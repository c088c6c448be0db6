package org.onesided.server.table;

/**
 * A shard's counters at one moment.
 *
 * @param records             live ones.
 * @param buckets             of the shard, without overflow buckets.
 * @param overflowBuckets     there are.
 * @param overflowBucketsUsed of them.
 * @param heapBytes           length of the record heap.
 * @param heapBytesUsed       of it: records, extents lent out, what is not yet zeroed, and what the writer keeps for
 *                            itself.
 * @param puts                done since the start.
 * @param putsInPlace         of them.
 * @param deletes             done since the start; of keys that were there.
 * @param recordsMoved        to make room, since the start.
 * @param bytesMoved          of such records, since the start.
 */
public record TableStatistics(
    long records,
    long buckets,
    long overflowBuckets,
    long overflowBucketsUsed,
    long heapBytes,
    long heapBytesUsed,
    long puts,
    long putsInPlace,
    long deletes,
    long recordsMoved,
    long bytesMoved)
{
}
