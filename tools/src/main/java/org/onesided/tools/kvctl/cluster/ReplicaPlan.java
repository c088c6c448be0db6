package org.onesided.tools.kvctl.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Which replicas are to go to other members, so that those of a partition are in many zones, and members keep equally
 * many; or so that one member keeps none.
 */
final class ReplicaPlan
{
    private final List<Set<Long>> before;
    private final List<Set<Long>> keepers = new ArrayList<>();
    /** Of the partitions; a replica that follows is moved rather than one that leads. */
    private final List<Long> leaders;
    private final Zones zones;
    /** Replicas of each member that may get some. */
    private final Map<Long, Integer> counts = new TreeMap<>();
    private final List<Move> moves = new ArrayList<>();

    private ReplicaPlan(
        final List<Set<Long>> keepers, final List<Long> leaders, final Collection<Long> members, final Zones zones)
    {
        before = keepers;
        keepers.forEach((each) -> this.keepers.add(new TreeSet<>(each)));
        this.leaders = leaders;
        this.zones = zones;
        members.forEach((member) -> counts.put(member, 0));
        keepers.forEach((each) -> each.forEach((member) ->
            counts.computeIfPresent(member, (number, count) -> count + 1)));
    }

    /**
     * Plans few moves, after which each partition is in as many zones as it can be, and members keep as equally many
     * replicas as that allows. Where zones are of equal size and all members answer, or there are none, no member keeps
     * two more than another.
     *
     * @param keepers of the partitions, in their order.
     * @param leaders of the partitions, in their order; 0 for none.
     * @param members that may keep replicas.
     * @param zones   of the members.
     * @return the moves, in their order.
     */
    static List<Move> even(
        final List<Set<Long>> keepers, final List<Long> leaders, final Collection<Long> members, final Zones zones)
    {
        final ReplicaPlan plan = new ReplicaPlan(keepers, leaders, members, zones);
        for (int i = 0; i < keepers.size(); i++)
        {
            plan.spread(i);
        }
        while (plan.relieve())
        {
            // Each time, the difference of two members gets smaller.
        }
        return plan.direct();
    }

    /**
     * Plans which replicas partitions lose that have more than they are to have, as a move was cut between the steps in
     * which one member comes and another one leaves. Rather those of members that do not answer, then those that share
     * a zone with others, of members that keep many, and that do not lead.
     *
     * @param keepers  of the partitions, in their order.
     * @param leaders  of the partitions, in their order; 0 for none.
     * @param members  that answer.
     * @param zones    of the members.
     * @param replicas that each partition is to have.
     * @return moves to members that have a replica already, in the order of the partitions.
     */
    static List<Move> shrink(
        final List<Set<Long>> keepers,
        final List<Long> leaders,
        final Collection<Long> members,
        final Zones zones,
        final int replicas)
    {
        final ReplicaPlan plan = new ReplicaPlan(keepers, leaders, members, zones);
        for (int i = 0; i < keepers.size(); i++)
        {
            Optional<Move> less = plan.less(i, replicas);
            while (less.isPresent())
            {
                plan.move(less.get());
                less = plan.less(i, replicas);
            }
        }
        return List.copyOf(plan.moves);
    }

    private Optional<Move> less(final int partition, final int replicas)
    {
        final Set<Long> present = keepers.get(partition);
        return present.size() <= replicas ? Optional.empty() : present.stream()
            .flatMap((from) -> stays(partition, from).stream().map((to) -> new Move(partition, from, to)))
            .min(Comparator.<Move, Boolean>comparing((move) -> counts.containsKey(move.from()))
                .thenComparing((move) -> pairsAfter(partition, move.from(), move.to()))
                .thenComparing((move) -> leaders.get(partition) == move.from())
                .thenComparing((move) -> -counts.getOrDefault(move.from(), 0)));
    }

    /** A member that answers, and keeps a partition when another one has left it. */
    private Optional<Long> stays(final int partition, final long from)
    {
        return keepers.get(partition).stream().filter((each) -> each != from && counts.containsKey(each)).findFirst();
    }

