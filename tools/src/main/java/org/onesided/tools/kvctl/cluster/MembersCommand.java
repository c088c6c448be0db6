package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.GivenSettings;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.SettingOptions;
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
        final Set<String> seeds = Seeds.of(List.of(),
            new GivenSettings(own, invocation().connection(), surroundings()).value(ClientSettings.SERVER));
        final ClusterView view = MemberSurvey.look(builder, seeds);
        final ClusterState.Member removed = removed(view);
        final String server = added();
        if (isDryRun)
        {
            plan(builder, seeds, view, removed, server);
            return ExitCode.DONE;
        }
        final ClusterFoundation.Member added =
            server == null ? null : new Admission(builder, view, this::tell).admit(server);
        final int changed = new MembersChange(
            builder, seeds, added, removed == null ? 0 : removed.number(), this::tell).run();
        if (removed != null)
        {
            forget(builder, view, removed);
        }
        report(view, added, removed, changed);
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
            added = new Admission(builder, view, this::tell).look(server);
            tell("nothing is changed: " + server + " would be member " + added.number());
        }
        new MembersChange(builder, seeds, added, removed == null ? 0 : removed.number(), this::tell).plan();
    }

    /** A member that no partition had is still on the lists of those who heard that it comes. */
    private void forget(
        final StoreClientBuilder builder, final ClusterView view, final ClusterState.Member removed)
    {
        for (final ClusterState.Member each : view.members())
        {
            if (each.number() != removed.number() && view.isReachable(each.number()))
            {
                try (ClusterMember member = builder.server(each.address()).connectMember())
                {
                    for (final ClusterFoundation.Member known : member.foundation().members())
                    {
                        if (known.number() == removed.number())
                        {
                            member.forget(known);
                        }
                    }
                }
                catch (final StoreException e)
                {
                    // It hears so from the logs of the partitions.
                }
            }
        }
    }

    private void report(
        final ClusterView view,
        final ClusterFoundation.Member added,
        final ClusterState.Member removed,
        final int changed) throws IOException
    {
        final long count = view.members().size() - (removed == null ? 0 : 1) +
            (added == null || view.members().stream().anyMatch((member) -> member.number() == added.number()) ? 0 : 1);
        if (output.form() != null)
        {
            output.print(new Figures()
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
