package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.onesided.client.ClusterMember;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;

/**
 * Who keeps the partitions, as their logs have it committed. Whom a leader sends to says less: some of them may be on
 * their way only.
 */
final class CommittedMembers
{
    private final List<Set<Long>> keepers = new ArrayList<>();
    private final List<Integer> inMotion = new ArrayList<>();
    private final ClusterView view;

    /**
     * @param view of the cluster.
     * @param led  what leaders have told: numbers of the committed members, by partition.
     */
    CommittedMembers(final ClusterView view, final Map<Integer, List<Long>> led)
    {
        this.view = view;
        for (int i = 0; i < view.partitions().size(); i++)
        {
            final Set<Long> members = new TreeSet<>(led.getOrDefault(i, List.of()));
            keepers.add(members);
            if (members.isEmpty() || !members.equals(view.keepers(i)))
            {
                inMotion.add(i);
            }
        }
    }

    /** Asks the leaders. Those that do not answer have told nothing. */
    static CommittedMembers ask(final StoreClientBuilder builder, final ClusterView view)
    {
        final Map<Integer, List<Long>> led = new HashMap<>();
        final Set<Long> leaders = view.partitions().stream().map(ClusterView.Leadership::leader)
            .filter(view::isReachable).collect(Collectors.toCollection(TreeSet::new));
        for (final long leader : leaders)
        {
            try (ClusterMember member = builder.server(view.address(leader)).connectMember())
            {
                member.led().forEach((partition, members) ->
                {
                    // Another one may believe that it leads still.
                    if (view.partitions().get(partition).leader() == leader)
                    {
                        led.put(partition, members);
                    }
                });
            }
            catch (final StoreReadOnlyException | StoreAccessException e)
            {
                throw new CommandException(Failures.exitCode(e), e.getMessage(), e);
            }
            catch (final StoreException e)
            {
                // It has told nothing, and is asked again.
                led.keySet().removeIf((partition) -> view.partitions().get(partition).leader() == leader);
            }
        }
        return new CommittedMembers(view, led);
    }

    /** Numbers of the members, of each partition in their order; none where no leader has told. */
    List<Set<Long>> keepers()
    {
        return List.copyOf(keepers);
    }

    /** Partitions of which it is not certain who will keep them, as far as nobody begins another change. */
    List<Integer> inMotion()
    {
        return List.copyOf(inMotion);
    }

    /** Whether a partition has a leader that answers. If not, it may take long until something changes. */
    boolean isLed(final int partition)
    {
        final ClusterView.Leadership each = view.partitions().get(partition);
        return view.isReachable(each.leader()) && (each.isServed() || !each.followers().isEmpty());
    }

    /** Numbers of the members that lead something, as far as they are known. */
    Set<Long> leaders()
    {
        return view.partitions().stream().map(ClusterView.Leadership::leader).filter((leader) -> leader != 0)
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
