package org.onesided.tools.kvctl.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;

/** Plans for replicas of members in zones, and the order in which such members found a cluster. */
class ZonePlanTest
{
    /** A cluster as it may be. */
    private record Cluster(List<Set<Long>> keepers, List<Long> leaders, List<Long> members, Zones zones, int replicas)
    {
        static Cluster random(final Random random, final int most, final int mostPartitions, final boolean hasZones)
        {
            final int count = 4 + random.nextInt(most - 3);
            final int replicas = count < 6 || random.nextBoolean() ? 3 : 5;
            final List<Long> members = upTo(count);
            final List<Set<Long>> keepers = new ArrayList<>();
            for (int partition = random.nextInt(mostPartitions); partition >= 0; partition--)
            {
                final List<Long> all = new ArrayList<>(members);
                Collections.shuffle(all, random);
                keepers.add(new TreeSet<>(all.subList(0, replicas)));
            }
            final List<Long> leaders = keepers.stream().map((each) -> each.iterator().next()).toList();
            final Map<Long, String> names = new HashMap<>();
            final int zones = 1 + random.nextInt(count);
            members.forEach((member) ->
            {
                if (hasZones && random.nextInt(8) > 0)
                {
                    names.put(member, "zone-" + random.nextInt(zones));
                }
            });
            return new Cluster(keepers, leaders, members, new Zones(names), replicas);
        }

        /** Fewest pairs of a partition's replicas in one zone: one after the other goes where the fewest are. */
        int fewestPairs()
        {
            final List<Long> chosen = new ArrayList<>();
            while (chosen.size() < replicas)
            {
                chosen.add(members.stream().filter((each) -> !chosen.contains(each))
                    .min(Comparator.comparingInt((each) -> zones.neighbours(chosen, each).size())).orElseThrow());
            }
            return zones.pairs(chosen);
        }

        List<Move> even()
        {
            return ReplicaPlan.even(keepers, leaders, members, zones);
        }
    }

    private static List<Long> upTo(final long count)
    {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }

    private static List<Set<Long>> after(final List<Set<Long>> keepers, final List<Move> moves)
    {
        final List<Set<Long>> after = new ArrayList<>();
        keepers.forEach((each) -> after.add(new TreeSet<>(each)));
        for (final Move move : moves)
        {
            assertTrue(after.get(move.partition()).remove(move.from()), move.toString());
            assertTrue(after.get(move.partition()).add(move.to()), move.toString());
        }
        return after;
    }

    /** Nor between two moves of a partition, if the command is cut short there. */
    private static void assertNeverMorePairs(final Cluster cluster, final List<Move> moves)
    {
        for (int made = 1; made < moves.size(); made++)
        {
            final List<Set<Long>> between = after(cluster.keepers, moves.subList(0, made));
            final int partition = moves.get(made - 1).partition();
            assertTrue(cluster.zones.pairs(between.get(partition)) <=
                cluster.zones.pairs(cluster.keepers.get(partition)), cluster + " " + moves);
        }
    }

    private static long[] counts(final List<Set<Long>> keepers, final List<Long> members)
    {
        return members.stream()
            .mapToLong((member) -> keepers.stream().filter((each) -> each.contains(member)).count()).toArray();
    }

    private static long squares(final List<Set<Long>> keepers, final List<Long> members)
    {
        return Arrays.stream(counts(keepers, members)).map((count) -> count * count).sum();
    }

