package org.onesided.tools.kvctl.storage;

import java.time.Instant;
import java.util.HexFormat;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onesided.server.ServerException;
import org.onesided.server.StoredTable;
import org.onesided.server.data.ClusterDescription;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.text.Amounts;

/**
 * Reads and shows what a data directory holds.
 */
final class StoredTables
{
    private StoredTables()
    {
    }

    static StoredTable read(final Supplier<StoredTable> reader)
    {
        try
        {
            return reader.get();
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, e.getMessage(), e);
        }
    }

    /** For programs. */
    static Figures figures(final StoredTable table)
    {
        final Figures all = new Figures()
            .add("path", table.path().toString())
            .add("table_id", HexFormat.of().toHexDigits(table.tableId()))
            .add("server_life", HexFormat.of().toHexDigits(table.serverLife()))
            .add("shards", table.shards().size());
        if (table.cluster() != null)
        {
            all.add("member", table.cluster().self())
                .add("removed", table.cluster().isRemoved())
                .add("replicas", table.cluster().replicas())
                .add("lease_ms", table.cluster().leaseMs())
                .list("members", table.cluster().members().stream().map((member) -> new Figures()
                    .add("number", member.number())
                    .add("address", member.address())
                    .add("peer_address", member.peerAddress())).toList());
        }
        final Figures shards = all.group("shard");
        table.shards().forEach((shard) ->
        {
            final Figures one = shards.group(Integer.toString(shard.number()))
                .add("holds_data", holdsData(shard))
                .add("log_first_index", shard.firstIndex())
                .add("log_last_index", shard.lastIndex())
                .add("log_bytes", shard.logBytes())
                .add("log_repairs", shard.findings().size());
            if (shard.problem() != null)
            {
                one.add("problem", shard.problem());
            }
            one.list("snapshots", shard.snapshots().stream().map(StoredTables::figures).toList());
        });
        return all;
    }

    private static Figures figures(final StoredTable.StoredSnapshot snapshot)
    {
        final Figures figures = new Figures().add("file", snapshot.file().toString());
        return snapshot.problem() != null ? figures.add("problem", snapshot.problem()) : figures
            .add("index", snapshot.index())
            .add("bytes", snapshot.bytes())
            .add("records", snapshot.records())
            .add("created", Instant.ofEpochMilli(snapshot.createdMs()).toString());
    }

    /** For people. */
    static String text(final StoredTable table)
    {
        final StringBuilder text = new StringBuilder();
        text.append("path    ").append(table.path()).append('\n');
        text.append("table   ").append(HexFormat.of().toHexDigits(table.tableId())).append('\n');
        text.append("shards  ").append(table.shards().size()).append('\n');
        if (table.cluster() != null)
        {
            append(text, table.cluster());
            if (table.cluster().isSpread())
            {
                text.append("holds   ").append(table.shards().stream().filter(StoredTables::holdsData)
                    .map((shard) -> String.valueOf(shard.number())).collect(Collectors.joining(","))).append('\n');
            }
        }
        table.shards().forEach((shard) -> append(text, shard));
        return text.toString();
    }

    private static void append(final StringBuilder text, final ClusterDescription cluster)
    {
        text.append("member  ").append(cluster.self()).append(cluster.isRemoved() ? ", removed, of " : " of ")
            .append(cluster.members().size())
            .append(cluster.isSpread() ? ", " + Amounts.count(cluster.replicas(), "replica") + " each" : "")
            .append(", lease ").append(cluster.leaseMs()).append("ms\n");
        cluster.members().forEach((member) -> text.append("  ").append(member.number()).append("     ")
            .append(member.address()).append(" peers ").append(member.peerAddress()).append('\n'));
    }

    private static void append(final StringBuilder text, final StoredTable.StoredShard shard)
    {
        text.append("\nshard ").append(shard.number()).append('\n');
        if (shard.snapshots().isEmpty())
        {
            text.append("  snapshot  none\n");
        }
        shard.snapshots().forEach((snapshot) -> text.append("  snapshot  ").append(snapshot.problem() != null ?
            snapshot.problem() : Amounts.count(snapshot.records(), "record") + ", " + Amounts.size(snapshot.bytes()) +
                ", up to entry " + snapshot.index() + ", " + Instant.ofEpochMilli(snapshot.createdMs())).append('\n'));
        text.append("  log       ").append(shard.problem() != null ? shard.problem() : shard.firstIndex() < 0 ?
            "empty" : "entries " + shard.firstIndex() + " to " + shard.lastIndex() + ", " +
                Amounts.size(shard.logBytes())).append('\n');
        shard.findings().forEach((finding) -> text.append("    the next start repairs: ").append(finding).append('\n'));
    }

    /** Whether there is anything of a partition. */
    private static boolean holdsData(final StoredTable.StoredShard shard)
    {
        return shard.problem() != null || shard.firstIndex() >= 0 || !shard.snapshots().isEmpty();
    }

    /** Why a start is refused, or may lack something; null if all is well. */
    static String firstProblem(final StoredTable table)
    {
        for (final StoredTable.StoredShard shard : table.shards())
        {
            if (shard.problem() != null)
            {
                return shard.problem();
            }
            for (final StoredTable.StoredSnapshot snapshot : shard.snapshots())
            {
                if (snapshot.problem() != null)
                {
                    return snapshot.problem();
                }
            }
        }
        return null;
    }
}
