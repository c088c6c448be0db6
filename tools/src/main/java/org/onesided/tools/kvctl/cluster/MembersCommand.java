package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.settings.ClientSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * What the commands have in common that change the members of a cluster.
 */
abstract class MembersCommand extends KvctlCommand
{
    private static final long FORGET_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final Duration TELL_DEADLINE = Duration.ofSeconds(5);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @Option(
        names = "--dry-run",
        description = "Show what would be changed, and change nothing.")
    private boolean isDryRun;

    @Mixin
    private DoneOption output;

    private final SettingOptions own = new SettingOptions()
        .add(List.of(ClientSettings.SERVER, ClientOptions.TOKEN_FILE, ClientSettings.DEADLINE))
        .addGroup("TLS options", ClientSettings.tls());

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
        if (isDryRun)
        {
            plan(builder, seeds, view, removed, server);
            return ExitCode.DONE;
        }
        final Admission admission = new Admission(builder, view, removed == null ? 0 : 1, this::tell);
        final ClusterFoundation.Member added = server == null ? null : admission.admit(server);
        checkDiffer(added, removed);
        final MembersChange change =
            new MembersChange(builder, seeds, added, removed == null ? 0 : removed.number(), this::tell);
        final int changed = change.run();
        if (removed != null)
        {
            forget(builder, view, added, removed);
        }
        report(view, added, removed, changed, change.members());
        return ExitCode.DONE;
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
        final List<MembersChange.Planned> planned =
            new MembersChange(builder, seeds, added, removed == null ? 0 : removed.number(), this::tell).plan();
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

    /**
     * Tells all that a member has left: itself, too, as it may not have heard so from any log. The others listen once
     * all their logs have told them, and then take a new server at its address. Those who do not listen yet are asked
     * in turns, so that one that does not answer takes no time from the others.
     */
    private void forget(
        final StoreClientBuilder builder,
        final ClusterView view,
        final ClusterFoundation.Member added,
        final ClusterState.Member removed)
    {
        final List<ClusterState.Member> untold = new ArrayList<>(view.members());
        untold.removeIf((each) -> !view.isReachable(each.number()));
        if (added != null && !view.isReachable(added.number()))
        {
            untold.add(new ClusterState.Member(added.number(), added.address()));
        }
        builder.deadline(TELL_DEADLINE);
        final long beginNs = System.nanoTime();
        boolean isSaid = false;
        untold.removeIf((each) -> tryForget(builder, each, removed.number()));
        while (!untold.isEmpty() && System.nanoTime() - beginNs < FORGET_NS && !Thread.currentThread().isInterrupted())
        {
            if (!isSaid && System.nanoTime() - beginNs > SILENT_NS)
            {
                tell("waiting until all members have heard from their logs that the server has left");
                isSaid = true;
            }
            LockSupport.parkNanos(PAUSE_NS);
            untold.removeIf((each) -> System.nanoTime() - beginNs < FORGET_NS &&
                tryForget(builder, each, removed.number()));
        }
        for (final ClusterState.Member each : untold)
        {
            tell(each.number() == removed.number() ?
                "the server could not be told that it is no member any more: server=" + removed.address() :
                "a member has not heard yet that the server has left, and refuses a new one at its address until " +
                "then: member=" + each.number());
        }
    }

    /** Tells a member that one has left, if it does not know; whether it knows now. */
    private static boolean tryForget(
        final StoreClientBuilder builder, final ClusterState.Member told, final long removed)
    {
        try (ClusterMember member = builder.server(told.address()).connectMember())
        {
            for (final ClusterFoundation.Member known : member.foundation().members())
            {
                if (known.number() == removed)
                {
                    member.forget(known);
                }
            }
            return true;
        }
        catch (final StoreException e)
        {
            // It has a log that has not told it so yet, or is away.
            return false;
        }
    }

    private void report(
        final ClusterView view,
        final ClusterFoundation.Member added,
        final ClusterState.Member removed,
        final int changed,
        final long count) throws IOException
    {
        if (output.form() != null)
        {
            output.print(new Figures()
                .add("dry_run", false)
                .add("added", added == null ? 0 : added.number())
                .add("removed", removed == null ? 0 : removed.number())
                .add("partitions_changed", changed)
                .add("members", count)
                .add("losses_survived", (count - 1) / 2), this);
            return;
        }
        tell("members=" + count + " losses that they survive=" + (count - 1) / 2 +
            (added == null ? "" : " added=" + added.number() + "@" + added.address()) +
            (removed == null ? "" : " removed=" + removed.number() + "@" + removed.address()));
        if (removed != null && view.isReachable(removed.number()))
        {
            tell("stop the server " + removed.address() + " and delete its data directory");
        }
    }
}
