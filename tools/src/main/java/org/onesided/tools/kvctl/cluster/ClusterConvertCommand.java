package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import org.onesided.server.FirstMember;
import org.onesided.server.ServerException;
import org.onesided.server.StoredTable;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.settings.TimeSpan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster convert}.
 */
@Command(
    name = "convert",
    description = "Make the table of a server that is alone, and is stopped, that of a cluster's first member.",
    footer = {
        "",
        "The table stays where it is, with all records and times of expiry; its shards become the partitions. All of " +
            "it is read first. Then start the server as before, with --listen as it is given here, and let others " +
            "join by kvctl cluster add: each gets a copy of all partitions. With --replicas, partitions are to be on " +
            "so many members only: kvctl cluster rebalance brings them there, once there are as many. Clients must " +
            "be started again, as they look up by other rules in a cluster. There is no way back but a backup.",
        "",
        "Examples:",
        "  kvctl cluster convert --listen a:7001 --peer-listen a:7101 /var/lib/onesided",
        "  kvctl cluster convert --listen a:7001 --peer-listen a:7101 --replicas 3 data",
    })
final class ClusterConvertCommand extends KvctlCommand
{
    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(1);
    private static final int LEAST_REPLICAS = 3;

    @Option(
        names = "--listen",
        paramLabel = "HOST:PORT",
        required = true,
        description = "Where clients will connect to the server, for good. Clients are told this address.")
    private String address;

    @Option(
        names = "--peer-listen",
        paramLabel = "HOST:PORT",
        required = true,
        description = "Where other members will connect to the server, for good.")
    private String peerAddress;

    @Option(
        names = "--replicas",
        paramLabel = "N",
        converter = ClusterCreateCommand.Replicas.class,
        description = "Members that are to keep each partition once there are as many: 3, 5 or 7, for good; default " +
            "all members.")
    private Integer replicas;

    @Option(
        names = "--lease",
        paramLabel = "TIME",
        converter = ClusterCreateCommand.Lease.class,
        description = "How long clients may look up without asking the leader again: 100ms to 1m, for good; a new " +
            "leader waits a quarter longer before it serves; default 1s.")
    private Duration lease = DEFAULT_LEASE;

    @Parameters(paramLabel = "DIR", description = "The directory of the stopped server, kvctl server --data.")
    private Path directory;

    @Mixin
    private DoneOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        if (replicas != null && (replicas < LEAST_REPLICAS || replicas % 2 == 0))
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, since an odd number of members is to " +
                "keep each partition, more than this one: give --replicas 3, 5 or 7, or leave it out: replicas=" +
                replicas);
        }
        final StoredTable table;
        try
        {
            table = FirstMember.make(
                directory, address, peerAddress, replicas == null ? 0 : replicas, lease.toMillis());
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, " + e.getMessage(), e);
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, e.getMessage(), e);
        }
        tell("the directory is that of member 1 of a cluster, start it with kvctl server --data " + directory +
            " --listen " + address + ": table=" + HexFormat.of().toHexDigits(table.tableId()) + " partitions=" +
            table.shards().size() + " replicas=" + (replicas == null ? "all" : replicas) + " lease=" +
            TimeSpan.text(lease));
        output.print(new Figures()
            .add("table_id", HexFormat.of().toHexDigits(table.tableId()))
            .add("partitions", table.shards().size())
            .add("replicas", replicas == null ? 0 : replicas)
            .add("lease_ms", lease.toMillis()), this);
        return ExitCode.DONE;
    }
}
