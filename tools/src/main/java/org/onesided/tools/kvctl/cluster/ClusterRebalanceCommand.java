package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster rebalance}.
 */
@Command(
    name = "rebalance",
    description = "Spread replicas and leaders of a cluster's partitions evenly over its members, while clients work.",
    footer = {
        "",
        "Where partitions are on some members only, those that have one replica too many, as a move was cut, " +
            "lose it. Then replicas move, as by kvctl cluster move: those of a partition to as many zones as there " +
            "are (kvctl server --zone), and then so that members keep equally many. Then partitions get other " +
            "leaders one after the other, as by kvctl cluster transfer. Few replicas and leaders move. If the " +
            "command is cut short, repeat it: it goes on from where the cluster stands.",
        "",
        "Examples:",
        "  kvctl cluster rebalance 127.0.0.1:7001",
        "  kvctl cluster rebalance --dry-run 127.0.0.1:7001",
    })
final class ClusterRebalanceCommand extends KvctlCommand
{
    private static final Duration LONGEST_TO_FOLLOW = Duration.ofSeconds(30);
    /** Longer than an election, and the wait that follows it, with leases of the usual length. */
    private static final Duration LONGEST_WITHOUT_LEADER = Duration.ofSeconds(20);

    @Option(
        names = "--dry-run",
        description = "Only say which replicas would move, and which partitions would get other leaders.")
    private boolean isDry;

    @Parameters(
        paramLabel = "HOST:PORT",
        arity = "0..*",
        description = "Members to ask, with blanks or commas between them; else those of --server.")
    private List<String> given = List.of();

    @Mixin
    private DoneOption output;

    private final SettingOptions own = NamedMembers.options();

    @Mixin
    private final CommandSpec ownOptions = own.spec();

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        final LeaderMoves moves = new LeaderMoves(
            ClientOptions.builder(own, invocation()), NamedMembers.of(given, own, invocation()), this::tell);
        ClusterView view =
            ClusterWait.await(moves::look, (each) -> each.unserved().isEmpty(), LONGEST_WITHOUT_LEADER);
        final Set<Integer> leftOut = new TreeSet<>(view.unserved());
        tellShortage(view);
        final List<Move> replicaPlan = evenReplicas(view, leftOut);
        if (!isDry && !replicaPlan.isEmpty())
        {
            // Those that have just come must follow to lead.
            view = ClusterWait.await(moves::look, ClusterView::isSound, LONGEST_TO_FOLLOW);
        }
        final List<Long> members = members(view);
        leftOut.addAll(view.unserved());
        final List<Long> leaders = leaders(view);
        final List<Move> plan = LeaderPlan.even(leaders, members, view::isInSync);
        replicaPlan.forEach((move) -> tellIfDry("would move a replica: " + move.text()));
        if (isDry)
        {
            plan.forEach((move) -> tell("would move: " + move.text()));
        }
        else
        {
            moves.run(plan);
        }
        if (!leftOut.isEmpty())
        {
            tell("partitions are left out, which are not served, or whose members change: repeat the command when " +
                "they are: partitions=" + leftOut);
        }
        tell(plan.isEmpty() && replicaPlan.isEmpty() ? "nothing to move: " + counts(view, leaders) : isDry ?
            "nothing was changed, it is a dry run: " + counts(view, leaders) :
            "done: " + counts(view, leaders(moves.look())));
        output.print(new Figures().add("dry_run", isDry).add("left_out", leftOut.size())
            .list("moves", plan.stream().map(Move::figures).toList())
            .list("replica_moves", replicaPlan.stream().map(Move::figures).toList()), this);
        return leftOut.isEmpty() ? ExitCode.DONE : ExitCode.NOT_SERVED;
    }

    private void tellShortage(final ClusterView view)
    {
        final String shortage = view.shortageOfZones();
        if (shortage != null)
        {
            tell(shortage);
        }
    }

    /** Those that serve; 0 where none does. */
    private static List<Long> leaders(final ClusterView view)
    {
        return view.partitions().stream().map((each) -> each.isServed() ? each.leader() : 0L).toList();
    }

    private void tellIfDry(final String line)
    {
        if (isDry)
        {
            tell(line);
        }
    }

    /** Where partitions are on some members only, moves replicas, unless the command only says what it would do. */
    private List<Move> evenReplicas(final ClusterView view, final Set<Integer> leftOut)
    {
        final ReplicaMoves moves = new ReplicaMoves(
            ClientOptions.builder(own, invocation()), NamedMembers.of(given, own, invocation()), this::tell);
        // Who may look only is not told how many replicas there are to be.
        final int replicas = IntStream.range(0, view.partitions().size()).allMatch((i) -> view.keepers(i).size() ==
            view.members().size()) ? 0 : moves.replicas(view);
        if (replicas < 2)
        {
            return List.of();
        }
        final List<Set<Long>> keepers = moves.awaitKeepers((partition) -> !leftOut.contains(partition));
        leftOut.addAll(ReplicaMoves.unknown(keepers));
        final List<Long> homes =
            view.members().stream().map(ClusterState.Member::number).filter(view::isReachable).toList();
        final List<Move> plan =
            new ArrayList<>(ReplicaPlan.shrink(keepers, leaders(view), homes, view.zones(), replicas));
        plan.addAll(ReplicaPlan.even(ReplicaPlan.after(keepers, plan), leaders(view), homes, view.zones()));
        if (!isDry)
        {
            moves.run(plan);
        }
        return plan;
    }

    /** Those that could lead something. */
    private List<Long> members(final ClusterView view)
    {
        view.members().stream().filter((each) -> !view.isReachable(each.number())).forEach((each) ->
            tell("member is left out, it does not answer: member=" + each.number() + " server=" + each.address()));
        return view.members().stream().map(ClusterState.Member::number).filter(view::isReachable).toList();
    }

    private static String counts(final ClusterView view, final List<Long> leaders)
    {
        return view.members().stream().map((each) -> "member-" + each.number() + "=" +
            leaders.stream().filter((leader) -> leader == each.number()).count()).collect(Collectors.joining(" "));
    }
}
