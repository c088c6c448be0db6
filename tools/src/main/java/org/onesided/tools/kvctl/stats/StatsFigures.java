package org.onesided.tools.kvctl.stats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.onesided.client.ClientStatistics;
import org.onesided.client.ServerInfo;
import org.onesided.client.ShardStatistics;
import org.onesided.tools.kvctl.console.Figures;

/**
 * A server's counters for programs.
 */
final class StatsFigures
{
    private StatsFigures()
    {
    }

    static Figures of(
        final ServerInfo server, final List<ShardStatistics> shards, final ClientStatistics reported)
    {
        final Figures all = new Figures()
            .add("server", server.address())
            .add("device", server.device())
            .add("region_bytes", server.regionLength())
            .add("huge_pages", server.hugePages())
            .add("shards", server.shards());
        final Figures total = all.group("total");
        addSum(total, "records", shards, ShardStatistics::records);
        addSum(total, "buckets", shards, ShardStatistics::buckets);
        addSum(total, "overflow_buckets", shards, ShardStatistics::overflowBuckets);
        addSum(total, "overflow_buckets_in_use", shards, ShardStatistics::overflowBucketsUsed);
        addSum(total, "heap_bytes", shards, ShardStatistics::heapBytes);
        addSum(total, "heap_bytes_in_use", shards, ShardStatistics::heapBytesUsed);
        addSum(total, "puts", shards, ShardStatistics::puts);
        addSum(total, "puts_in_place", shards, ShardStatistics::putsInPlace);
        addSum(total, "deletes", shards, ShardStatistics::deletes);
        addSum(total, "gets_by_request", shards, ShardStatistics::gets);
        addSum(total, "bytes_pulled", shards, ShardStatistics::bytesPulled);
        addSum(total, "refused", shards, ShardStatistics::refused);
        // A session is connected to every shard, so its number is that of any shard and not their sum.
        total.add("sessions", shards.stream().mapToLong(ShardStatistics::sessions).max().orElse(0));
        addSessions(total, sessionsByDevice(shards));
        if (shards.size() > 1)
        {
            final Figures each = all.group("shard");
            shards.forEach(shard -> addShard(each.group(Integer.toString(shard.shard())), shard));
        }
        all.group("clients")
            .add("gets", reported.gets())
            .add("misses", reported.misses())
            .add("gets_by_request", reported.rpcGets())
            .add("reads", reported.reads())
            .add("reads_done_again", reported.retries())
            .add("reads_per_get", reported.readsPerGet())
            .add("bytes_read", reported.bytesRead())
            .add("puts", reported.puts())
            .add("deletes", reported.deletes());
        return all;
    }

    /** By device, of any shard: the same session is at each. */
    static Map<String, Long> sessionsByDevice(final List<ShardStatistics> shards)
    {
        final Map<String, Long> most = new LinkedHashMap<>();
        shards.forEach((shard) ->
            shard.deviceSessions().forEach((device, sessions) -> most.merge(device, sessions, Math::max)));
        return most;
    }

    private static void addSessions(final Figures figures, final Map<String, Long> byDevice)
    {
        final Figures group = figures.group("sessions_by_device");
        byDevice.forEach(group::add);
    }

    private static void addShard(final Figures figures, final ShardStatistics shard)
    {
        figures
            .add("records", shard.records())
            .add("buckets", shard.buckets())
            .add("overflow_buckets", shard.overflowBuckets())
            .add("overflow_buckets_in_use", shard.overflowBucketsUsed())
            .add("heap_bytes", shard.heapBytes())
            .add("heap_bytes_in_use", shard.heapBytesUsed())
            .add("puts", shard.puts())
            .add("puts_in_place", shard.putsInPlace())
            .add("deletes", shard.deletes())
            .add("gets_by_request", shard.gets())
            .add("bytes_pulled", shard.bytesPulled())
            .add("refused", shard.refused())
            .add("sessions", shard.sessions());
        addSessions(figures, shard.deviceSessions());
    }

    private static void addSum(
        final Figures figures,
        final String name,
        final List<ShardStatistics> shards,
        final ToLongFunction<ShardStatistics> counter)
    {
        figures.add(name, shards.stream().mapToLong(counter).sum());
    }
}
