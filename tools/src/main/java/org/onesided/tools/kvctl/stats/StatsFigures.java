package org.onesided.tools.kvctl.stats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.ShardStorage;
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
            .add("shards", server.shards())
            .add("evict", server.eviction())
            .add("default_ttl_ms", server.defaultTtlMs())
            .add("on_disk", shards.stream().allMatch((shard) -> shard.storage() != null));
        final Figures total = all.group("total");
        ShardCounter.ALL.forEach(counter -> total.add(counter.name(), counter.sum(shards)));
        // A session is connected to every shard, so the number of sessions is that of any shard, not the sum.
        total.add("sessions", shards.stream().mapToLong(ShardStatistics::sessions).max().orElse(0));
        addSessions(total, sessionsByDevice(shards));
        if (shards.size() > 1 || shards.get(0).storage() != null)
        {
            final Figures each = all.group("shard");
            shards.forEach(shard -> addShard(each.group(Integer.toString(shard.shard())), shard));
        }
        final Figures clients = all.group("clients");
        clients
            .add("gets", reported.gets())
            .add("misses", reported.misses())
            .add("gets_by_request", reported.rpcGets())
            .add("reads", reported.reads())
            .add("reads_done_again", reported.retries())
            .add("reads_per_get", reported.readsPerGet())
            .add("bytes_read", reported.bytesRead())
            .add("puts", reported.puts())
            .add("deletes", reported.deletes());
        final HitRatios ratios = HitRatios.of(shards, reported);
        ratios.now().ifPresent((ratio) -> clients.add("hit_ratio", ratio));
        ratios.withHalf().ifPresent((ratio) -> clients.add("hit_ratio_with_half_memory", ratio));
        ratios.withDouble().ifPresent((ratio) -> clients.add("hit_ratio_with_double_memory", ratio));
        return all;
    }

    /** Sessions by device, from one shard: every session is connected to each shard. */
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
        ShardCounter.ALL.forEach(counter -> figures.add(counter.name(), counter.value().applyAsLong(shard)));
        figures.add("sessions", shard.sessions());
        addSessions(figures, shard.deviceSessions());
        addStorage(figures, shard.storage());
    }

    private static void addStorage(final Figures figures, final ShardStorage storage)
    {
        if (storage != null)
        {
            figures.group("storage")
                .add("takes_writes", storage.takesWrites())
                .add("applied_index", storage.appliedIndex())
                .add("log_bytes", storage.logBytes())
                .add("snapshot_index", storage.snapshotIndex())
                .add("snapshot_bytes", storage.snapshotBytes())
                .add("snapshot_age_ms", storage.snapshotAgeMs())
                .add("snapshot_percent", storage.snapshotPercent())
                .add("snapshot_failures", storage.snapshotFailures());
        }
    }
}
