package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.agrona.CloseHelper;
import org.onesided.client.BlankServer;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.settings.ClientSettings;
import org.onesided.tools.settings.TimeSpan;
import org.onesided.tools.settings.WholeNumber;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code kvctl cluster create}.
 */
@Command(
    name = "create",
    description = "Make blank servers the members of a cluster, which keeps one table on all of them.",
    footer = {
        "",
        "A server is blank if it runs with --peer-listen and an empty or missing --data. All are asked before the " +
            "first one is changed. Then they start, elect leaders and take clients; they stay members for good. " +
            "If the command fails between the first server and the last, it says which ones are members: remove " +
            "their --data directories, start them again and repeat the command.",
        "",
        "Examples:",
        "  kvctl cluster create 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003",
        "  kvctl cluster create --partitions 16 --lease 500ms 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003",
    })
final class ClusterCreateCommand extends KvctlCommand
{
    /** A log with more members takes more time for each write, and survives the loss of three. */
    private static final int MAX_SERVERS = 7;
    private static final String AGAIN =
        ": to begin anew, stop the members, remove their --data directories, start them and repeat the command";

    @Option(
        names = "--partitions",
        paramLabel = "N",
        converter = Partitions.class,
        description = "Parts of the table, each with a leader of its own: 1 to 64, for good; default 8.")
    private int partitions = 8;

    @Option(
        names = "--replicas",
        paramLabel = "N",
        converter = Replicas.class,
        description = "Members that keep each partition; for now all of them, which is the default.")
    private Integer replicas;

    @Option(
        names = "--lease",
        paramLabel = "TIME",
        converter = Lease.class,
        description = "How long clients may look up without asking the leader again: 100ms to 1m, for good; a new " +
            "leader waits a quarter longer before it serves; default 1s.")
    private Duration lease = Duration.ofSeconds(1);

    @Parameters(
        paramLabel = "HOST:PORT",
        arity = "1..*",
        description = "Where clients connect to each server, 1, 3, 5 or 7 of them. Clients are told these addresses.")
    private List<String> servers;

    @Mixin
    private DoneOption output;

    private final SettingOptions own = new SettingOptions()
        .add(List.of(ClientOptions.TOKEN_FILE, ClientSettings.DEADLINE))
        .addGroup("TLS options", ClientSettings.tls());

    @Mixin
    private final CommandSpec ownOptions = own.spec();

    /** Range of the partitions. */
    static final class Partitions implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            return new WholeNumber(1, SuperblockDescriptor.MAX_SHARDS).convert(text);
        }
    }

    /** Range of the replicas. */
    static final class Replicas implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            return new WholeNumber(1, MAX_SERVERS).convert(text);
        }
    }

    /** Range of the lease. */
    static final class Lease implements ITypeConverter<Duration>
    {
        private static final Duration LEAST = Duration.ofMillis(100);
        private static final Duration MOST = Duration.ofMinutes(1);

        @Override
        public Duration convert(final String text)
        {
            final Duration time = new TimeSpan().convert(text);
            if (time.compareTo(LEAST) < 0 || time.compareTo(MOST) > 0)
            {
                throw new TypeConversionException("the time is out of range, 100ms to 1m: '" + text + "'");
            }
            return time;
        }
    }

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        checkCount();
        final List<BlankServer> blank = new ArrayList<>();
        try
        {
            ask(blank);
            checkDistinct(blank);
            checkAgreed(blank);
            final ClusterFoundation foundation = ClusterFoundation.draw(
                partitions, lease.toMillis(), blank.stream().map(BlankServer::address).toList(),
                blank.stream().map(BlankServer::peerAddress).toList());
            form(blank, foundation);
            report(foundation);
        }
        finally
        {
            CloseHelper.quietCloseAll(blank);
        }
        return ExitCode.DONE;
    }

    private void checkCount()
    {
        final int count = servers.size();
        if (replicas != null && replicas != count)
        {
            throw new CommandException(ExitCode.USAGE, "for now each server keeps each partition, so name as many " +
                "servers as replicas, or leave --replicas out: replicas=" + replicas + " servers=" + count);
        }
        if (count % 2 == 0 || count > MAX_SERVERS)
        {
            throw new CommandException(ExitCode.USAGE, "a cluster has 1, 3, 5 or 7 members, since with one " +
                "more it survives no more losses, name so many: servers=" + count);
        }
    }

    /** Asks all servers. Tells of each that cannot be formed, not only of the first one. */
    private void ask(final List<BlankServer> blank)
    {
        final StoreClientBuilder builder = ClientOptions.builder(own, invocation());
        ExitCode code = null;
        for (final String server : servers)
        {
            try
            {
                blank.add(builder.server(server).connectBlank());
            }
            catch (final IllegalArgumentException e)
            {
                throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
            }
            catch (final StoreException e)
            {
                tell(e.getMessage());
                code = code == null ? Failures.exitCode(e) : code;
            }
        }
        if (code != null)
        {
            throw new CommandException(code, "nothing was changed, since not all servers can be members: blank=" +
                blank.size() + " servers=" + servers.size());
        }
    }

    private static void checkDistinct(final List<BlankServer> blank)
    {
        final Map<String, String> seen = new HashMap<>();
        for (final BlankServer server : blank)
        {
            // A server may have several addresses for clients, but one for the others.
            final String other = seen.put(server.peerAddress(), server.address());
            if (other != null)
            {
                throw new CommandException(ExitCode.USAGE, "nothing was changed, since two of the servers are the " +
                    "same, or have the same --peer-listen: servers=" + other + "," + server.address() +
                    " peer-listen=" + server.peerAddress());
            }
        }
    }

    private static void checkAgreed(final List<BlankServer> blank)
    {
        final List<BlankServer> within = blank.stream().filter(BlankServer::isPeerTls).toList();
        if (!within.isEmpty() && within.size() < blank.size())
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, since members talk to each other within " +
                "TLS or all without: start all servers with --tls-peer-ca, or none: with=" + addresses(within) +
                " without=" + addresses(blank.stream().filter((server) -> !server.isPeerTls()).toList()));
        }
    }

    private static void form(final List<BlankServer> blank, final ClusterFoundation foundation)
    {
        for (int i = 0; i < blank.size(); i++)
        {
            try
            {
                blank.get(i).form(i + 1, foundation);
            }
            catch (final StoreException e)
            {
                throw new CommandException(i == 0 ? Failures.exitCode(e) : ExitCode.FAILED, i == 0 ?
                    e.getMessage() + "; if the connection was lost, the server may be a member now" + AGAIN :
                    e.getMessage() + "; the cluster is not whole, members are " + addresses(blank.subList(0, i)) +
                        AGAIN, e);
            }
        }
    }

    private static String addresses(final List<BlankServer> servers)
    {
        return String.join(",", servers.stream().map(BlankServer::address).toList());
    }

    private void report(final ClusterFoundation foundation) throws IOException
    {
        final String table = HexFormat.of().toHexDigits(foundation.table().id());
        if (output.form() == null)
        {
            tell("formed, the servers start now: table=" + table + " partitions=" + partitions + " members=" +
                foundation.members().size() + " lease=" + TimeSpan.text(lease));
            return;
        }
        output.print(new Figures()
            .add("table_id", table)
            .add("partitions", partitions)
            .add("lease_ms", foundation.leaseMs())
            .list("members", foundation.members().stream().map((member) -> new Figures()
                .add("number", member.number())
                .add("address", member.address())
                .add("peer_address", member.peerAddress())).toList()), this);
    }
}
