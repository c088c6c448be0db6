package org.onesided.client.types;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one shard of the server.
 *
 * @param shard               from 0.
 * @param records             live records.
 * @param buckets             buckets in use, without overflow buckets.
 * @param overflowBuckets     overflow buckets that were ever in use.
 * @param overflowBucketsUsed overflow buckets in use now.
 * @param segments            segments of memory, of index and heap together.
 * @param retiredBytes        bytes of split buckets that stay until no client READs them any more.
 * @param releasedBytes       bytes of split buckets that were given back, since the start.
 * @param heapReleasedBytes   bytes of the heap that were given back, since the start.
 * @param heapBytes           bytes of the record heap that are there.
 * @param heapBytesUsed       bytes of it in use.
 * @param puts                puts, increments and appends done since the start.
 * @param putsInPlace         those among them that overwrote their record in place.
 * @param deletes             deletes done since the start.
 * @param gets                lookups that came by request, not by READ.
 * @param bytesPulled         bytes of large values that the shard pulled from clients.
 * @param refused             requests that were not carried out, but for writes whose condition did not hold.
 * @param recordsMoved        records moved to make room, since the start.
 * @param waitingForRoom      puts that wait for room in the heap now.
 * @param expiring            live records that have a time.
 * @param expired             records removed since the start, as their time had come.
 * @param evictedForHeap      records that left to make room in the heap, since the start.
 * @param evictedForIndex     records that left to make room in the index, since the start.
 * @param evictedBytes        bytes of such records.
 * @param hitsHalf            estimate of lookups that would have found their key with half of the memory.
 * @param hitsSame            the same with the memory that there is, to compare with; 0 if nothing is estimated.
 * @param hitsDouble          the same with twice the memory.
 * @param hitsOf              of how many lookups these are, estimated.
 * @param sessions            sessions connected to the shard now.
 * @param deviceSessions      the same by kind of the server's devices, such as {@code ibv}; all that it offers.
 * @param storage             how the shard stands on the server's disk; null if it is in memory only.
 */
public record ShardStatistics(
    int shard,
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
    long gets,
    long bytesPulled,
    long refused,
    long recordsMoved,
    long waitingForRoom,
    long expiring,
    long expired,
    long evictedForHeap,
    long evictedForIndex,
    long evictedBytes,
    long hitsHalf,
    long hitsSame,
    long hitsDouble,
    long hitsOf,
    long sessions,
    Map<String, Long> deviceSessions,
    @Nullable ShardStorage storage)
{
}
