package org.onesided.tools.kvctl.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.ClusterState;

/** Who keeps partitions, as leaders have it. */
class CommittedMembersTest
{
    /** Member 1 leads partition 0, and sends to some. */
    private static ClusterView view(final long... followers)
    {
        return new ClusterView(List.of(new ClusterState(1, 0xABC, 1_000,
            LongStream.rangeClosed(1, 4).mapToObj((number) -> new ClusterState.Member(number, "a:" + number)).toList(),
            List.of(new ClusterState.Partition(3, 1, true, LongStream.of(followers)
                .mapToObj((number) -> new ClusterState.Follower(number, 0, true)).toList())))), Map.of());
    }

    @Test
    void shouldKnowThemWhileNobodyComes()
    {
        final CommittedMembers members = new CommittedMembers(view(2, 3), Map.of(0, List.of(1L, 2L, 3L)));
        assertEquals(List.of(), members.inMotion());
        assertEquals(List.of(Set.of(1L, 2L, 3L)), members.keepers());
    }

    /** The leader sends to it, and it does not count yet. */
    @Test
    void shouldNotTakeOneThatComesForAKeeper()
    {
        final CommittedMembers members = new CommittedMembers(view(2, 3, 4), Map.of(0, List.of(1L, 2L, 3L)));
        assertEquals(List.of(0), members.inMotion());
        assertEquals(List.of(Set.of(1L, 2L, 3L)), members.keepers());
    }

    @Test
    void shouldNotBeCertainWhileAChangeIsNotCommitted()
    {
        assertEquals(List.of(0), new CommittedMembers(view(2, 3, 4), Map.of(0, List.of())).inMotion());
        assertEquals(List.of(0), new CommittedMembers(view(2, 3), Map.of()).inMotion());
    }
}
