package org.onesided.tools.kvctl.stats;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.onesided.client.types.ShardStatistics;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.tools.text.Amounts;

/**
 * A counter of each shard, with a sum over all shards: its name for programs, and its label and form for people.
 *
 * @param name  of the figure.
 * @param label in the table.
 * @param form  in the table.
 * @param value at a shard.
 */
record ShardCounter(String name, String label, LongFunction<String> form, ToLongFunction<ShardStatistics> value)
{
    /** In display order. */
    static final List<ShardCounter> ALL = List.of(
        count("records", "records", ShardStatistics::records),
        count("records_expiring", "  with a time", ShardStatistics::expiring),
        count("buckets", "buckets", ShardStatistics::buckets),
        count("overflow_buckets", "overflow buckets", ShardStatistics::overflowBuckets),
        count("overflow_buckets_in_use", "  in use", ShardStatistics::overflowBucketsUsed),
        size("index_bytes", "index in use", ShardCounter::indexBytes),
        size("index_bytes_retired", "  retired", ShardStatistics::retiredBytes),
        size("index_bytes_released", "  released", ShardStatistics::releasedBytes),
        count("segments", "segments", ShardStatistics::segments),
        size("heap_bytes", "heap", ShardStatistics::heapBytes),
        size("heap_bytes_in_use", "  in use", ShardStatistics::heapBytesUsed),
        size("heap_bytes_released", "  released", ShardStatistics::heapReleasedBytes),
        count("puts", "puts", ShardStatistics::puts),
        count("puts_in_place", "  in place", ShardStatistics::putsInPlace),
        count("deletes", "deletes", ShardStatistics::deletes),
        count("expired", "expired", ShardStatistics::expired),
        count("gets_by_request", "gets by request", ShardStatistics::gets),
        size("bytes_pulled", "bytes pulled", ShardStatistics::bytesPulled),
        count("refused", "refused", ShardStatistics::refused),
        count("records_moved", "records moved", ShardStatistics::recordsMoved),
        count("puts_waiting_for_room", "  puts that wait", ShardStatistics::waitingForRoom),
        count("evicted_for_heap", "evicted for heap", ShardStatistics::evictedForHeap),
        count("evicted_for_index", "  for index", ShardStatistics::evictedForIndex),
        size("bytes_evicted", "  bytes", ShardStatistics::evictedBytes));

    private static long indexBytes(final ShardStatistics shard)
    {
        return (shard.buckets() + shard.overflowBucketsUsed()) * BucketDescriptor.LENGTH;
    }

    private static ShardCounter count(
        final String name, final String label, final ToLongFunction<ShardStatistics> value)
    {
        return new ShardCounter(name, label, Amounts::count, value);
    }

    private static ShardCounter size(
        final String name, final String label, final ToLongFunction<ShardStatistics> value)
    {
        return new ShardCounter(name, label, Amounts::size, value);
    }

    long sum(final List<ShardStatistics> shards)
    {
        return shards.stream().mapToLong(value).sum();
    }
}