    /** As replicas were evened out before there were zones. */
    private static List<Move> evenWithoutZones(final Cluster cluster)
    {
        final List<Set<Long>> keepers = after(cluster.keepers, List.of());
        final Map<Long, Integer> counts = new TreeMap<>();
        cluster.members.forEach((member) ->
            counts.put(member, (int)keepers.stream().filter((each) -> each.contains(member)).count()));
        final List<Move> moves = new ArrayList<>();
        while (true)
        {
            final long from = counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
            final long to = counts.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
            if (counts.get(from) - counts.get(to) < 2)
            {
                return moves;
            }
            final int partition = IntStream.range(0, keepers.size())
                .filter((i) -> keepers.get(i).contains(from) && !keepers.get(i).contains(to)).boxed()
                .min(Comparator.comparing((i) -> cluster.leaders.get(i) == from)).orElseThrow();
            keepers.get(partition).remove(from);
            keepers.get(partition).add(to);
            counts.merge(from, -1, Integer::sum);
            counts.merge(to, 1, Integer::sum);
            moves.add(new Move(partition, from, to));
        }
    }

    @Test
    void shouldPlanWithoutZonesAsEver()
    {
        final Random random = new Random(1);
        for (int i = 0; i < 1_000; i++)
        {
            final Cluster cluster = Cluster.random(random, 9, 20, false);
            assertEquals(evenWithoutZones(cluster), cluster.even());
        }
    }

    @Test
    void shouldSpreadEachPartitionOverAsManyZonesAsThereAre()
    {
        final Random random = new Random(2);
        for (int i = 0; i < 1_000; i++)
        {
            final Cluster cluster = Cluster.random(random, 9, 20, true);
            final List<Move> moves = cluster.even();
            final List<Set<Long>> after = after(cluster.keepers, moves);
            after.forEach((each) -> assertEquals(cluster.fewestPairs(), cluster.zones.pairs(each), cluster.toString()));
            // A second command finds nothing to move.
            assertEquals(List.of(), new Cluster(after, cluster.leaders, cluster.members, cluster.zones,
                cluster.replicas).even(), cluster.toString());
            assertNeverMorePairs(cluster, moves);
            moves.forEach((move) -> assertTrue(
                cluster.keepers.get(move.partition()).contains(move.from()) &&
                !cluster.keepers.get(move.partition()).contains(move.to()), "moved twice: " + cluster));
        }
    }

    /** Among all placements with the fewest pairs in one zone, none has members that keep more equally many. */
    @Test
    void shouldEvenOutAsFarAsZonesAllow()
    {
        final Random random = new Random(3);
        for (int i = 0; i < 300; i++)
        {
            final Cluster cluster = Cluster.random(random, 5, 4, true);
            final int fewest = cluster.fewestPairs();
            final List<Set<Long>> choices = choices(cluster.members, cluster.replicas).stream()
                .filter((each) -> cluster.zones.pairs(each) == fewest).toList();
            assertEquals(leastSquares(cluster, choices, new ArrayList<>()),
                squares(after(cluster.keepers, cluster.even()), cluster.members), cluster.toString());
        }
    }

    private static List<Set<Long>> choices(final List<Long> members, final int count)
    {
        return IntStream.range(0, 1 << members.size()).filter((bits) -> Integer.bitCount(bits) == count)
            .mapToObj((bits) -> members.stream().filter((each) -> (bits >> (each - 1) & 1) == 1)
                .collect(Collectors.<Long>toSet())).toList();
    }

    private static long leastSquares(
        final Cluster cluster, final List<Set<Long>> choices, final List<Set<Long>> chosen)
    {
        if (chosen.size() == cluster.keepers.size())
        {
            return squares(chosen, cluster.members);
        }
        long least = Long.MAX_VALUE;
        for (final Set<Long> each : choices)
        {
            chosen.add(each);
            least = Math.min(least, leastSquares(cluster, choices, chosen));
            chosen.remove(chosen.size() - 1);
        }
        return least;
    }

