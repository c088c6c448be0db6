package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster transfer}.
 */
@Command(
    name = "transfer",
    description = "Let another member of a cluster lead a partition, while clients work.",
    footer = {
        "",
        "The leader ends its leases, logs that, and gives leadership to the other member, which serves at once. " +
            "Writes and lookups of the partition pause for that; no operation fails, unless its deadline is shorter " +
            "than the pause. The member must be in sync. A partition that it leads already is left alone, so the " +
            "command can be repeated.",
        "",
        "Examples:",
        "  kvctl cluster transfer --server 127.0.0.1:7001 0 2",
        "  kvctl cluster transfer --server 127.0.0.1:7001 all 127.0.0.1:7003",
    })
final class ClusterTransferCommand extends KvctlCommand
{
    private static final String ALL = "all";

    @Parameters(
        index = "0",
        paramLabel = "PARTITION|all",
        description = "Number of the partition, from 0; or all that the member keeps.")
    private String partition;

    @Parameters(
        index = "1",
        paramLabel = "MEMBER",
        description = "Number or HOST:PORT of the member that shall lead, as kvctl cluster status shows them.")
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
        final LeaderMoves moves = new LeaderMoves(
            ClientOptions.builder(own, invocation()), NamedMembers.of(List.of(), own, invocation()), this::tell);
        final ClusterView view = moves.look();
        final long member = MembersChange.member(view, named).number();
        final List<Move> plan = plan(view, member);
        moves.run(plan);
        if (plan.isEmpty())
        {
            tell("nothing to do, the member leads already what it keeps: member=" + member);
        }
        output.print(new Figures().add("member", member).add("moved", plan.size()), this);
        return ExitCode.DONE;
    }

    private List<Move> plan(final ClusterView view, final long member)
    {
        final List<Move> plan = new ArrayList<>();
        for (final int each : partitions(view.partitions().size()))
        {
            final long leader = view.partitions().get(each).leader();
            if (leader == member || partition.equals(ALL) && !view.keepers(each).contains(member))
            {
                continue;
            }
            if (leader == 0)
            {
                throw new CommandException(ExitCode.NOT_SERVED,
                    "nothing was changed, since the partition has no leader now, wait for one: partition=" + each);
            }
            if (!view.keepers(each).contains(member))
            {
                throw new CommandException(ExitCode.FAILED, "nothing was changed, since the member does not keep the " +
                    "partition: member=" + member + " partition=" + each);
            }
            if (!view.isInSync(each, member))
            {
                throw new CommandException(ExitCode.FAILED, "nothing was changed, since the member is not in sync, " +
                    "wait with kvctl cluster status --wait: member=" + member + " partition=" + each);
            }
            plan.add(new Move(each, leader, member));
        }
        return plan;
    }

    private List<Integer> partitions(final int count)
    {
        if (partition.equals(ALL))
        {
            return IntStream.range(0, count).boxed().toList();
        }
        if (!partition.matches("[0-9]{1,9}") || Integer.parseInt(partition) >= count)
        {
            throw new CommandException(ExitCode.USAGE, "there is no such partition, give 0 to " + (count - 1) +
                ", or all: partition=" + partition);
        }
        return List.of(Integer.parseInt(partition));
    }
}
