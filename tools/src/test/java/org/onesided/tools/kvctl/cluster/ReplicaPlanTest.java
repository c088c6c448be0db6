package org.onesided.tools.kvctl.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Plans for replicas that go to other members. */
class ReplicaPlanTest
{
    private static List<Long> members(final long count)
    {
        return LongStream.rangeClosed(1, count).boxed().toList();
    }

    private static List<Set<Long>> random(final Random random, final int members)
    {
        final List<Set<Long>> keepers = new ArrayList<>();
        for (int partition = random.nextInt(20); partition >= 0; partition--)
        {
            final List<Long> all = new ArrayList<>(members(members));
            Collections.shuffle(all, random);
            keepers.add(new TreeSet<>(all.subList(0, 3)));
        }
        return keepers;
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

    private static void assertEven(final List<Set<Long>> keepers, final List<Long> members)
    {
        final long[] counts = members.stream()
            .mapToLong((member) -> keepers.stream().filter((each) -> each.contains(member)).count()).toArray();
        assertTrue(LongStream.of(counts).max().orElseThrow() - LongStream.of(counts).min().orElseThrow() <= 1,
            keepers.toString());
    }

    @Test
    void shouldGiveANewMemberAsMuchAsTheOthers()
    {
        final List<Set<Long>> keepers = List.of(
            Set.of(1L, 2L, 3L), Set.of(1L, 2L, 3L), Set.of(1L, 2L, 3L), Set.of(1L, 2L, 3L));
        final List<Move> moves = ReplicaPlan.even(keepers, List.of(1L, 2L, 3L, 1L), members(4), Zones.NONE);
        assertEquals(3, moves.size());
        assertEven(after(keepers, moves), members(4));
        // None that leads, as each has others.
        assertTrue(moves.stream().noneMatch((move) -> move.from() == List.of(1L, 2L, 3L, 1L).get(move.partition())));
        assertEquals(List.of(),
            ReplicaPlan.even(after(keepers, moves), List.of(1L, 2L, 3L, 1L), members(4), Zones.NONE));
    }

    @Test
    void shouldEvenOutAnyReplicas()
    {
        final Random random = new Random(1);
        for (int i = 0; i < 1_000; i++)
        {
            final int count = 3 + random.nextInt(5);
            final List<Set<Long>> keepers = random(random, count);
            final List<Long> leaders = keepers.stream().map((each) -> each.iterator().next()).toList();
            final List<Move> moves = ReplicaPlan.even(keepers, leaders, members(count), Zones.NONE);
            assertEven(after(keepers, moves), members(count));
        }
    }

    @Test
    void shouldDrainAnyMember()
    {
        final Random random = new Random(2);
        for (int i = 0; i < 1_000; i++)
        {
            final int count = 4 + random.nextInt(4);
            final List<Set<Long>> keepers = random(random, count);
            final List<Long> others = members(count).stream().filter((each) -> each != 2).toList();
            final List<Move> moves = ReplicaPlan.drain(keepers, 2, others, Zones.NONE, 3).orElseThrow();
            assertTrue(moves.stream().allMatch((move) -> move.from() == 2));
            assertTrue(after(keepers, moves).stream().noneMatch((each) -> each.contains(2L)));
        }
    }

    /** The last home of a partition. */
    @Test
    void shouldNotDrainWhereNoOtherMemberIs()
    {
        final List<Set<Long>> keepers = List.of(Set.of(1L, 2L, 4L), Set.of(1L, 2L, 3L));
        assertFalse(ReplicaPlan.drain(keepers, 1, List.of(2L, 3L), Zones.NONE, 3).isPresent());
        assertEquals(Optional.of(List.of(new Move(0, 1, 3), new Move(1, 1, 4))),
            ReplicaPlan.drain(keepers, 1, List.of(2L, 3L, 4L), Zones.NONE, 3));
        assertEquals(Optional.of(List.of()), ReplicaPlan.drain(keepers, 9, List.of(), Zones.NONE, 3));
    }

    /** A move was cut when the new member had come, and before the other one left. */
    @Test
    void shouldTakeAReplicaAwayThatIsOneTooMany()
    {
        final List<Set<Long>> keepers = List.of(Set.of(1L, 2L, 3L, 4L), Set.of(1L, 2L, 3L), Set.of(), Set.of(1L, 4L));
        final List<Move> moves = ReplicaPlan.shrink(keepers, List.of(1L, 2L, 0L, 4L), members(4), Zones.NONE, 3);
        assertEquals(List.of(3, 3, 0, 2), ReplicaPlan.after(keepers, moves).stream().map(Set::size).toList());
        // Members 1, 2 and 3 keep most or as many as others; 1 leads.
        assertEquals(List.of(0), moves.stream().map(Move::partition).toList());
        assertFalse(moves.get(0).from() == 1, moves.toString());
        assertTrue(keepers.get(0).contains(moves.get(0).to()), moves.toString());
        final List<Move> silent =
            ReplicaPlan.shrink(keepers, List.of(1L, 2L, 0L, 4L), List.of(1L, 2L, 4L), Zones.NONE, 3);
        assertEquals(List.of(3L), silent.stream().map(Move::from).toList());
        assertEquals(List.of(), ReplicaPlan.shrink(keepers, List.of(1L, 2L, 0L, 4L), List.of(), Zones.NONE, 3));
    }

    @Test
    void shouldDrainAMemberThatIsOneTooManyWithoutAnotherHome()
    {
        final List<Set<Long>> keepers = List.of(Set.of(1L, 2L, 3L, 4L), Set.of(2L, 3L, 4L));
        final List<Move> moves =
            ReplicaPlan.drain(keepers, 4, List.of(1L, 2L, 3L, 5L), Zones.NONE, 3).orElseThrow();
        assertEquals(List.of(Set.of(1L, 2L, 3L)), ReplicaPlan.after(keepers, moves).subList(0, 1));
        assertEquals(3, ReplicaPlan.after(keepers, moves).get(1).size());
    }
}
