package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.onesided.client.StoreClientBuilder;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.settings.TimeSpan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster status}.
 */
@Command(
    name = "status",
    description = "Show who leads and follows the partitions of a cluster, and whether clients can use them.",
    footer = {
        "",
        "Any member's address will do: the command asks it for the others, and asks them, too. With several, the " +
            "first that answers tells of the others. The exit code is 0 if all partitions are served, 9 if one is " +
            "not, and 4 if no member answers; with --wait, it is also 9 if a member is not in sync in time.",
        "",
        "reachable   whether the member answered",
        "zone        that it is in (kvctl server --zone), if any member is in one",
        "keeps       partitions that it has a replica of",
        "leads       partitions that it leads, as far as members know",
        "serves      how many of these take clients: a new leader waits",
        "            until the leases of the one before it are over",
        "in sync     members that follow the leader closely; a majority, with the",
        "            leader, must do so for writes to go on",
        "behind      entries of the log that members have not acknowledged",
        "disk free   for the member's data",
        "state       of the leader: it catches up, waits (how long still), serves, or",
        "            hands over (until its leases are over)",
        "leases      that sessions may hold, at most",
        "granted     leases since the leader was started",
        "proofs      entries that it logged for leases alone, as nobody wrote",
        "",
        "Examples:",
        "  kvctl cluster status --watch 2 127.0.0.1:7001",
        "  kvctl cluster status --wait 1m 127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003",
    })
final class ClusterStatusCommand extends KvctlCommand
{
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 3600;

    @Option(
        names = "--watch",
        arity = "0..1",
        fallbackValue = "1",
        paramLabel = "SECONDS",
        description = "Show the status every 1 or SECONDS seconds, until Ctrl-C.")
    private Double watchSeconds;

    @Option(
        names = "--wait",
        arity = "0..1",
        fallbackValue = "1m",
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "Wait until all partitions are served and all members are in sync, for 1m or TIME at most.")
    private Duration longestWait;

    @Parameters(
        paramLabel = "HOST:PORT",
        arity = "0..*",
        description = "Members to ask, with blanks or commas between them; else those of --server.")
    private List<String> given = List.of();

    @Mixin
    private OutputOption output;

    private final SettingOptions own = NamedMembers.options();

    @Mixin
    private final CommandSpec ownOptions = own.spec();

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        if (watchSeconds != null && !(watchSeconds >= LEAST_SECONDS && watchSeconds <= MOST_SECONDS))
        {
            throw new CommandException(ExitCode.USAGE, "--watch must be " + LEAST_SECONDS + " to " + MOST_SECONDS +
                " seconds: --watch=" + watchSeconds);
        }
        if (watchSeconds != null && longestWait != null)
        {
            throw new CommandException(ExitCode.USAGE, "--watch and --wait are of no use together, give one of them: " +
                "--watch=" + watchSeconds + " --wait=" + TimeSpan.text(longestWait));
        }
        final Set<String> servers = NamedMembers.of(given, own, invocation());
        if (watchSeconds != null)
        {
            watch(servers);
            return ExitCode.DONE;
        }
        final StoreClientBuilder builder = ClientOptions.builder(own, invocation());
        final ClusterView view = ClusterWait.await(() -> MemberSurvey.look(builder, servers), ClusterView::isSound,
            longestWait == null ? Duration.ZERO : longestWait);
        show(view);
        if (!view.unserved().isEmpty())
        {
            throw new CommandException(ExitCode.NOT_SERVED, "not all partitions are served now, a new leader takes " +
                "some seconds: unserved=" + view.unserved().size() + " partitions=" + view.partitions().size());
        }
        if (longestWait != null && view.unsynced() > 0)
        {
            throw new CommandException(ExitCode.NOT_SERVED, "not all members are in sync in time, stop none now: " +
                "not-in-sync=" + view.unsynced() + " waited=" + TimeSpan.text(longestWait));
        }
        return ExitCode.DONE;
    }

    private void show(final ClusterView view) throws IOException
    {
        print(output.text(view.figures(), view::text));
    }

    private void watch(final Set<String> servers) throws IOException
    {
        if (invocation().sharedClient() != null && !surroundings().inIsTerminal())
        {
            throw new CommandException(ExitCode.USAGE, "nothing ends --watch in a shell whose input is no terminal, " +
                "call kvctl cluster status itself");
        }
        try (StopHook stop = StopHook.ending())
        {
            stop.exitCode(ExitCode.DONE);
            do
            {
                try
                {
                    show(MemberSurvey.look(ClientOptions.builder(own, invocation()), servers));
                }
                catch (final CommandException e)
                {
                    if (e.exitCode() == ExitCode.USAGE)
                    {
                        throw e;
                    }
                    // It may come back.
                    tell(e.getMessage());
                }
                if (output.or(OutputForm.TABLE) == OutputForm.TABLE)
                {
                    print("\n");
                }
            }
            while (!stop.await((long)(watchSeconds * 1e9)));
        }
        catch (final InterruptedException e)
        {
            // Only the command was told to stop; the shell continues.
            return;
        }
    }
}
