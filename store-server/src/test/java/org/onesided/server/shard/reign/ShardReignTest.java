package org.onesided.server.shard.reign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onesided.server.cluster.LeaseTime;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.proposal.EntriesOfProposals;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.proposal.Proposals;
import org.onesided.server.shard.session.LoggedSessions;

class ShardReignTest
{
    private static final LeaseTime TIME = LeaseTime.of(1_000_000);

    private final EntriesOfProposals log = new EntriesOfProposals();
    private final Proposals proposals = new Proposals(log, 1, () -> 0, new LoggedTime(), 0, true);
    private final LoggedSessions sessions =
        new LoggedSessions(new SessionGeometry(8, 1024, 8, 4, 16 << 10, 1 << 20), true);
    private final List<String> told = new ArrayList<>();
    private long nowNs;
    private final ShardReign reign = new ShardReign(
        new Leadership(true), new ShardLeases(new Replication(TIME, 1, () -> nowNs)), proposals,
        (role) -> told.add("term=" + role.term() + " leader=" + role.leader() + " serving=" + role.isServing() +
            " sessions=" + role.sessions().size()));

    @Test
    void shouldTellThatItServesWhenLeasesOfTheLeaderBeforeAreOver()
    {
        sessions.open(7);
        reign.onLeading(2, false);
        assertTrue(reign.onReady(), "it has followed");
        nowNs += TIME.waitNs() - 1;
        reign.tryServe(sessions);
        assertEquals(List.of(), told);
        nowNs++;
        reign.tryServe(sessions);
        reign.tryServe(sessions);
        assertEquals(List.of("term=2 leader=0 serving=true sessions=1"), told);
        assertFalse(reign.onReady(), "the log was opened anew");
    }

    @Test
    void shouldServeAtOnceBehindARelease()
    {
        lead(2);
        assertEquals(List.of("term=2 leader=0 serving=true sessions=0"), told);
    }

    @Test
    void shouldTellWhoLeadsInstead()
    {
        assertFalse(reign.onFollowing(1, 0), "it has not led yet");
        lead(2);
        assertTrue(reign.onFollowing(3, 5));
        assertFalse(reign.onFollowing(4, 6));
        reign.tryServe(sessions);
        assertEquals(List.of(
            "term=1 leader=0 serving=false sessions=0",
            "term=2 leader=0 serving=true sessions=0",
            "term=3 leader=5 serving=false sessions=0",
            "term=4 leader=6 serving=false sessions=0"), told);
    }

    @Test
    void shouldServeNoMoreWhenItsReleaseIsApplied()
    {
        lead(2);
        nowNs += TIME.waitNs();
        final CompletableFuture<Boolean> end = new CompletableFuture<>();
        reign.release().begin(end);
        reign.release().step();
        proposals.flush();
        assertEquals("RELEASE 0", log.take().get(1));
        reign.onApplied(2, false);
        assertTrue(reign.leases().isServing());
        assertFalse(end.isDone());
        reign.onApplied(2, true);
        assertFalse(reign.leases().isServing());
        assertTrue(end.join());
        reign.tryServe(sessions);
        assertEquals(List.of(
            "term=2 leader=0 serving=true sessions=0", "term=2 leader=0 serving=false sessions=0"), told);
    }

    @Test
    void shouldGiveUpItsReleaseWhenAnotherMemberLeads()
    {
        lead(2);
        final CompletableFuture<Boolean> end = new CompletableFuture<>();
        reign.release().begin(end);
        reign.onFollowing(3, 5);
        assertFalse(end.join());
    }

    private void lead(final long term)
    {
        reign.onLeading(term, true);
        reign.onReady();
        proposals.begin();
        reign.tryServe(sessions);
    }
}
