package org.onesided.tools.kvctl.stats;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.text.Amounts;

/**
 * Rates between two samples of a server's counters.
 *
 * @param seconds  between the samples; more than 0.
 * @param gets     lookups per second, as clients report them.
 * @param misses   lookups per second that found no key.
 * @param reads    READs per second, as clients report them.
 * @param bytes    bytes READ per second.
 * @param perGet   READs per lookup, 0 if there was no lookup.
 * @param puts     puts per second.
 * @param deletes  deletes per second.
 * @param refused  requests per second that were refused.
 * @param expired  keys per second whose time had come.
 * @param evicted  records per second that left full memory.
 * @param records  at the end.
 * @param heapUsed bytes in use at the end.
 * @param heap     size in bytes.
 * @param sessions at the end.
 */
record StatsRates(
    double seconds,
    double gets,
    double misses,
    double reads,
    double bytes,
    double perGet,
    double puts,
    double deletes,
    double refused,
    double expired,
    double evicted,
    long records,
    long heapUsed,
    long heap,
    long sessions)
{
    private static final String LINE = "%10s %10s %9s %9s %10s %10s %9s %9s %9s %12s %9s %8s";

    /** A sample of the counters. */
    record Look(long atNs, List<ShardStatistics> shards, ClientStatistics clients)
    {
        long sum(final ToLongFunction<ShardStatistics> counter)
        {
            return shards.stream().mapToLong(counter).sum();
        }
    }

    static StatsRates between(final Look before, final Look after)
    {
        final double seconds = Math.max(1, after.atNs() - before.atNs()) / 1e9;
        // The counters of a restarted server begin at 0.
        final long gets = grown(before.clients().gets(), after.clients().gets());
        final long reads = grown(before.clients().reads(), after.clients().reads());
        return new StatsRates(
            seconds,
            gets / seconds,
            grown(before.clients().misses(), after.clients().misses()) / seconds,
            reads / seconds,
            grown(before.clients().bytesRead(), after.clients().bytesRead()) / seconds,
            gets == 0 ? 0 : (double)reads / gets,
            grown(before.sum(ShardStatistics::puts), after.sum(ShardStatistics::puts)) / seconds,
            grown(before.sum(ShardStatistics::deletes), after.sum(ShardStatistics::deletes)) / seconds,
            grown(before.sum(ShardStatistics::refused), after.sum(ShardStatistics::refused)) / seconds,
            grown(before.sum(ShardStatistics::expired), after.sum(ShardStatistics::expired)) / seconds,
            grown(before.sum(StatsRates::evicted), after.sum(StatsRates::evicted)) / seconds,
            after.sum(ShardStatistics::records),
            after.sum(ShardStatistics::heapBytesUsed),
            after.sum(ShardStatistics::heapBytes),
            after.shards().stream().mapToLong(ShardStatistics::sessions).max().orElse(0));
    }

    private static long evicted(final ShardStatistics shard)
    {
        return shard.evictedForHeap() + shard.evictedForIndex();
    }

    private static long grown(final long before, final long after)
    {
        return after < before ? after : after - before;
    }

    /** Names of the columns of {@link #line}. */
    static String head()
    {
        return String.format(Locale.ROOT, LINE,
            "gets/s", "misses/s", "READs/s", "READs/GET", "READ/s", "puts/s", "deletes/s", "expired/s", "evicted/s",
            "records", "heap used", "sessions");
    }

    /** All rates in one line. */
    String line()
    {
        return String.format(Locale.ROOT, LINE,
            rate(gets), rate(misses), rate(reads), ratio(), Amounts.size((long)bytes), rate(puts), rate(deletes),
            rate(expired), rate(evicted), Amounts.count(records), heapPart(), Amounts.count(sessions));
    }

    /** One line per rate. */
    List<String> lines()
    {
        return List.of(
            row("gets/s", rate(gets)),
            row("  misses/s", rate(misses)),
            row("READs/s", rate(reads)),
            row("  per GET", ratio()),
            row("  bytes/s", Amounts.size((long)bytes)),
            row("puts/s", rate(puts)),
            row("deletes/s", rate(deletes)),
            row("refused/s", rate(refused)),
            row("expired/s", rate(expired)),
            row("evicted/s", rate(evicted)),
            row("records", Amounts.count(records)),
            row("heap", Amounts.size(heap)),
            row("  in use", Amounts.size(heapUsed) + ", " + heapPart()),
            row("sessions", Amounts.count(sessions)));
    }

    Figures figures()
    {
        return new Figures()
            .add("seconds", seconds)
            .add("gets_per_second", gets)
            .add("misses_per_second", misses)
            .add("reads_per_second", reads)
            .add("bytes_read_per_second", bytes)
            .add("reads_per_get", perGet)
            .add("puts_per_second", puts)
            .add("deletes_per_second", deletes)
            .add("refused_per_second", refused)
            .add("expired_per_second", expired)
            .add("evicted_per_second", evicted)
            .add("records", records)
            .add("heap_bytes_in_use", heapUsed)
            .add("heap_bytes", heap)
            .add("sessions", sessions);
    }

    private static String row(final String name, final String value)
    {
        return String.format(Locale.ROOT, "%-12s %18s", name, value);
    }

    private String heapPart()
    {
        return String.format(Locale.ROOT, "%.1f %%", heap == 0 ? 0.0 : 100.0 * heapUsed / heap);
    }

    private String ratio()
    {
        return gets == 0 ? "-" : String.format(Locale.ROOT, "%.3f", perGet);
    }

    private static String rate(final double rate)
    {
        return rate > 0 && rate < 10 ? String.format(Locale.ROOT, "%.1f", rate) : Amounts.count(Math.round(rate));
    }
}
