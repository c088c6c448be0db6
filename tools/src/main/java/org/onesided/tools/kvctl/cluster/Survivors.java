package org.onesided.tools.kvctl.cluster;

import java.time.Instant;
import java.util.HexFormat;
import org.onesided.server.StoredMember;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.text.Amounts;

/**
 * Shows what a member has that does not run.
 */
final class Survivors
{
    private Survivors()
    {
    }

    /** For programs. */
    static Figures figures(final StoredMember member)
    {
        return new Figures()
            .add("path", member.path().toString())
            .add("table_id", HexFormat.of().toHexDigits(member.tableId()))
            .add("member", member.cluster().self())
            .add("members", member.cluster().members().size())
            .list("partitions", member.partitions().stream().map(Survivors::figures).toList());
    }

    private static Figures figures(final StoredMember.StoredPartition partition)
    {
        final Figures figures = new Figures()
            .add("partition", partition.number())
            .add("last_index", partition.lastIndex())
            .add("last_term", partition.lastTerm())
            .add("snapshot_index", partition.snapshotIndex())
            .add("snapshot_records", partition.snapshotRecords())
            .add("left_out", partition.findings().size());
        return partition.lastMs() < 0 ? figures : figures.add("last_write", time(partition));
    }

    private static String time(final StoredMember.StoredPartition partition)
    {
        return Instant.ofEpochMilli(partition.lastMs()).toString();
    }

    /** For people. */
    static String text(final StoredMember member)
    {
        final StringBuilder text = new StringBuilder();
        text.append("path    ").append(member.path()).append('\n');
        text.append("table   ").append(HexFormat.of().toHexDigits(member.tableId())).append('\n');
        text.append("member  ").append(member.cluster().self()).append(" of ")
            .append(member.cluster().members().size()).append('\n');
        text.append('\n');
        member.partitions().forEach((partition) -> append(text, partition));
        text.append("\nWhat other members have acknowledged behind these entries is not here.\n");
        return text.toString();
    }

    private static void append(final StringBuilder text, final StoredMember.StoredPartition partition)
    {
        text.append("partition ").append(partition.number());
        if (partition.lastIndex() < 0)
        {
            text.append(": nothing\n");
        }
        else
        {
            text.append(": up to entry ").append(partition.lastIndex())
                .append(" of term ").append(partition.lastTerm())
                .append(partition.lastMs() < 0 ? ", no write" : ", last write " + time(partition))
                .append(partition.snapshotIndex() < 0 ? ", no snapshot" : ", snapshot up to entry " +
                    partition.snapshotIndex() + " with " + Amounts.count(partition.snapshotRecords(), "record"))
                .append('\n');
        }
        partition.findings().forEach((finding) -> text.append("  left out: ").append(finding).append('\n'));
    }
}
