package org.onesided.tools.kvctl.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.ClusterState;
import org.onesided.client.types.ClusterState.Follower;
import org.onesided.client.types.ClusterState.Partition;
import org.onesided.client.types.ClusterState.Reign;
import org.onesided.client.types.ClusterState.Stage;

/** What members know, put together. */
class ClusterViewTest
{
    private static final List<ClusterState.Member> MEMBERS = List.of(
        new ClusterState.Member(1, "a:1"), new ClusterState.Member(2, "b:2"), new ClusterState.Member(3, "c:3"));

    private static ClusterState of(final long self, final Partition... partitions)
    {
        return new ClusterState(self, 0xABC, 1_000, MEMBERS, List.of(partitions));
    }

    private static Partition led(final long term, final long self, final Follower... followers)
    {
        return new Partition(term, self, true, List.of(followers));
    }

    private static Partition led(final long term, final long self, final Reign reign)
    {
        return new Partition(term, self, true, true, List.of(), reign);
    }

    private static Partition followed(final long term, final long leader)
    {
        return new Partition(term, leader, false, List.of());
    }

    @Test
    void shouldBeSoundIfAllFollow()
    {
        final ClusterView view = new ClusterView(List.of(
            of(2, followed(3, 1)), of(1, led(3, 1, new Follower(2, 0, true), new Follower(3, 5, true)))), Map.of());
        assertTrue(view.isSound());
        assertTrue(view.isInSync(0, 1) && view.isInSync(0, 2) && view.isInSync(0, 3));
        assertTrue(view.text().matches("(?s).*0 +1,2,3 +1 +3 +yes +2,3 +3:5( +-){4}\\s+"), view.text());
        assertTrue(view.text().contains("3       c:3      no         1      -      0       5       -\n"), view.text());
        assertTrue(view.figures().json().contains("\"followers\":[{\"member\":2,\"behind\":0,\"in_sync\":true}," +
            "{\"member\":3,\"behind\":5,\"in_sync\":true}]"), view.figures().json());
        assertTrue(view.figures().json().contains("\"not_in_sync\":0"), view.figures().json());
    }

    @Test
    void shouldTellHowTheLeaderAndItsLeasesStand()
    {
        final ClusterView view = new ClusterView(List.of(
            new ClusterState(2, 0xABC, 1_000, MEMBERS, List.of(
                followed(3, 1), led(4, 2, new Reign(Stage.SERVES, 0, 7, 70, 5))), 3L << 30),
            of(1, new Partition(3, 1, false, true, List.of(), new Reign(Stage.HANDS_OVER, 812, 1, 20, 2)),
                followed(4, 2))),
            Map.of());
        assertTrue(view.text().matches("(?s).*0 +1,2 +1 +3 +no +- +- +hands over 812 ms +1 +20 +2\\s.*"), view.text());
        assertTrue(view.text().matches("(?s).*1 +1,2 +2 +4 +yes +- +- +serves +7 +70 +5\\s+"), view.text());
        assertTrue(view.text().contains("3 GiB"), view.text());
        final String json = view.figures().json();
        assertTrue(json.contains("\"state\":\"hands_over\",\"rest_ms\":812,\"leases_held\":1,\"leases_granted\":20," +
            "\"lease_proofs\":2"), json);
        assertTrue(json.contains("\"most_behind\":0,\"disk_free\":3221225472"), json);
    }

    private static ClusterState in(final String zone, final ClusterState state)
    {
        return new ClusterState(
            state.self(), state.tableId(), state.leaseMs(), state.members(), state.partitions(), -1, zone);
    }

    @Test
    void shouldTellZonesAndWhichPartitionsShareOne()
    {
        final Partition elsewhere = new Partition(0, 0, false, false, List.of(), null);
        final ClusterView view = new ClusterView(List.of(
            in("rack-1", of(1, led(3, 1, new Follower(2, 0, true)), elsewhere)),
            in("rack-1", of(2, followed(3, 1), led(1, 2, new Follower(3, 0, true)))),
            in(null, of(3, elsewhere, followed(1, 2)))), Map.of());
        assertEquals(List.of(0), view.sharingZones());
        assertTrue(view.text().contains("member  address  zone    reachable"), view.text());
        assertTrue(view.text().contains("1       a:1      rack-1  yes"), view.text());
        assertTrue(view.text().contains("3       c:3      -       yes"), view.text());
        assertTrue(view.text().endsWith(" where other zones have room: partitions=0\n"), view.text());
        final String json = view.figures().json();
        assertTrue(json.contains("\"sharing_zones\":1"), json);
        assertEquals(2, json.split("\"zone\":\"rack-1\"", -1).length - 1, json);
        assertTrue(json.contains("\"members\":\"1,2\",\"zones\":1"), json);
        assertTrue(json.contains("\"members\":\"2,3\",\"zones\":2"), json);
    }

