package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which partitions are to get another leader so that members lead equally many.
 */
final class LeaderPlan
{
    /**
     * A partition that gets another leader.
     *
     * @param partition its number.
     * @param from      member that leads it.
     * @param to        member that is to lead it.
     */
    record Move(int partition, long from, long to)
    {
    }

    /** Tells whether a member could lead a partition at once. */
    @FunctionalInterface
    interface Eligibility
    {
        boolean test(int partition, long member);
    }

    private final List<Long> leaders;
    private final Eligibility eligibility;
    private final Map<Long, Integer> counts = new TreeMap<>();
    private final List<Move> moves = new ArrayList<>();

    private LeaderPlan(final List<Long> leaders, final List<Long> members, final Eligibility eligibility)
    {
        this.leaders = new ArrayList<>(leaders);
        this.eligibility = eligibility;
        members.forEach((member) -> counts.put(member, 0));
        leaders.forEach((leader) -> counts.computeIfPresent(leader, (member, count) -> count + 1));
    }

    /**
     * Makes a plan: the fewest moves that bring the numbers as near to each other as those allow that are eligible.
     *
     * @param leaders     of the partitions, in their order; 0 for one that has none.
     * @param members     that may lead.
     * @param eligibility of a member for a partition.
     * @return the moves, in their order; none of a partition twice.
     */
    static List<Move> even(final List<Long> leaders, final List<Long> members, final Eligibility eligibility)
    {
        final LeaderPlan plan = new LeaderPlan(leaders, members, eligibility);
        while (plan.addMove())
        {
            // Each one makes the difference of two members smaller.
        }
        return List.copyOf(plan.moves);
    }

    /** Finds a partition of the member with most that one with at least two fewer can lead. */
    private boolean addMove()
    {
        final Comparator<Map.Entry<Long, Integer>> byCount = Map.Entry.comparingByValue();
        final List<Long> least = counts.entrySet().stream().sorted(byCount).map(Map.Entry::getKey).toList();
        final List<Long> most = counts.entrySet().stream().sorted(byCount.reversed()).map(Map.Entry::getKey).toList();
        for (final long from : most)
        {
            for (final long to : least)
            {
                if (counts.get(from) - counts.get(to) >= 2 && addMove(from, to))
                {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean addMove(final long from, final long to)
    {
        for (int i = 0; i < leaders.size(); i++)
        {
            final int partition = i;
            if (leaders.get(i) == from && eligibility.test(i, to) &&
                moves.stream().noneMatch((move) -> move.partition == partition))
            {
                leaders.set(i, to);
                counts.merge(from, -1, Integer::sum);
                counts.merge(to, 1, Integer::sum);
                moves.add(new Move(i, from, to));
                return true;
            }
        }
        return false;
    }
}
