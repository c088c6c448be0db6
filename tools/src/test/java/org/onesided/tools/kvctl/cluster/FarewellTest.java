package org.onesided.tools.kvctl.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.ClusterState;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/** Members are told that member 4 has left, while another command may be giving it a partition. */
class FarewellTest
{
    private static final long GONE = 4;
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Why members refuse, by their numbers. */
    private final Map<Long, String> refusals = new HashMap<>();
    private final List<Long> told = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final Farewell farewell = new Farewell(member(GONE), this::tell, said::add, LONGEST_NS);

    private static ClusterState.Member member(final long number)
    {
        return new ClusterState.Member(number, "a:" + number);
    }

    private static List<ClusterState.Member> others()
    {
        return LongStream.range(1, GONE).mapToObj(FarewellTest::member).toList();
    }

    private Optional<String> tell(final ClusterState.Member to)
    {
        if (!told.contains(to.number()))
        {
            told.add(to.number());
        }
        return Optional.ofNullable(refusals.get(to.number()));
    }

    /** Member 1 leads the only partition. */
    private static CommittedMembers committed(final Long... members)
    {
        final List<ClusterState.Follower> followers = new ArrayList<>();
        List.of(members).stream().filter((each) -> each != 1)
            .forEach((each) -> followers.add(new ClusterState.Follower(each, 0, true)));
        return new CommittedMembers(new ClusterView(List.of(new ClusterState(1, 0xABC, 1_000,
            LongStream.rangeClosed(1, GONE).mapToObj(FarewellTest::member).toList(),
            List.of(new ClusterState.Partition(3, 1, true, followers)))), Map.of()),
            new TreeMap<>(Map.of(0, List.of(members))));
    }

    private void assertKeepsItsDirectory(final String reason, final CommittedMembers committed)
    {
        final CommandException refused = assertThrows(CommandException.class, () ->
            farewell.tellWhereSpread(others(), true, () -> committed));
        assertEquals(ExitCode.NOT_SERVED, refused.exitCode());
        assertTrue(refused.getMessage().contains("keep its data directory, and repeat the command: member=4"),
            refused.getMessage());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        assertEquals(List.of(1L, 2L, 3L), told);
    }

    @Test
    void shouldTellTheOneThatHasLeftWhenTheOthersKnow()
    {
        farewell.tellWhereSpread(others(), true, () -> committed(1L, 2L, 3L));
        assertEquals(List.of(1L, 2L, 3L, GONE), told);
        assertEquals(List.of(), said);
    }

    /** Such as that a change is under way which brings it a partition. */
    @Test
    void shouldNotSayThatItHasLeftWhileALeaderRefuses()
    {
        refusals.put(1L, "the member is about to get a partition");
        assertKeepsItsDirectory("leader=1: the member is about to get a partition", committed(1L, 2L, 3L));
    }

    @Test
    void shouldNotSayThatItHasLeftWhenItHasGotAPartitionMeanwhile()
    {
        assertKeepsItsDirectory("partition=0 members=[1, 2, 4]", committed(1L, 2L, GONE));
    }

    /** It was to get a partition, and knows better than the others whether it has. */
    @Test
    void shouldNotSayThatItHasLeftWhereItRefusesItself()
    {
        refusals.put(GONE, "this member keeps a partition as far as it knows");
        final CommandException refused = assertThrows(CommandException.class, () ->
            farewell.tellWhereSpread(others(), true, () -> committed(1L, 2L, 3L)));
        assertEquals(ExitCode.NOT_SERVED, refused.exitCode());
        assertTrue(refused.getMessage().endsWith("member=4 itself: this member keeps a partition as far as it knows"),
            refused.getMessage());
    }

    /** It was away when the others were told, and leads when they know. */
    @Test
    void shouldNotSayThatItHasLeftWhileALeaderHasNotHeardOfIt()
    {
        final CommandException refused = assertThrows(CommandException.class, () ->
            farewell.tellWhereSpread(others().subList(1, 3), true, () -> committed(1L, 2L, 3L)));
        assertTrue(refused.getMessage().endsWith("leader=1: it has not heard that the member has left"),
            refused.getMessage());
        assertEquals(List.of(2L, 3L), told);
    }

    @Test
    void shouldNotSayThatItHasLeftWhenItGotAPartitionWhileItWasTold()
    {
        final CommandException refused = assertThrows(CommandException.class, () ->
            farewell.tellWhereSpread(others(), true,
                () -> told.contains(GONE) ? committed(1L, 2L, GONE) : committed(1L, 2L, 3L)));
        assertTrue(refused.getMessage().endsWith("partition=0 members=[1, 2, 4]"), refused.getMessage());
    }

    /** It believes an old log, which counts for nothing. */
    @Test
    void shouldSayWhichMemberHasNotHeardOfIt()
    {
        refusals.put(3L, "the member keeps a partition as far as this one knows");
        farewell.tellWhereSpread(others(), true, () -> committed(1L, 2L, 3L));
        assertEquals(List.of(1L, 2L, 3L, GONE), told);
        assertTrue(said.get(0).endsWith("until then: member=3"), said.toString());
    }
}
