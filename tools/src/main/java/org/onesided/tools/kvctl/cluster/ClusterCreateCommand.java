package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterState;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.server.ServerException;
import org.onesided.server.StoredBackup;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.GivenSettings;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.ProgressBar;
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
    description = "Make blank servers the members of a cluster, which keep one table together.",
    footer = {
        "",
        "A server is blank if it runs with --peer-listen and an empty or missing --data. All are asked before the " +
            "first one is changed. Then they start, elect leaders and take clients; they stay members for good. " +
            "The command waits for that, for --deadline if it is given, else for a minute. If it is cut short, " +
            "repeat it with the same servers, and it goes on.",
        "",
        "With more servers than replicas, each partition is on some of them, so that all keep equally much. Then the " +
            "command also lets them lead equally many partitions, as kvctl cluster rebalance does. If servers were " +
            "started with --zone, replicas of a partition are in as many zones as there are: some may have to move " +
            "for that, which takes a few seconds for each, on top of --deadline.",
        "",
        "With --restore, it then puts the records of a backup, of a cluster or of a server with --data. Clients that " +
            "connect meanwhile find those that are there already. Values and times are those of the backup, versions " +
            "are new. If it is repeated, keys that are there stay as they are.",
        "",
        "Examples:",
        "  kvctl cluster create --restore store.backup --lease 500ms a:7001 b:7001 c:7001",
        "  kvctl cluster create --replicas 3 --partitions 16 a:7001 b:7001 c:7001 d:7001",
    })
final class ClusterCreateCommand extends KvctlCommand
{
    /** A log with more members takes more time for each write, and survives the loss of three. */
    private static final int MAX_REPLICAS = 7;
    private static final int DEFAULT_REPLICAS = 3;
    private static final int MIB_BITS = 20;
    private static final int DEFAULT_PARTITIONS = 8;
    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(1);
    /** Unless a deadline is given: starts and elections take some seconds. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    /** From the first leaders on until all followers have answered them. */
    private static final Duration LONGEST_TO_FOLLOW = Duration.ofSeconds(10);

    @Option(
        names = "--partitions",
        paramLabel = "N",
        converter = Partitions.class,
        description = "Parts of the table, each with a leader of its own: 1 to 64, for good; default 8.")
    private Integer partitions;

    @Option(
        names = "--replicas",
        paramLabel = "N",
        converter = Replicas.class,
        description = "Members that keep each partition: 1, 3, 5 or 7; default 3, or 1 for a single server.")
    private Integer replicas;

    @Option(
        names = "--lease",
        paramLabel = "TIME",
        converter = Lease.class,
        description = "How long clients may look up without asking the leader again: 100ms to 1m, for good; a new " +
            "leader waits a quarter longer before it serves; default 1s.")
    private Duration lease;

    @Option(
        names = "--restore",
        paramLabel = "FILE",
        description = "A backup whose records the cluster is to have; all of it is checked first.")
    private Path backup;

