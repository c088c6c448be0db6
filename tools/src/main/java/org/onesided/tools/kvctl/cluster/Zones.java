package org.onesided.tools.kvctl.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * In which zones members of a cluster are. A member without a zone counts as a zone of its own. Immutable.
 */
final class Zones
{
    /** No member has one. */
    static final Zones NONE = new Zones(Map.of());

    private final Map<Long, String> names;

    /**
     * @param names of the zones, by numbers of members; none of a member without a zone.
     */
    Zones(final Map<Long, String> names)
    {
        this.names = Map.copyOf(names);
    }

    /** Whether any member has a zone. */
    boolean areNamed()
    {
        return !names.isEmpty();
    }

    /** Name of the zone of a member; null if it has none. */
    String name(final long member)
    {
        return names.get(member);
    }

    /** Whether two members are in the same zone. */
    boolean isSame(final long one, final long other)
    {
        return one == other || names.containsKey(one) && names.get(one).equals(names.get(other));
    }

    /** How many zones these members are in. */
    int count(final Collection<Long> members)
    {
        final long alone = members.stream().filter((member) -> !names.containsKey(member)).distinct().count();
        return (int)(alone + members.stream().map(names::get).filter((name) -> name != null).distinct().count());
    }

    /** Others of these members that are in the zone of that one. */
    List<Long> neighbours(final Collection<Long> members, final long member)
    {
        return members.stream().filter((each) -> each != member && isSame(each, member)).toList();
    }

    /** Pairs of these members that are in the same zone: the fewer, the more zones they are in, and the more evenly. */
    int pairs(final Collection<Long> members)
    {
        return members.stream().mapToInt((member) -> neighbours(members, member).size()).sum() / 2;
    }

    /**
     * Fewest pairs in one zone of some of these members: one after the other is where the fewest are.
     *
     * @param members among which to choose, each once.
     * @param count   how many to choose, at most all.
     * @return the number of pairs.
     */
    int fewestPairs(final Collection<Long> members, final int count)
    {
        final List<Long> chosen = new ArrayList<>();
        while (chosen.size() < count)
        {
            chosen.add(members.stream().filter((each) -> !chosen.contains(each))
                .min(Comparator.comparingInt((each) -> neighbours(chosen, each).size())).orElseThrow());
        }
        return pairs(chosen);
    }

    /**
     * What to say where replicas cannot be in different zones.
     *
     * @param members  of the cluster.
     * @param replicas of a partition.
     * @return one line; null if there are zones enough, or no member has one.
     */
    String shortage(final Collection<Long> members, final int replicas)
    {
        final int count = count(members);
        return !areNamed() || count >= replicas ? null : "there are fewer zones than replicas, so partitions have " +
            "several replicas in one zone, start servers in other zones (kvctl server --zone): zones=" + count +
            " replicas=" + replicas;
    }

    @Override
    public String toString()
    {
        return new TreeMap<>(names).toString();
    }
}