    @Test
    void shouldMoveOneReplicaOfEachPartitionThatHasTwoInAZone()
    {
        final Zones zones = new Zones(Map.of(1L, "a", 2L, "a", 3L, "b", 4L, "b", 5L, "c", 6L, "c"));
        final List<Set<Long>> keepers = List.of(Set.of(1L, 2L, 3L), Set.of(1L, 3L, 5L), Set.of(3L, 4L, 6L));
        final List<Move> moves = ReplicaPlan.even(keepers, List.of(1L, 1L, 6L), upTo(6), zones);
        assertEquals(2, moves.size(), moves.toString());
        assertEquals(Set.of(0, 2), moves.stream().map(Move::partition).collect(Collectors.toSet()));
        after(keepers, moves).forEach((each) -> assertEquals(3, zones.count(each)));
    }

    @Test
    void shouldEvenOutWhereZonesDifferInSize()
    {
        final Zones zones = new Zones(Map.of(1L, "a", 2L, "a", 3L, "b", 4L, "d", 5L, "e"));
        final List<Set<Long>> keepers = List.of(
            Set.of(1L, 3L, 4L), Set.of(1L, 3L, 4L), Set.of(1L, 3L, 5L), Set.of(2L, 3L, 4L));
        final List<Move> moves = ReplicaPlan.even(keepers, List.of(1L, 1L, 1L, 2L), upTo(5), zones);
        final List<Set<Long>> after = after(keepers, moves);
        after.forEach((each) -> assertEquals(0, zones.pairs(each)));
        final long[] counts = counts(after, upTo(5));
        assertTrue(Arrays.stream(counts).max().orElseThrow() - Arrays.stream(counts).min().orElseThrow() <= 1,
            after.toString());
        assertTrue(moves.size() <= 3, moves.toString());
    }

    /** No member has a replica that one with two fewer could keep: another must give one, and get one. */
    @Test
    void shouldEvenOutByWayOfAThirdMember()
    {
        final Zones zones = new Zones(Map.of(1L, "a", 2L, "a", 3L, "b", 4L, "b", 5L, "e", 6L, "c", 7L, "d"));
        final List<Set<Long>> keepers = List.of(
            Set.of(1L, 3L, 5L), Set.of(1L, 4L, 5L), Set.of(1L, 4L, 5L), Set.of(2L, 6L, 7L), Set.of(2L, 6L, 7L));
        final List<Move> moves = ReplicaPlan.even(keepers, Collections.nCopies(5, 0L), upTo(7), zones);
        assertEquals(List.of(new Move(3, 2, 3), new Move(0, 1, 2)), moves);
        final List<Set<Long>> after = after(keepers, moves);
        after.forEach((each) -> assertEquals(0, zones.pairs(each)));
        final long[] counts = counts(after, upTo(7));
        assertTrue(Arrays.stream(counts).max().orElseThrow() - Arrays.stream(counts).min().orElseThrow() <= 1,
            after.toString());
    }

    /** Member 1 is in the zone of member 2, and cannot say so. */
    @Test
    void shouldNotMoveToWhereAMemberMayBeThatDoesNotAnswer()
    {
        final Zones zones = new Zones(Map.of(2L, "a", 3L, "b", 4L, "c", 5L, "d"));
        final List<Set<Long>> keepers = List.of(Set.of(1L, 3L, 4L), Set.of(1L, 3L, 4L), Set.of(3L, 4L, 5L));
        final List<Move> moves = ReplicaPlan.even(keepers, List.of(3L, 3L, 3L), List.of(2L, 3L, 4L, 5L), zones);
        // Of the third partition, all have told.
        assertEquals(Set.of(2), moves.stream().map(Move::partition).collect(Collectors.toSet()), moves.toString());
    }

    /** A move from 1 to 4 would let two replicas be in zone b for a while. */
    @Test
    void shouldMoveWithinAZoneFirst()
    {
        final Zones zones = new Zones(Map.of(1L, "a", 2L, "b", 3L, "c", 4L, "b", 5L, "d"));
        assertEquals(List.of(new Move(7, 2, 4), new Move(7, 1, 5)),
            ReplicaPlan.between(7, Set.of(1L, 2L, 3L), Set.of(3L, 4L, 5L), zones));
    }

