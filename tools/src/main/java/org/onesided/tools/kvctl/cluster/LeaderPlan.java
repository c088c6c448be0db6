package org.onesided.tools.kvctl.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which partitions are to get another leader so that members lead equally many.
 */
final class LeaderPlan
{
    /** Tells whether a member could lead a partition at once. */
    @FunctionalInterface
    interface Eligibility
    {
        boolean test(int partition, long member);
    }

    private final List<Long> leaders;
    private final Eligibility eligibility;
    private final Map<Long, Integer> counts = new TreeMap<>();

    private LeaderPlan(final List<Long> leaders, final List<Long> members, final Eligibility eligibility)
    {
        this.leaders = new ArrayList<>(leaders);
        this.eligibility = eligibility;
        members.forEach((member) -> counts.put(member, 0));
        leaders.forEach((leader) -> counts.computeIfPresent(leader, (member, count) -> count + 1));
    }

    /**
     * Makes a plan: few moves that bring the numbers as near to each other as those allow that are eligible.
     *
     * @param leaders     of the partitions, in their order; 0 for one that has none.
     * @param members     that may lead.
     * @param eligibility of a member for a partition.
     * @return the moves, in the order of their partitions; none of a partition twice.
     */
    static List<Move> even(final List<Long> leaders, final List<Long> members, final Eligibility eligibility)
    {
        final LeaderPlan plan = new LeaderPlan(leaders, members, eligibility);
        while (plan.relieve())
        {
            // Each time, the difference of two members gets smaller.
        }
        return IntStream.range(0, leaders.size())
            .filter((i) -> !leaders.get(i).equals(plan.leaders.get(i)))
            .mapToObj((i) -> new Move(i, leaders.get(i), plan.leaders.get(i))).toList();
    }

    /** Takes a partition from one of the members with most. */
    private boolean relieve()
    {
        final List<Long> most = inOrder(Map.Entry.<Long, Integer>comparingByValue().reversed());
        for (final long from : most)
        {
            if (relieve(from))
            {
                return true;
            }
        }
        return false;
    }

    private List<Long> inOrder(final Comparator<Map.Entry<Long, Integer>> order)
    {
        return counts.entrySet().stream().sorted(order).map(Map.Entry::getKey).toList();
    }

    /**
     * Finds a member with at least two fewer that can lead a partition of this one, or, where none can, one of another
     * that can lead one of this: each of those between gives one and gets one.
     */
    private boolean relieve(final long from)
    {
        final Map<Long, Long> before = new HashMap<>(Map.of(from, 0L));
        final Deque<Long> reached = new ArrayDeque<>(List.of(from));
        while (!reached.isEmpty())
        {
            final long giver = reached.remove();
            for (final long taker : inOrder(Map.Entry.comparingByValue()))
            {
                if (!before.containsKey(taker) && partition(giver, taker) >= 0)
                {
                    before.put(taker, giver);
                    reached.add(taker);
                    if (counts.get(from) - counts.get(taker) >= 2)
                    {
                        counts.merge(from, -1, Integer::sum);
                        counts.merge(taker, 1, Integer::sum);
                        give(before, taker);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Each member on the way gives a partition to the next one; the last one first, so that no partition goes on. */
    private void give(final Map<Long, Long> before, final long last)
    {
        long taker = last;
        while (before.get(taker) != 0)
        {
            final long giver = before.get(taker);
            leaders.set(partition(giver, taker), taker);
            taker = giver;
        }
    }

    /** The first partition of one member that another one can lead; -1 for none. */
    private int partition(final long giver, final long taker)
    {
        return IntStream.range(0, leaders.size())
            .filter((i) -> leaders.get(i) == giver && eligibility.test(i, taker)).findFirst().orElse(-1);
    }
}