    /** Nothing can move. */
    @Test
    void shouldTellThatThereAreTooFewZonesRatherThanWarn()
    {
        final Partition kept = followed(3, 1);
        final ClusterView view = new ClusterView(List.of(
            in("rack-1", of(1, led(3, 1, new Follower(2, 0, true), new Follower(3, 0, true)))),
            in("rack-1", of(2, kept)), in("rack-2", of(3, kept))), Map.of());
        assertEquals(List.of(), view.sharingZones());
        assertTrue(view.text().endsWith("zones=2 replicas=3\n"), view.text());
        assertEquals(1, view.text().split("fewer zones than replicas", -1).length - 1, view.text());
        assertFalse(view.text().contains("warning"), view.text());
        assertTrue(view.figures().json().contains("\"sharing_zones\":0"), view.figures().json());
    }

    /** Where one could move is not known while nobody else answers. */
    @Test
    void shouldNotWarnOfWhatMembersThatAnswerCannotChange()
    {
        final Partition elsewhere = new Partition(0, 0, false, false, List.of(), null);
        final ClusterState one = in("rack-1", of(1, led(3, 1, new Follower(2, 0, true))));
        final ClusterState other = in("rack-1", of(2, followed(3, 1)));
        assertEquals(List.of(), new ClusterView(List.of(one, other), Map.of(3L, "gone")).sharingZones());
        assertEquals(List.of(0),
            new ClusterView(List.of(one, other, in("rack-2", of(3, elsewhere))), Map.of()).sharingZones());
    }

    @Test
    void shouldNotSpeakOfZonesWhereThereAreNone()
    {
        final ClusterView view = new ClusterView(List.of(
            of(1, led(3, 1, new Follower(2, 0, true))), of(2, followed(3, 1))), Map.of());
        assertFalse(view.text().contains("zone"), view.text());
        assertFalse(view.figures().json().contains("\"zone\""), view.figures().json());
        assertFalse(view.figures().json().contains("\"zones\""), view.figures().json());
        assertTrue(view.figures().json().contains("\"sharing_zones\":0"), view.figures().json());
    }

    @Test
    void shouldNotBeSoundIfOneLags()
    {
        final ClusterView view = new ClusterView(List.of(
            of(1, led(3, 1, new Follower(2, 0, true), new Follower(3, 9_999, false)))), Map.of(2L, "gone"));
        assertFalse(view.isSound());
        assertEquals(List.of(), view.unserved());
        assertEquals(1, view.unsynced());
        assertFalse(view.isInSync(0, 3));
        assertFalse(view.isReachable(2));
    }

    /** Members are asked one after the other. */
    @Test
    void shouldNotBelieveAFormerLeaderWhoFollowsIt()
    {
        final ClusterView view = new ClusterView(List.of(
            of(1, led(3, 1, new Follower(2, 0, true), new Follower(3, 0, true))),
            of(2, led(4, 2))), Map.of());
        assertEquals(2, view.partitions().get(0).leader());
        assertEquals(2, view.unsynced());
    }

    @Test
    void shouldNotBeSoundWithoutALeader()
    {
        final ClusterView view = new ClusterView(List.of(of(1, followed(3, 0)), of(2, followed(3, 0))), Map.of());
        assertEquals(List.of(0), view.unserved());
        assertEquals(3, view.unsynced());
    }

    /** A member that keeps nothing of a partition does not count for it. */
    @Test
    void shouldKnowWhoKeepsAPartition()
    {
        final Partition elsewhere = new Partition(0, 0, false, false, List.of(), null);
        final ClusterView view = new ClusterView(List.of(
            of(1, led(3, 1, new Follower(2, 0, true)), elsewhere),
            of(2, followed(3, 1), followed(1, 0)),
            of(3, elsewhere, followed(1, 0))), Map.of());
        assertEquals(Set.of(1L, 2L), view.keepers(0));
        assertEquals(Set.of(2L, 3L), view.keepers(1));
        assertEquals(List.of(0, 1), view.keptBy(2));
        assertEquals(2, view.unsynced());
        assertTrue(view.figures().json().contains("\"reachable\":true,\"keeps\":2,"), view.figures().json());
    }

    /** It has told that nobody leads, or another one, and has begun to lead before it told whom it sends to. */
    @Test
    void shouldNotMixTheFollowersOfOneLeaderWithAnother()
    {
        final Follower[] followers = {new Follower(2, 0, true), new Follower(3, 0, true)};
        final ClusterView view = new ClusterView(List.of(
            of(1, new Partition(3, 0, false, true, List.of(followers), null),
                new Partition(3, 3, false, true, List.of(followers), null)),
            of(2, followed(3, 0), followed(3, 3)),
            of(3, followed(3, 0), followed(3, 3))), Map.of());
        assertEquals(Set.of(1L, 2L, 3L), view.keepers(0));
        assertEquals(Set.of(1L, 2L, 3L), view.keepers(1));
    }
}