    @Test
    void shouldTellOfWhichPartitionsMoreReplicasShareAZone()
    {
        final Zones zones = new Zones(Map.of(1L, "a", 2L, "b", 3L, "b", 4L, "b"));
        final List<Set<Long>> keepers = List.of(Set.of(1L, 2L), Set.of(2L, 3L), Set.of(1L, 3L));
        assertEquals(List.of(0),
            ReplicaPlan.crowded(keepers, List.of(new Move(0, 1, 4), new Move(1, 2, 4), new Move(2, 3, 4)), zones));
        assertEquals(List.of(), ReplicaPlan.crowded(keepers, List.of(), zones));
    }

    @Test
    void shouldDrainToOtherZones()
    {
        final Zones zones = new Zones(Map.of(1L, "a", 2L, "b", 3L, "c", 4L, "c", 5L, "b"));
        final List<Set<Long>> keepers = List.of(Set.of(1L, 2L, 3L), Set.of(1L, 2L, 4L), Set.of(2L, 3L, 5L));
        // 4 keeps least, but is where 3 is.
        assertEquals(Optional.of(List.of(new Move(0, 2, 5), new Move(1, 2, 5), new Move(2, 2, 1))),
            ReplicaPlan.drain(keepers, 2, List.of(1L, 3L, 4L, 5L), zones, 3));
    }

    @Test
    void shouldDrainAnyMemberToTheZonesWithFewest()
    {
        final Random random = new Random(4);
        for (int i = 0; i < 1_000; i++)
        {
            final Cluster cluster = Cluster.random(random, 9, 20, true);
            final List<Long> others = cluster.members.stream().filter((each) -> each != 2).toList();
            final List<Move> moves = ReplicaPlan.drain(cluster.keepers, 2, others, cluster.zones, 16).orElseThrow();
            final List<Set<Long>> after = after(cluster.keepers, moves);
            for (final Move move : moves)
            {
                final Set<Long> present = after.get(move.partition());
                final int pairs = cluster.zones.pairs(present);
                for (final long other : others)
                {
                    final Set<Long> instead = new TreeSet<>(present);
                    instead.remove(move.to());
                    assertTrue(!instead.add(other) || cluster.zones.pairs(instead) >= pairs, cluster.toString());
                }
            }
        }
    }

    @Test
    void shouldFoundInTheOrderOfTheCommandWhereZonesDoNotMatter()
    {
        assertEquals(upTo(6), FoundingOrder.of(6, 8, 3, Zones.NONE));
        assertEquals(upTo(3), FoundingOrder.of(3, 8, 0, new Zones(Map.of(1L, "a", 2L, "a", 3L, "b"))));
    }

    /** Where zones are of equal size, nothing has to move when a cluster has begun. */
    @Test
    void shouldFoundWithoutTwoReplicasInAZone()
    {
        for (int zoneCount = 3; zoneCount <= 5; zoneCount++)
        {
            for (int size = 2; zoneCount * size <= 15; size++)
            {
                final Map<Long, String> names = new HashMap<>();
                for (final long member : upTo(zoneCount * size))
                {
                    // In blocks, as people name them.
                    names.put(member, "zone-" + (member - 1) / size);
                }
                final Zones zones = new Zones(names);
                final List<Long> order = FoundingOrder.of(zoneCount * size, 16, 3, zones);
                assertEquals(upTo(zoneCount * size), order.stream().sorted().toList());
                assertEquals(0, pairs(order, 16, zones), zones + " " + order);
            }
        }
    }

    private static int pairs(final List<Long> order, final int partitions, final Zones zones)
    {
        final ClusterDescription description = ClusterDescription.founding(1, order.stream()
            .map((number) -> new ClusterMember(number, "a:" + number, "b:" + number)).toList(), 3, 1);
        return IntStream.range(0, partitions)
            .map((i) -> zones.pairs(description.founders(i).stream().map(ClusterMember::number).toList())).sum();
    }
}
