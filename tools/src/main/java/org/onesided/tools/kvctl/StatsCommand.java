package org.onesided.tools.kvctl;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.onesided.client.ClientStatistics;
import org.onesided.client.ServerInfo;
import org.onesided.client.ShardStatistics;
import org.onesided.client.StoreClient;
import picocli.CommandLine.Command;

/**
 * {@code kvctl stats}.
 */
@Command(
    name = "stats",
    description = "Show what the server holds and has done, in all and per shard.",
    footer = {
        "",
        "huge pages        whether the region is in such",
        "records           live pairs",
        "buckets           of 7 pairs each; a full one goes on in an overflow",
        "                  bucket",
        "heap, in use      its size, and the memory that records take of it",
        "puts, in place    all, and those that overwrote the record where it was",
        "gets by request   lookups that asked the server; the others are READs,",
        "                  which no server can count",
        "bytes pulled      of large values, which the server READs itself",
        "refused           requests over a limit or without room",
        "sessions          connected now, this command's own included",
        "",
        "What clients did is what they report themselves, once a second and when",
        "they end in order; the server, which takes no part in READs, cannot check",
        "it.",
        "",
        "gets, misses      lookups, and those that found no key",
        "READs             of buckets and records, those done again included",
        "READs per GET     of hits and misses together; 1 is the least. The READs of",
        "                  scans and warm-ups are in it, so it is more at first",
        "",
        "Examples:",
        "  kvctl stats",
        "  kvctl --server store.example.org:19875 stats",
    })
final class StatsCommand extends ClientCommand
{
    @Override
    ExitCode run() throws IOException
    {
        final List<ShardStatistics> shards;
        final ServerInfo server;
        final ClientStatistics reported;
        final String reads;
        try (StoreClient client = connect())
        {
            shards = client.statistics();
            reported = client.reportedStatistics();
            server = client.server();
            reads = Text.reads(client.clientStatistics());
        }
        final OutputStream output = new StandardOutput(surroundings().out());
        final String text = StatsTable.text(server, shards) + StatsTable.text(reported) + "this client " + reads + "\n";
        output.write(text.getBytes(StandardCharsets.UTF_8));
        return ExitCode.DONE;
    }
}
