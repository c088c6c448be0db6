package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * What the commands have in common that change the members of a cluster.
 */
abstract class MembersCommand extends KvctlCommand
{
    private static final Duration TELL_DEADLINE = Duration.ofSeconds(5);

    @Option(
        names = "--dry-run",
        description = "Show what would be changed, and change nothing.")
    private boolean isDryRun;

    private boolean isSpread;
    /** Of each partition; 0 if all members keep it. */
    private int replicas;

    @Mixin
    private DoneOption output;

    private final SettingOptions own = NamedMembers.options();

    @Mixin
    private final CommandSpec ownOptions = own.spec();

    @Override
    protected final ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        final StoreClientBuilder builder = ClientOptions.builder(own, invocation());
        final Set<String> seeds = NamedMembers.of(List.of(), own, invocation());
        final ClusterView view = MemberSurvey.look(builder, seeds);
        final ClusterState.Member removed = removed(view);
        final String server = added();
        isSpread = isSpread(builder, view);
        if (isSpread && removed != null && (server == null || replicas < 2))
        {
            checkRemoved(new ReplicaMoves(builder, seeds, this::tell).awaitKeepers((partition) -> true), removed);
        }
        if (isDryRun)
        {
            plan(builder, seeds, view, removed, server);
            return ExitCode.DONE;
        }
        final Admission admission = new Admission(builder, view, removed == null ? 0 : 1, this::tell);
        final ClusterFoundation.Member added = server == null ? null : admission.admit(server);
        checkDiffer(added, removed);
        if (isSpread && removed == null)
        {
            report(view, added, null, 0, count(view) + (isMember(view, added.number()) ? 0 : 1));
            return ExitCode.DONE;
        }
        final MembersChange change =
            new MembersChange(builder, seeds, added, removed == null ? 0 : removed.number(), isSpread, this::tell);
        final int changed = change.run();
        if (removed != null)
        {
            forget(builder, seeds, view, added, removed);
        }
        report(view, added, removed, changed, !isSpread ? change.members() :
            count(view) - 1 + (added == null || isMember(view, added.number()) ? 0 : 1));
        return ExitCode.DONE;
    }

    /** A member that keeps something goes only where another one comes. Nobody comes in the place of the only one. */
    private void checkRemoved(final List<Set<Long>> keepers, final ClusterState.Member removed)
    {
        final long kept = keepers.stream().filter((each) -> each.contains(removed.number())).count();
        if (kept > 0)
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, " + (replicas < 2 ? "a partition with a " +
                "single replica cannot move:" : "the member keeps partitions, which would have fewer replicas than " +
                "before: let others keep them with kvctl cluster drain, or put another server into its place with " +
                "kvctl cluster replace:") + " member=" + removed.number() + " partitions=" + kept + " replicas=" +
                replicas);
        }
        final List<Integer> unknown = ReplicaMoves.unknown(keepers);
        if (!unknown.isEmpty())
        {
            throw new CommandException(ExitCode.NOT_SERVED, "nothing was changed, since partitions have no leader, " +
                "or their members change, so it is not certain that the member keeps none of them, repeat the " +
                "command when they are served: member=" + removed.number() + " partitions=" + unknown);
        }
    }

    private static long count(final ClusterView view)
    {
        return view.members().size();
    }

    private static boolean isMember(final ClusterView view, final long number)
    {
        return view.members().stream().anyMatch((each) -> each.number() == number);
    }

    /** Whether partitions are on some members only. */
    private boolean isSpread(final StoreClientBuilder builder, final ClusterView view)
    {
        StoreException failure = null;
        for (final ClusterState.Member each : view.members())
        {
            if (view.isReachable(each.number()))
            {
                try (ClusterMember member = builder.server(each.address()).connectMember())
                {
                    replicas = member.foundation().replicas();
                    return replicas != 0;
                }
                catch (final StoreException e)
                {
                    failure = e;
                }
            }
        }
        throw failure == null ? new CommandException(ExitCode.CANNOT_CONNECT, "no member answers") :
            new CommandException(Failures.exitCode(failure), failure.getMessage(), failure);
    }

    /** Address of the server that becomes a member; null for none. */
    abstract String added();

    /** The member that is removed; null for none. */
    abstract ClusterState.Member removed(ClusterView view);

    private void plan(
        final StoreClientBuilder builder,
        final Set<String> seeds,
        final ClusterView view,
        final ClusterState.Member removed,
        final String server) throws IOException
    {
        ClusterFoundation.Member added = null;
        if (server != null)
        {
            added = new Admission(builder, view, removed == null ? 0 : 1, this::tell).look(server);
            checkDiffer(added, removed);
            tell("nothing is changed: " + server + " would be member " + added.number());
        }
        final List<MembersChange.Planned> planned = new MembersChange(
            builder, seeds, added, removed == null ? 0 : removed.number(), isSpread, this::tell).plan();
        output.print(new Figures()
            .add("dry_run", true)
            .add("added", added == null ? 0 : added.number())
            .add("removed", removed == null ? 0 : removed.number())
            .list("partitions", IntStream.range(0, planned.size())
                .mapToObj((i) -> planned.get(i).figures(i)).toList()), this);
    }

    private static void checkDiffer(final ClusterFoundation.Member added, final ClusterState.Member removed)
    {
        if (added != null && removed != null && added.number() == removed.number())
        {
            throw new CommandException(ExitCode.USAGE, "nothing was changed, a member does not replace itself: " +
                "member=" + removed.number() + " address=" + removed.address());
        }
    }

    private void forget(
        final StoreClientBuilder builder,
        final Set<String> seeds,
        final ClusterView view,
        final ClusterFoundation.Member added,
        final ClusterState.Member removed)
    {
        final List<ClusterState.Member> told = new ArrayList<>(view.members());
        told.removeIf((each) -> !view.isReachable(each.number()));
        if (added != null && !view.isReachable(added.number()))
        {
            told.add(new ClusterState.Member(added.number(), added.address()));
        }
        builder.deadline(TELL_DEADLINE);
        final Farewell farewell = new Farewell(removed, (to) -> tryForget(builder, to, removed.number()), this::tell);
        if (!isSpread)
        {
            farewell.tell(told);
            return;
        }
        told.removeIf((each) -> each.number() == removed.number());
        farewell.tellWhereSpread(told, view.isReachable(removed.number()),
            () -> new ReplicaMoves(builder, seeds, this::tell).awaitCommitted((partition) -> true));
        for (final ClusterState.Member each : view.members())
        {
            if (each.number() != removed.number() && !view.isReachable(each.number()))
            {
                // No log tells it, if it keeps nothing that the other one has kept.
                tell("member could not be told that another one has left, repeat the command when it answers: " +
                    "member=" + each.number() + " removed=" + removed.number());
            }
        }
    }

    /** Tells a member that one has left, if it does not know. */
    private static Optional<String> tryForget(
        final StoreClientBuilder builder, final ClusterState.Member told, final long removed)
    {
        try (ClusterMember member = builder.server(told.address()).connectMember())
        {
            for (final ClusterFoundation.Member known : member.foundation().members())
            {
                if (known.number() == removed)
                {
                    return member.tryForget(known);
                }
            }
            return Optional.empty();
        }
    }

    private void report(
        final ClusterView view,
        final ClusterFoundation.Member added,
        final ClusterState.Member removed,
        final int changed,
        final long count) throws IOException
    {
        final long losses = ((isSpread ? replicas : count) - 1) / 2;
        if (output.form() != null)
        {
            output.print(new Figures()
                .add("dry_run", false)
                .add("added", added == null ? 0 : added.number())
                .add("removed", removed == null ? 0 : removed.number())
                .add("partitions_changed", changed)
                .add("members", count)
                .add("losses_survived", losses), this);
            return;
        }
        tell("members=" + count + " losses that they survive=" + losses +
            (added == null ? "" : " added=" + added.number() + "@" + added.address()) +
            (removed == null ? "" : " removed=" + removed.number() + "@" + removed.address()));
        if (isSpread && removed == null)
        {
            tell("the new member keeps no partition yet: kvctl cluster rebalance gives it as many as others have");
        }
        if (removed != null && view.isReachable(removed.number()))
        {
            tell("stop the server " + removed.address() + " and delete its data directory");
        }
    }
}
