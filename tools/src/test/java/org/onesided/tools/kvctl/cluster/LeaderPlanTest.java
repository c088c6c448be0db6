package org.onesided.tools.kvctl.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Plans for leaders that are spread evenly. */
class LeaderPlanTest
{
    private static final List<Long> MEMBERS = List.of(1L, 2L, 3L);

    private static List<Long> after(final List<Long> leaders, final List<Move> moves)
    {
        final List<Long> result = new ArrayList<>(leaders);
        for (final Move move : moves)
        {
            assertEquals(move.from(), result.set(move.partition(), move.to()));
        }
        return result;
    }

    private static long count(final List<Long> leaders, final long member)
    {
        return leaders.stream().filter((each) -> each == member).count();
    }

    @Test
    void shouldMoveAsFewAsPossible()
    {
        assertEquals(List.of(new Move(0, 1, 2), new Move(1, 1, 3)),
            LeaderPlan.even(List.of(1L, 1L, 1L), MEMBERS, (partition, member) -> true));
        assertEquals(List.of(), LeaderPlan.even(List.of(2L, 1L, 3L, 3L), MEMBERS, (partition, member) -> true));
        assertEquals(List.of(), LeaderPlan.even(List.of(2L), MEMBERS, (partition, member) -> true));
    }

    @Test
    void shouldBringAnyLeadersWithinOneOfEachOther()
    {
        final Random random = new Random(1);
        for (int i = 0; i < 1_000; i++)
        {
            final List<Long> leaders = new ArrayList<>();
            for (int partition = random.nextInt(20); partition >= 0; partition--)
            {
                leaders.add(1L + random.nextInt(3));
            }
            final List<Move> moves = LeaderPlan.even(leaders, MEMBERS, (partition, member) -> true);
            final List<Long> result = after(leaders, moves);
            final long most = MEMBERS.stream().mapToLong((member) -> count(result, member)).max().orElseThrow();
            final long least = MEMBERS.stream().mapToLong((member) -> count(result, member)).min().orElseThrow();
            assertTrue(most - least <= 1, () -> leaders + " to " + result);
            assertEquals(moves.size(), moves.stream().map(Move::partition).distinct().count());
        }
    }

    @Test
    void shouldLeaveOutMembersThatCannotLead()
    {
        final List<Long> leaders = List.of(1L, 1L, 1L, 1L);
        assertEquals(List.of(1L, 1L, 2L, 2L),
            after(leaders, LeaderPlan.even(leaders, MEMBERS, (partition, member) -> member == 2 && partition > 1)));
        assertEquals(List.of(2L, 2L, 1L, 1L),
            after(leaders, LeaderPlan.even(leaders, List.of(1L, 2L), (partition, member) -> true)));
    }

    /** No move between two members would bring them nearer, as none keeps what the other leads. */
    @Test
    void shouldMoveByWayOfAMemberBetween()
    {
        final List<Long> leaders = List.of(1L, 1L, 1L, 2L, 2L, 3L);
        assertEquals(List.of(2L, 1L, 1L, 3L, 2L, 3L), after(leaders, LeaderPlan.even(leaders, MEMBERS,
            (partition, member) -> partition == 0 && member == 2 || partition == 3 && member == 3)));
    }

    @Test
    void shouldEvenOutWhereEachPartitionIsOnSomeMembers()
    {
        final List<Long> members = List.of(1L, 2L, 3L, 4L, 5L);
        final Random random = new Random(2);
        for (int i = 0; i < 1_000; i++)
        {
            final List<Long> leaders = new ArrayList<>();
            for (int partition = 0; partition < 8; partition++)
            {
                leaders.add(1L + (3 * partition + random.nextInt(3)) % 5);
            }
            final List<Long> result = after(leaders, LeaderPlan.even(leaders, members,
                (partition, member) -> Math.floorMod(member - 1 - 3 * partition, 5) < 3));
            members.forEach((member) -> assertTrue(
                count(result, member) >= 1 && count(result, member) <= 2, () -> leaders + " to " + result));
        }
    }

    @Test
    void shouldLeavePartitionsAloneThatHaveNoLeader()
    {
        assertEquals(List.of(), LeaderPlan.even(List.of(0L, 0L, 0L), MEMBERS, (partition, member) -> true));
    }
}