    /**
     * Plans moves after which a member keeps nothing. Where a partition has more replicas than it is to have, the
     * member's is not replaced. Each other replica goes to a zone in which the partition has few
     * others, and there to a member that keeps few.
     *
     * @param keepers of the partitions, in their order.
     * @param member  that is to keep nothing.
     * @param others  that may get replicas.
     * @param zones   of the members.
     * @param replicas that each partition is to have.
     * @return the moves, in the order of the partitions; empty if a partition has no other home.
     */
    static Optional<List<Move>> drain(
        final List<Set<Long>> keepers,
        final long member,
        final Collection<Long> others,
        final Zones zones,
        final int replicas)
    {
        final ReplicaPlan plan = new ReplicaPlan(keepers, List.of(), others, zones);
        for (int i = 0; i < keepers.size(); i++)
        {
            if (keepers.get(i).contains(member))
            {
                final Optional<Long> to =
                    keepers.get(i).size() > replicas ? plan.stays(i, member) : plan.home(i, member);
                if (to.isEmpty())
                {
                    return Optional.empty();
                }
                plan.move(new Move(i, member, to.get()));
            }
        }
        return Optional.of(List.copyOf(plan.moves));
    }

    /**
     * Who keeps the partitions after moves.
     *
     * @param keepers of the partitions before, in their order.
     * @param moves   to be made.
     * @return the keepers after them.
     */
    static List<Set<Long>> after(final List<Set<Long>> keepers, final List<Move> moves)
    {
        final ReplicaPlan plan = new ReplicaPlan(keepers, List.of(), List.of(), Zones.NONE);
        moves.forEach(plan::move);
        return List.copyOf(plan.keepers);
    }

    /**
     * Finds the partitions of which more replicas share a zone after moves than before.
     *
     * @param keepers of the partitions before, in their order.
     * @param moves   to be made.
     * @param zones   of the members.
     * @return their numbers.
     */
    static List<Integer> crowded(final List<Set<Long>> keepers, final List<Move> moves, final Zones zones)
    {
        final ReplicaPlan plan = new ReplicaPlan(keepers, List.of(), List.of(), zones);
        moves.forEach(plan::move);
        return IntStream.range(0, keepers.size())
            .filter((i) -> zones.pairs(plan.keepers.get(i)) > zones.pairs(keepers.get(i))).boxed().toList();
    }

    private Optional<Long> home(final int partition, final long from)
    {
        return counts.keySet().stream().filter((each) -> !keepers.get(partition).contains(each))
            .min(Comparator.<Long>comparingInt((to) -> pairsAfter(partition, from, to)).thenComparing(counts::get));
    }

    /** Pairs of a partition's replicas in one zone, if one of them goes to another member. */
    private int pairsAfter(final int partition, final long from, final long to)
    {
        final Set<Long> after = new TreeSet<>(keepers.get(partition));
        after.remove(from);
        after.add(to);
        return zones.pairs(after);
    }

    private void move(final Move move)
    {
        keepers.get(move.partition()).remove(move.from());
        counts.computeIfPresent(move.from(), (number, count) -> count - 1);
        if (keepers.get(move.partition()).add(move.to()))
        {
            counts.merge(move.to(), 1, Integer::sum);
        }
        moves.add(move);
    }

    /** Lets a partition be in as many zones as it can be: moves as long as one move helps. */
    private void spread(final int partition)
    {
        Optional<Move> next = better(partition);
        while (next.isPresent())
        {
            move(next.get());
            next = better(partition);
        }
    }

    private Optional<Move> better(final int partition)
    {
        final Set<Long> present = keepers.get(partition);
        final int pairs = zones.pairs(present);
        return pairs == 0 ? Optional.empty() : present.stream().filter(counts::containsKey)
            .flatMap((from) -> counts.keySet().stream().filter((to) -> !present.contains(to))
                .map((to) -> new Move(partition, from, to)))
            .filter((move) -> pairsAfter(partition, move.from(), move.to()) < pairs)
            .min(Comparator.<Move>comparingInt((move) -> pairsAfter(partition, move.from(), move.to()))
                .thenComparing((move) -> counts.get(move.to()) - counts.get(move.from()))
                .thenComparing((move) -> leaders.get(partition) == move.from()));
    }

