package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Which replicas are to go to other members, so that members keep equally many, or one keeps none.
 */
final class ReplicaPlan
{
    private final List<Set<Long>> keepers = new ArrayList<>();
    /** Of the partitions; a replica that follows is moved rather than one that leads. */
    private final List<Long> leaders;
    /** Replicas of each member that may get some. */
    private final Map<Long, Integer> counts = new TreeMap<>();
    private final List<Move> moves = new ArrayList<>();

    private ReplicaPlan(final List<Set<Long>> keepers, final List<Long> leaders, final Collection<Long> members)
    {
        keepers.forEach((each) -> this.keepers.add(new TreeSet<>(each)));
        this.leaders = leaders;
        members.forEach((member) -> counts.put(member, 0));
        keepers.forEach((each) -> each.forEach((member) ->
            counts.computeIfPresent(member, (number, count) -> count + 1)));
    }

    /**
     * Plans few moves, after which no member keeps two replicas more than another.
     *
     * @param keepers of the partitions, in their order.
     * @param leaders of the partitions, in their order; 0 for none.
     * @param members that may keep replicas.
     * @return the moves, in their order.
     */
    static List<Move> even(final List<Set<Long>> keepers, final List<Long> leaders, final Collection<Long> members)
    {
        final ReplicaPlan plan = new ReplicaPlan(keepers, leaders, members);
        long from = plan.most();
        long to = plan.least(Set.of()).orElse(from);
        while (!plan.counts.isEmpty() && plan.counts.get(from) - plan.counts.get(to) >= 2)
        {
            plan.move(plan.partition(from, to), from, to);
            from = plan.most();
            to = plan.least(Set.of()).orElse(from);
        }
        return List.copyOf(plan.moves);
    }

    /**
     * Plans moves after which a member keeps nothing, and the others keep as equally many as that allows.
     *
     * @param keepers of the partitions, in their order.
     * @param member  that is to keep nothing.
     * @param others  that may get replicas.
     * @return the moves, in the order of the partitions; empty if a partition has no other home.
     */
    static Optional<List<Move>> drain(
        final List<Set<Long>> keepers, final long member, final Collection<Long> others)
    {
        final ReplicaPlan plan = new ReplicaPlan(keepers, List.of(), others);
        for (int i = 0; i < keepers.size(); i++)
        {
            if (keepers.get(i).contains(member))
            {
                final Optional<Long> to = plan.least(keepers.get(i));
                if (to.isEmpty())
                {
                    return Optional.empty();
                }
                plan.move(i, member, to.get());
            }
        }
        return Optional.of(List.copyOf(plan.moves));
    }

    private void move(final int partition, final long from, final long to)
    {
        keepers.get(partition).remove(from);
        keepers.get(partition).add(to);
        counts.computeIfPresent(from, (number, count) -> count - 1);
        counts.merge(to, 1, Integer::sum);
        moves.add(new Move(partition, from, to));
    }

    /** One that has more replicas than the other keeps a partition that the other does not. */
    private int partition(final long from, final long to)
    {
        return IntStream.range(0, keepers.size())
            .filter((i) -> keepers.get(i).contains(from) && !keepers.get(i).contains(to)).boxed()
            .min(Comparator.comparing((i) -> leaders.get(i) == from)).orElseThrow();
    }

    private long most()
    {
        return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey).orElse(0L);
    }

    private Optional<Long> least(final Collection<Long> but)
    {
        return counts.entrySet().stream().filter((each) -> !but.contains(each.getKey()))
            .min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }
}
