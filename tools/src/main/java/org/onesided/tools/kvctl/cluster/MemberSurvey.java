package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * Asks the members of a cluster what they know of it.
 */
final class MemberSurvey
{
    private MemberSurvey()
    {
    }

    /** Asks members until one answers, and then the others that it names. */
    static ClusterView look(final StoreClientBuilder builder, final Collection<String> servers)
    {
        StoreException failure = null;
        for (final String server : servers)
        {
            try
            {
                return lookAround(builder, ask(builder, server));
            }
            catch (final StoreException e)
            {
                failure = failure == null ? e : failure;
            }
        }
        throw new CommandException(Failures.exitCode(failure), failure.getMessage(), failure);
    }

    private static ClusterState ask(final StoreClientBuilder builder, final String server)
    {
        try
        {
            final ClusterState state = builder.server(server).clusterState();
            if (state == null)
            {
                throw new CommandException(
                    ExitCode.FAILED, "this server is alone, not a member of a cluster: server=" + server);
            }
            return state;
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }

    private static ClusterView lookAround(final StoreClientBuilder builder, final ClusterState first)
    {
        final List<ClusterState> answers = new ArrayList<>(List.of(first));
        final Map<Long, String> failures = new TreeMap<>();
        final Set<Long> asked = new HashSet<>(Set.of(first.self()));
        // One may know members that another does not know yet.
        for (int i = 0; i < answers.size(); i++)
        {
            for (final ClusterState.Member member : answers.get(i).members())
            {
                if (asked.add(member.number()))
                {
                    lookAt(builder, member, first, answers, failures);
                }
            }
        }
        return new ClusterView(answers, failures);
    }

    private static void lookAt(
        final StoreClientBuilder builder,
        final ClusterState.Member member,
        final ClusterState first,
        final List<ClusterState> answers,
        final Map<Long, String> failures)
    {
        try
        {
            final ClusterState state = ask(builder, member.address());
            if (state.tableId() != first.tableId() || state.self() != member.number() ||
                state.partitions().size() != first.partitions().size())
            {
                failures.put(member.number(), "another server has this address: server=" + member.address());
            }
            else
            {
                answers.add(state);
            }
        }
        catch (final StoreException | CommandException e)
        {
            failures.put(member.number(), e.getMessage());
        }
    }
}
