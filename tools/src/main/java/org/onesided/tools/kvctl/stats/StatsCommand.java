package org.onesided.tools.kvctl.stats;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ShardStatistics;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.StopHook;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code kvctl stats}.
 */
@Command(
    name = "stats",
    description = "Show the counters of the server, in total and per shard.",
    footer = {
        "",
        "huge pages        whether the region uses them",
        "evict             the server's --evict: which records leave full memory",
        "default ttl       the server's --default-ttl: how long keys live that are",
        "                  put without a time",
        "records           live pairs",
        "buckets           of up to 7 pairs each; a full one continues in an",
        "                  overflow bucket. The server adds some as pairs come",
        "index in use      all these, but for overflow buckets in no use now",
        "heap, in use      its size, and the memory that records occupy",
        "puts, in place    all, and those that overwrote a record in its place",
        "gets by request   lookups that the server answered; it cannot count the",
        "                  others, which are READs",
        "bytes pulled      of large values, which the server READs itself",
        "refused           requests over a limit or without room",
        "records moved     to make room for others, which puts may wait for",
        "sessions          connected now, including this command's; below, per",
        "                  device of the server",
        "",
        "Clients report their own counters once a second and when they close. The",
        "store takes no part in READs, so it cannot check these numbers.",
        "",
        "gets, misses      lookups, and those that found no key",
        "READs             of buckets and records, including repeated ones",
        "READs per GET     of hits and misses together, at least 1. It includes READs",
        "                  of scans and warm-ups, so it is higher at first",
        "",
        "Examples:",
        "  kvctl stats",
        "  kvctl stats --watch 2",
    })
public final class StatsCommand extends ClientCommand
{
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 3600;

    @Option(
        names = "--watch",
        arity = "0..1",
        fallbackValue = "1",
        paramLabel = "SECONDS",
        description = "Show rates per second, every 1 or SECONDS seconds, until Ctrl-C: in place on a " +
            "terminal, elsewhere a line each time.")
    private Double watchSeconds;

    @Mixin
    private OutputOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final OutputForm form = output.or(OutputForm.TABLE);
        if (watchSeconds != null && !(watchSeconds >= LEAST_SECONDS && watchSeconds <= MOST_SECONDS))
        {
            throw new CommandException(ExitCode.USAGE, "--watch must be " + LEAST_SECONDS + " to " + MOST_SECONDS +
                " seconds: --watch=" + watchSeconds);
        }
        if (watchSeconds != null && invocation().sharedClient() != null && !surroundings().inIsTerminal())
        {
            throw new CommandException(
                ExitCode.USAGE, "nothing ends --watch in a shell whose input is no terminal, call kvctl stats itself");
        }
        final OutputStream out = output();
        if (watchSeconds != null)
        {
            watch(out, form);
            return ExitCode.DONE;
        }
        try (ConnectedClient connected = connect())
        {
            out.write(text(connected.client(), form).getBytes(StandardCharsets.UTF_8));
        }
        return ExitCode.DONE;
    }

    private void watch(final OutputStream out, final OutputForm form) throws IOException
    {
        final ConnectedClient connected = connect();
        // Closes the client before the process may end.
        try (StopHook stop = StopHook.ending(); connected)
        {
            new StatsWatch(
                connected.client(), out, form, surroundings().outIsTerminal(), (long)(watchSeconds * 1e9)).run(stop);
            stop.exitCode(ExitCode.DONE);
        }
    }

    private static String text(final StoreClient client, final OutputForm form)
    {
        final List<ShardStatistics> shards = client.statistics();
        final ClientStatistics reported = client.reportedStatistics();
        final ServerInfo server = client.server();
        return switch (form)
        {
            case JSON -> StatsFigures.of(server, shards, reported).json() + "\n";
            case PLAIN -> StatsFigures.of(server, shards, reported).plain();
            case TABLE -> StatsTable.text(server, shards) + StatsTable.text(shards, reported);
        };
    }
}
