package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster drain}.
 */
@Command(
    name = "drain",
    description = "Move all replicas of a member to others, whether it runs or not, while clients work.",
    footer = {
        "",
        "Each replica goes to a zone that has none of the partition, if there is one (kvctl server --zone), and " +
            "there to a member that keeps few, as by kvctl cluster move. Then kvctl cluster remove takes the member " +
            "out of the cluster. If the command is cut short, repeat it: it goes on from where the cluster stands.",
        "",
        "Examples:",
        "  kvctl cluster drain --server 127.0.0.1:7001 4",
        "  kvctl cluster drain --dry-run --server 127.0.0.1:7001 127.0.0.1:7004",
    })
final class ClusterDrainCommand extends KvctlCommand
{
    @Option(
        names = "--dry-run",
        description = "Only say what would be moved.")
    private boolean isDry;

    @Parameters(
        paramLabel = "MEMBER",
        description = "Number of the member, or HOST:PORT where clients connect to it.")
    private String named;

    @Mixin
    private DoneOption output;

    private final SettingOptions own = NamedMembers.options();

    @Mixin
    private final CommandSpec ownOptions = own.spec();

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        final ReplicaMoves moves = new ReplicaMoves(
            ClientOptions.builder(own, invocation()), NamedMembers.of(List.of(), own, invocation()), this::tell);
        final ClusterView view = moves.look();
        final long member = MembersChange.member(view, named).number();
        final List<Set<Long>> keepers = moves.keepers(view, (partition) -> true);
        final List<Move> plan = plan(view, keepers, member, moves.replicas(view));
        tellOfZones(view, keepers, member, plan);
        final List<Integer> unknown = ReplicaMoves.unknown(keepers);
        if (isDry)
        {
            plan.forEach((move) -> tell("would move: " + move.text()));
            tell("nothing was changed, it is a dry run: member=" + member);
        }
        else
        {
            moves.run(plan);
            if (unknown.isEmpty())
            {
                tell("the member keeps nothing now, kvctl cluster remove takes it out: member=" + member + " moved=" +
                    plan.size());
            }
        }
        if (!unknown.isEmpty())
        {
            tell("partitions are left out, which have no leader, or whose members change: the member may keep them " +
                "still, repeat the command when they are served: member=" + member + " partitions=" + unknown);
        }
        output.print(new Figures().add("dry_run", isDry).add("member", member).add("left_out", unknown.size())
            .list("moves", plan.stream().map(Move::figures).toList()), this);
        return unknown.isEmpty() ? ExitCode.DONE : ExitCode.NOT_SERVED;
    }

    /** What the operator may want to change before replicas move. */
    private void tellOfZones(
        final ClusterView view, final List<Set<Long>> keepers, final long member, final List<Move> plan)
    {
        final Zones zones = view.zones();
        final List<Long> silent = view.members().stream().map(ClusterState.Member::number)
            .filter((each) -> each != member && !view.isReachable(each)).toList();
        if (zones.areNamed() && !plan.isEmpty() && !silent.isEmpty())
        {
            tell("zones of members are not known, as they do not answer, replicas may come to be in the same zone: " +
                "members=" + silent);
        }
        final List<Integer> crowded = ReplicaPlan.crowded(keepers, plan, zones);
        if (!crowded.isEmpty())
        {
            tell("partitions will have several replicas in one zone, start servers in other zones: partitions=" +
                crowded);
        }
    }

    private static List<Move> plan(
        final ClusterView view, final List<Set<Long>> keepers, final long member, final int replicas)
    {
        final List<Long> others = view.members().stream().map(ClusterState.Member::number)
            .filter((each) -> each != member && view.isReachable(each)).toList();
        return ReplicaPlan.drain(keepers, member, others, view.zones(), replicas).orElseThrow(() ->
            new CommandException(ExitCode.USAGE, "nothing was changed, since a partition would have fewer replicas, " +
            "add a server first: member=" + member + " others=" + others.size() + " replicas=" +
            keepers.stream().mapToInt(Set::size).max().orElse(0)));
    }
}