    @Parameters(
        paramLabel = "HOST:PORT",
        arity = "1..*",
        description = "Where clients connect to each server; at most 16, and at least as many as replicas. Clients " +
            "are told these addresses.")
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
            return new WholeNumber(1, MAX_REPLICAS).convert(text);
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
        final int count = replicas == null ? Math.min(DEFAULT_REPLICAS, servers.size()) : replicas;
        checkCount(count);
        final StoredBackup stored = backup == null ? null : verified();
        final StoreClientBuilder builder = ClientOptions.builder(own, invocation());
        final String table;
        try (Founding founding = new Founding(builder, servers, this::tell))
        {
            founding.ask();
            table = founding.isBegun() ? founding.resume(partitions, replicas, lease) : founding.begin(
                partitions == null ? DEFAULT_PARTITIONS : partitions, count, lease == null ? DEFAULT_LEASE : lease);
        }
        final ClusterView view = awaitLeaders(builder, table);
        final String shortage = view.shortageOfZones();
        if (shortage != null)
        {
            tell(shortage);
        }
        if (replicas(view) < servers.size())
        {
            spread(builder, view);
            evenOut(builder);
        }
        if (stored != null)
        {
            restore(builder, stored);
        }
        report(view);
        return ExitCode.DONE;
    }

    private void checkCount(final int count)
    {
        if (servers.size() > Bootstrap.MAX_MEMBERS)
        {
            throw new CommandException(ExitCode.USAGE, "a cluster has at most " + Bootstrap.MAX_MEMBERS +
                " members, name fewer: servers=" + servers.size());
        }
        if (count % 2 == 0)
        {
            throw new CommandException(ExitCode.USAGE, "a partition has an odd number of replicas, since with one " +
                "more it survives no more losses: give --replicas 1, 3, 5 or 7: replicas=" + count + " servers=" +
                servers.size());
        }
        if (count > servers.size())
        {
            throw new CommandException(ExitCode.USAGE, "there are fewer servers than replicas, name more servers, or " +
                "give a smaller --replicas: replicas=" + count + " servers=" + servers.size());
        }
    }

    private static int replicas(final ClusterView view)
    {
        return IntStream.range(0, view.partitions().size()).map((i) -> view.keepers(i).size()).max().orElse(0);
    }

    /**
     * Moves replicas that share a zone, where no order of the members avoids that. There is nothing in them yet. The
     * cluster is formed, whether this succeeds or not.
     */
    private void spread(final StoreClientBuilder builder, final ClusterView view)
    {
        if (view.sharingZones().isEmpty())
        {
            return;
        }
        try
        {
            final ReplicaMoves moves = new ReplicaMoves(builder, Set.copyOf(servers), this::tell);
            final List<Move> plan = ReplicaPlan.even(moves.awaitKeepers((partition) -> true),
                view.partitions().stream().map(ClusterView.Leadership::leader).toList(),
                view.members().stream().map(ClusterState.Member::number).toList(), view.zones());
            if (!plan.isEmpty())
            {
                tell("moving replicas to other zones: moves=" + plan.size());
            }
            moves.run(plan);
        }
        catch (final CommandException e)
        {
            tell("replicas are not spread over the zones, call kvctl cluster rebalance: " + e.getMessage());
        }
    }

    /** The cluster is formed, whether this succeeds or not. */
    private void evenOut(final StoreClientBuilder builder)
    {
        final LeaderMoves moves = new LeaderMoves(builder, Set.copyOf(servers), (line) -> { });
        try
        {
            final ClusterView view = ClusterWait.await(moves::look, ClusterView::isSound, LONGEST_TO_FOLLOW);
            moves.run(LeaderPlan.even(
                view.partitions().stream().map(ClusterView.Leadership::leader).toList(),
                view.members().stream().map(ClusterState.Member::number).toList(), view::isInSync));
        }
        catch (final CommandException e)
        {
            tell("leaders are not spread evenly, call kvctl cluster rebalance: " + e.getMessage());
        }
    }

    /** The servers start now: those that do not answer yet will. */
    private ClusterView awaitLeaders(final StoreClientBuilder builder, final String table)
    {
        final Duration given = new GivenSettings(own, invocation().connection(), surroundings())
            .value(ClientSettings.DEADLINE);
        final Duration longest = given == null ? LONGEST_WAIT : given;
        final String late = "the servers are members now, but not all partitions have leaders in time; see whether " +
            "the servers run, and wait with kvctl cluster status --wait" + (backup == null ? "" :
            "; nothing of the backup is restored yet, repeat the command then") + ": table=" + table + " waited=" +
            TimeSpan.text(longest);
        final ClusterView view;
        try
        {
            view = ClusterWait.await(() -> MemberSurvey.look(builder, servers), ClusterCreateCommand::isUp, longest);
        }
        catch (final CommandException e)
        {
            throw new CommandException(ExitCode.NOT_SERVED, late + " cause: " + e.getMessage(), e);
        }
        if (!isUp(view))
        {
            throw new CommandException(ExitCode.NOT_SERVED, late + " unserved=" + view.unserved().size());
        }
        return view;
    }

    private static boolean isUp(final ClusterView view)
    {
        return view.unserved().isEmpty() &&
            view.members().stream().allMatch((member) -> view.isReachable(member.number()));
    }

    private StoredBackup verified()
    {
        try (ProgressBar bar = progress("checking MiB", -1))
        {
            return StoredBackup.verify(backup, (bytes) -> bar.step(bytes >> MIB_BITS));
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, "nothing was changed: " + e.getMessage(), e);
        }
    }

    private void restore(final StoreClientBuilder builder, final StoredBackup stored)
    {
        try (StoreClient client = builder.server(String.join(",", servers)).maxSessions(1).mirrorBytes(0).build();
            ProgressBar bar = progress("restoring", stored.records()))
        {
            final BackupLoad load = new BackupLoad(client, bar);
            try
            {
                load.run(backup);
            }
            catch (final StoreException e)
            {
                throw new CommandException(Failures.exitCode(e), "the servers are members now, but not all of the " +
                    "backup is restored, repeat the command: restored=" + load.done() + " records=" +
                    stored.records() + " cause: " + e.getMessage(), e);
            }
            if (load.done() != stored.records())
            {
                throw new CommandException(ExitCode.FAILED, "the servers are members now, but the backup is not the " +
                    "one that was checked, as another file has taken its name meanwhile: path=" + backup +
                    " restored=" + load.done() + " records=" + stored.records());
            }
            tell("restored: records=" + load.done() + (load.present() == 0 ? "" : " that were there=" +
                load.present()) + " of=" + backup);
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, "the servers are members now, but the backup cannot be read " +
                "any more: " + e.getMessage(), e);
        }
    }

    private void report(final ClusterView view) throws IOException
    {
        if (output.form() == null)
        {
            tell("formed, all partitions have leaders: table=" + view.table() + " partitions=" +
                view.partitions().size() + " replicas=" + replicas(view) + " members=" + view.members().size() +
                " lease=" + TimeSpan.text(Duration.ofMillis(view.leaseMs())));
            return;
        }
        output.print(new Figures()
            .add("table_id", view.table())
            .add("partitions", view.partitions().size())
            .add("replicas", replicas(view))
            .add("lease_ms", view.leaseMs())
            .list("members", view.members().stream().map((member) -> new Figures()
                .add("number", member.number())
                .add("address", member.address())).toList()), this);
    }
}