    /** Takes a replica from one of the members with most. */
    private boolean relieve()
    {
        return inOrder(Map.Entry.<Long, Integer>comparingByValue().reversed()).stream().anyMatch(this::relieve);
    }

    private List<Long> inOrder(final Comparator<Map.Entry<Long, Integer>> order)
    {
        return counts.entrySet().stream().sorted(order).map(Map.Entry::getKey).toList();
    }

    /**
     * Finds a member with at least two fewer that can keep a replica of this one without harm to the zones, or, where
     * none can, one that can keep a replica of another which can keep one of this: each of those between gives one and
     * gets one. On the shortest way, no step spoils another one, as no partition could have gone further by one step.
     */
    private boolean relieve(final long from)
    {
        if (counts.get(from) - Collections.min(counts.values()) < 2)
        {
            return false;
        }
        final Map<Long, Move> last = new HashMap<>();
        final Deque<Long> reached = new ArrayDeque<>(List.of(from));
        while (!reached.isEmpty())
        {
            final long giver = reached.remove();
            for (final long taker : inOrder(Map.Entry.comparingByValue()))
            {
                final int partition = taker == from || last.containsKey(taker) ? -1 : partition(giver, taker);
                if (partition >= 0)
                {
                    last.put(taker, new Move(partition, giver, taker));
                    reached.add(taker);
                    if (counts.get(from) - counts.get(taker) >= 2)
                    {
                        for (Move move = last.get(taker); move != null; move = last.get(move.from()))
                        {
                            move(move);
                        }
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** A partition that one member can give to another one, without more pairs in one zone; -1 for none. */
    private int partition(final long from, final long to)
    {
        return IntStream.range(0, keepers.size())
            .filter((i) -> keepers.get(i).contains(from) && !keepers.get(i).contains(to) && isZoneSure(i, from, to) &&
                pairsAfter(i, from, to) <= zones.pairs(keepers.get(i))).boxed()
            .min(Comparator.comparing((i) -> leaders.get(i) == from)).orElse(-1);
    }

    /** Whether a move cannot lead into the zone of a member that keeps the partition, and has not told its zone. */
    private boolean isZoneSure(final int partition, final long from, final long to)
    {
        return !zones.areNamed() || zones.isSame(from, to) || counts.keySet().containsAll(keepers.get(partition));
    }

    /** The moves; where a replica would move twice, others that lead to the same. */
    private List<Move> direct()
    {
        final List<Move> direct = new ArrayList<>();
        for (int i = 0; i < keepers.size(); i++)
        {
            direct.addAll(between(i, before.get(i), keepers.get(i), zones));
        }
        return List.copyOf(direct.size() == moves.size() ? moves : direct);
    }

    /**
     * Plans moves from some keepers of a partition to as many others. Those within a zone come first: otherwise the
     * zone might have one replica too many until the other moves are made.
     *
     * @param partition its number.
     * @param before    members that keep it.
     * @param after     members that are to keep it.
     * @param zones     of the members.
     * @return the moves, in their order.
     */
    static List<Move> between(final int partition, final Set<Long> before, final Set<Long> after, final Zones zones)
    {
        final Set<Long> lost = new TreeSet<>(before);
        lost.removeAll(after);
        final Set<Long> gained = new TreeSet<>(after);
        gained.removeAll(before);
        final List<Move> between = new ArrayList<>();
        for (final long from : List.copyOf(lost))
        {
            gained.stream().filter((to) -> zones.isSame(from, to)).findFirst().ifPresent((to) ->
            {
                between.add(new Move(partition, from, to));
                lost.remove(from);
                gained.remove(to);
            });
        }
        final Iterator<Long> others = gained.iterator();
        lost.forEach((from) -> between.add(new Move(partition, from, others.next())));
        return between;
    }
}
