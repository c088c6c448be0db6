package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.ShardStorage;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.settings.TimeSpan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code kvctl snapshot}.
 */
@Command(
    name = "snapshot",
    description = "Have a server with --data write a snapshot of each shard, and wait until they are on its disk.",
    footer = {
        "",
        "The server does this by itself, as --snapshot-log says. A snapshot just before a stop makes the next start " +
            "quick. Clients go on meanwhile. Between two that are asked for, the server pauses for as long as the " +
            "first one took, 1 s to 30 s.",
        "",
        "Examples:",
        "  kvctl snapshot",
        "  kvctl snapshot --wait 10m -o json",
    })
public final class SnapshotCommand extends ClientCommand
{
    private static final long LOOK_NS = Duration.ofMillis(50).toNanos();
    private static final int PERCENT = 100;

    @Option(
        names = "--wait",
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "How long to wait for the disk, such as 10m; default 5m.")
    private Duration wait = Duration.ofMinutes(5);

    @Mixin
    private DoneOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final List<ShardStatistics> done;
        try (ConnectedClient connected = connect())
        {
            final List<ShardStatistics> before = connected.client().snapshot();
            if (before.stream().anyMatch((shard) -> shard.storage() == null))
            {
                throw new CommandException(ExitCode.FAILED,
                    "this server keeps its store in memory only: start it with --data to have snapshots");
            }
            done = await(connected.client(), before);
        }
        output.print(new Figures()
            .add("shards", done.size())
            .add("bytes", done.stream().mapToLong((shard) -> shard.storage().snapshotBytes()).sum()), this);
        return ExitCode.DONE;
    }

    private List<ShardStatistics> await(final StoreClient client, final List<ShardStatistics> before)
    {
        final long endNs = System.nanoTime() + wait.toNanos();
        try (ProgressBar bar = new ProgressBar(
            surroundings().err(), surroundings().errIsTerminal(), "writing", (long)PERCENT * before.size()))
        {
            while (true)
            {
                final List<ShardStatistics> now = client.statistics();
                long percents = 0;
                for (int i = 0; i < now.size(); i++)
                {
                    percents += percent(before.get(i).storage(), now.get(i).storage());
                }
                if (percents == (long)PERCENT * now.size())
                {
                    return now;
                }
                if (System.nanoTime() - endNs >= 0)
                {
                    throw new CommandException(ExitCode.DEADLINE, "snapshots are not on the disk yet, the server " +
                        "goes on writing; kvctl stats shows how far it is: --wait=" + TimeSpan.text(wait));
                }
                bar.step(percents);
                LockSupport.parkNanos(LOOK_NS);
            }
        }
    }

    /** A snapshot that was asked for contains all that was applied then. */
    private static int percent(final ShardStorage before, final ShardStorage now)
    {
        if (now.snapshotFailures() > before.snapshotFailures())
        {
            throw new CommandException(
                ExitCode.STORAGE_FAILED, "a snapshot could not be written, the server's log says why");
        }
        return now.snapshotIndex() >= before.appliedIndex() ? PERCENT :
            Math.max(0, Math.min(PERCENT - 1, now.snapshotPercent()));
    }
}
