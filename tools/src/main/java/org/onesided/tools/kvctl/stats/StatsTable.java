package org.onesided.tools.kvctl.stats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ShardStatistics;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.settings.LifeTime;
import org.onesided.tools.text.Amounts;

/**
 * Lays out a server's counters: a line per counter, a column for the sum and one per shard.
 */
final class StatsTable
{
    /** Number of shards side by side; further shards stand below. */
    private static final int SHARDS_IN_A_ROW = 4;

    private final StringBuilder text = new StringBuilder();
    private final List<ShardStatistics> shards;
    private final boolean hasTotal;

    private StatsTable(final List<ShardStatistics> shards, final boolean hasTotal)
    {
        this.shards = shards;
        this.hasTotal = hasTotal;
    }

    static String text(final ServerInfo server, final List<ShardStatistics> shards)
    {
        final StringBuilder text = new StringBuilder();
        text.append("server      ").append(server.address()).append('\n');
        final String[] device = server.device().split(" ", 2);
        text.append("device      ").append(device[0]).append('\n');
        if (device.length > 1)
        {
            text.append("path        ").append(device[1]).append('\n');
        }
        text.append("memory      ").append(Amounts.size(server.regionLength())).append('\n');
        text.append("huge pages  ").append(Text.yesOrNo(server.hugePages())).append('\n');
        text.append("shards      ").append(server.shards()).append('\n');
        text.append("evict       ").append(server.eviction()).append('\n');
        text.append("default ttl ").append(server.defaultTtlMs() == 0 ? "never" :
            LifeTime.text(Duration.ofMillis(server.defaultTtlMs()))).append("\n\n");
        text.append(new StatsTable(shards, true).table()).append('\n');
        if (shards.size() > 1)
        {
            for (int i = 0; i < shards.size(); i += SHARDS_IN_A_ROW)
            {
                final List<ShardStatistics> row = shards.subList(i, Math.min(shards.size(), i + SHARDS_IN_A_ROW));
                text.append(new StatsTable(row, false).table()).append('\n');
            }
        }
        return text.toString();
    }

    /** The reports of all clients. */
    static String text(final List<ShardStatistics> shards, final ClientStatistics reported)
    {
        final StatsTable table = new StatsTable(List.of(), true);
        table.text.append("all clients, as they report\n");
        table.line("gets", List.of(Amounts.count(reported.gets())));
        table.line("  misses", List.of(Amounts.count(reported.misses())));
        table.line("  by request", List.of(Amounts.count(reported.rpcGets())));
        final HitRatios ratios = HitRatios.of(shards, reported);
        ratios.now().ifPresent((ratio) -> table.line("  hit ratio", List.of(ratio(ratio))));
        ratios.withHalf().ifPresent((ratio) -> table.line("  half memory", List.of(ratio(ratio))));
        ratios.withDouble().ifPresent((ratio) -> table.line("  double memory", List.of(ratio(ratio))));
        table.line("READs", List.of(Amounts.count(reported.reads())));
        table.line("  done again", List.of(Amounts.count(reported.retries())));
        table.line("READs per GET", List.of(String.format(Locale.ROOT, "%.3f", reported.readsPerGet())));
        table.line("bytes READ", List.of(Amounts.size(reported.bytesRead())));
        table.line("puts", List.of(Amounts.count(reported.puts())));
        table.line("deletes", List.of(Amounts.count(reported.deletes())));
        return table.text.append('\n').toString();
    }

    private static String ratio(final double value)
    {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private String table()
    {
        final List<String> heads = new ArrayList<>();
        if (hasTotal)
        {
            heads.add("total");
        }
        else
        {
            shards.forEach(shard -> heads.add("shard " + shard.shard()));
        }
        line("", heads);
        ShardCounter.ALL.forEach(counter -> line(
            counter.label(),
            cells(counter.value(), counter.form(), values -> OptionalLong.of(values.sum()))));
        if (shards.stream().allMatch((shard) -> shard.storage() != null))
        {
            storage();
        }
        // A session is connected to every shard, so the number of sessions is that of any shard, not the sum.
        line("sessions", cells(ShardStatistics::sessions, Amounts::count, LongStream::max));
        for (final String device : StatsFigures.sessionsByDevice(shards).keySet())
        {
            line("  " + device, cells(
                shard -> shard.deviceSessions().getOrDefault(device, 0L), Amounts::count, LongStream::max));
        }
        return text.toString();
    }

    private void storage()
    {
        final Function<LongStream, OptionalLong> sum = (values) -> OptionalLong.of(values.sum());
        line("log", cells((shard) -> shard.storage().logBytes(), Amounts::size, sum));
        line("  takes no writes", cells((shard) -> shard.storage().takesWrites() ? 0 : 1, Amounts::count, sum));
        line("snapshot", cells((shard) -> shard.storage().snapshotBytes(), Amounts::size, sum));
        line("  age", cells((shard) -> shard.storage().snapshotAgeMs(), StatsTable::age, LongStream::max));
        line("  being written", cells(
            (shard) -> shard.storage().snapshotPercent(), StatsTable::percent, LongStream::max));
        line("  failures", cells((shard) -> shard.storage().snapshotFailures(), Amounts::count, sum));
    }

    private static String age(final long ms)
    {
        return ms < 0 ? "none" : LifeTime.text(Duration.ofSeconds(ms / 1000));
    }

    private static String percent(final long value)
    {
        return value < 0 ? "no" : value + " %";
    }

    private List<String> cells(
        final ToLongFunction<ShardStatistics> counter,
        final LongFunction<String> form,
        final Function<LongStream, OptionalLong> total)
    {
        if (hasTotal)
        {
            return List.of(form.apply(total.apply(shards.stream().mapToLong(counter)).orElse(0)));
        }
        return shards.stream().map(shard -> form.apply(counter.applyAsLong(shard))).toList();
    }

    private void line(final String name, final List<String> cells)
    {
        text.append(String.format(Locale.ROOT, "%-17s", name));
        cells.forEach(cell -> text.append(String.format(Locale.ROOT, " %14s", cell)));
        text.append('\n');
    }
}
