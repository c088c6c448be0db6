package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Set;
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
 * {@code kvctl cluster move}.
 */
@Command(
    name = "move",
    description = "Let a member keep a replica of a partition in the place of another one, while clients work.",
    footer = {
        "",
        "The new member gets all entries before it counts; if the other one leads, the partition gets another leader " +
            "first. If the command is cut short, repeat it: what is moved stays so.",
        "",
        "Examples:",
        "  kvctl cluster move --server 127.0.0.1:7001 0 2 4",
        "  kvctl cluster move --dry-run 0 127.0.0.1:7002 127.0.0.1:7004",
    })
final class ClusterMoveCommand extends KvctlCommand
{
    @Option(
        names = "--dry-run",
        description = "Only say what would be moved.")
    private boolean isDry;

    @Parameters(
        index = "0",
        paramLabel = "PARTITION",
        description = "Number of the partition, from 0.")
    private int partition;

    @Parameters(
        index = "1",
        paramLabel = "FROM",
        description = "Number or HOST:PORT of the member that keeps a replica.")
    private String from;

    @Parameters(
        index = "2",
        paramLabel = "TO",
        description = "Number or HOST:PORT of the member that shall keep it.")
    private String to;

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
        final long source = MembersChange.member(view, from).number();
        final long target = MembersChange.member(view, to).number();
        if (partition < 0 || partition >= view.partitions().size())
        {
            throw new CommandException(ExitCode.USAGE, "there is no such partition, give 0 to " +
                (view.partitions().size() - 1) + ": partition=" + partition);
        }
        final Set<Long> keepers = moves.keepers(view, (each) -> each == partition).get(partition);
        if (keepers.isEmpty())
        {
            throw new CommandException(ExitCode.NOT_SERVED, "nothing was changed, since the partition has no leader, " +
                "or a change of its members is under way, repeat the command to go on: partition=" + partition);
        }
        final List<Move> plan = !keepers.contains(source) && keepers.contains(target) ? List.of() :
            List.of(new Move(partition, source, target));
        if (!plan.isEmpty())
        {
            check(moves, view, keepers, source, target);
            tellNeighbours(moves, keepers, source, target);
        }
        if (plan.isEmpty())
        {
            tell("nothing to do, it is so already: partition=" + partition + " members=" + keepers);
        }
        else if (isDry)
        {
            tell("nothing is changed, it is a dry run; would move: " + plan.get(0).text());
        }
        else
        {
            moves.run(plan);
        }
        output.print(new Figures().add("dry_run", isDry).add("partition", partition).add("from", source)
            .add("to", target).add("moved", isDry ? 0 : plan.size()), this);
        return ExitCode.DONE;
    }

    /** It is what the operator wants, who may not know it. */
    private void tellNeighbours(
        final ReplicaMoves moves, final Set<Long> keepers, final long source, final long target)
    {
        // The member may have begun to answer only now.
        final Zones zones = moves.look().zones();
        final List<Long> neighbours = zones.neighbours(keepers, target).stream().filter((each) -> each != source)
            .toList();
        if (!neighbours.isEmpty())
        {
            tell("another replica of the partition is in the same zone already: partition=" + partition + " zone=" +
                zones.name(target) + " members=" + neighbours);
        }
    }

    private void check(
        final ReplicaMoves moves,
        final ClusterView view,
        final Set<Long> keepers,
        final long source,
        final long target)
    {
        if (!keepers.contains(source))
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, since the member does not keep the " +
                "partition: partition=" + partition + " member=" + source + " members=" + keepers);
        }
        // A move that was cut has let the one in, and has not taken the other out.
        if (keepers.contains(target) && !MembersChange.isSurplus(keepers, moves.replicas(view)))
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, since the member keeps the partition " +
                "already: partition=" + partition + " member=" + target + " members=" + keepers);
        }
        if (!view.isReachable(target) && !moves.awaitAnswer(target).isReachable(target))
        {
            throw new CommandException(ExitCode.CANNOT_CONNECT, "nothing was changed, since the member that shall " +
                "keep the partition does not answer: member=" + target + " server=" + view.address(target));
        }
    }
}
