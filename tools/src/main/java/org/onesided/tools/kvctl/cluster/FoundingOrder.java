package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;

/**
 * In which order members found a cluster. From their order, each member computes who keeps which partition at first, so
 * the order decides in how many zones the replicas of a partition are.
 */
final class FoundingOrder
{
    /** Of each partition, where in the order its members are. */
    private final List<List<Integer>> places;
    private final Zones zones;

    private FoundingOrder(final int members, final int partitions, final int replicas, final Zones zones)
    {
        this.zones = zones;
        final ClusterDescription any = ClusterDescription.founding(1, LongStream.rangeClosed(1, members)
            .mapToObj((number) -> new ClusterMember(number, "a:" + number, "b:" + number)).toList(), replicas, 1);
        places = IntStream.range(0, partitions).mapToObj((partition) -> any.founders(partition).stream()
            .map((member) -> (int)member.number() - 1).toList()).toList();
    }

    /**
     * Finds an order by which replicas are in many zones. It need not be the best: replicas can move.
     *
     * @param members    their number; they are numbered from 1.
     * @param partitions of the table.
     * @param replicas   of each partition; 0 if all members keep it.
     * @param zones      of the members.
     * @return numbers of the members; ascending if that is as good.
     */
    static List<Long> of(final int members, final int partitions, final int replicas, final Zones zones)
    {
        final FoundingOrder search = new FoundingOrder(members, partitions, replicas, zones);
        final List<Long> ascending = LongStream.rangeClosed(1, members).boxed().toList();
        if (search.pairs(ascending) == 0)
        {
            return ascending;
        }
        final List<Long> improved = search.improved(ascending);
        final List<Long> dealt = search.improved(search.dealt(ascending));
        final List<Long> best = search.pairs(dealt) < search.pairs(improved) ? dealt : improved;
        return search.pairs(best) < search.pairs(ascending) ? best : ascending;
    }

    /** One of each zone, then the next of each, and so on. */
    private List<Long> dealt(final List<Long> members)
    {
        final List<Long> dealt = new ArrayList<>();
        for (int turn = 0; dealt.size() < members.size(); turn++)
        {
            for (final long member : members)
            {
                if (zones.neighbours(members.subList(0, members.indexOf(member)), member).size() == turn)
                {
                    dealt.add(member);
                }
            }
        }
        return dealt;
    }

    /** Lets members swap their places as long as that helps. */
    private List<Long> improved(final List<Long> from)
    {
        final List<Long> order = new ArrayList<>(from);
        int least = pairs(order);
        boolean isBetter = true;
        while (isBetter)
        {
            isBetter = false;
            for (int i = 0; i < order.size(); i++)
            {
                for (int j = i + 1; j < order.size(); j++)
                {
                    Collections.swap(order, i, j);
                    final int pairs = pairs(order);
                    if (pairs < least)
                    {
                        least = pairs;
                        isBetter = true;
                    }
                    else
                    {
                        Collections.swap(order, i, j);
                    }
                }
            }
        }
        return order;
    }

    /** Pairs of replicas that are in the same zone. */
    private int pairs(final List<Long> order)
    {
        return places.stream().mapToInt((place) -> zones.pairs(place.stream().map(order::get).toList())).sum();
    }
}
