package org.onesided.server.shard.logged;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.proposal.EntriesOfProposals;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.proposal.Proposals;
import org.onesided.server.shard.reign.Leadership;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.shard.session.ShardSession;

class ProposedSessionsTest
{
    private static final SessionGeometry GEOMETRY = new SessionGeometry(8, 1024, 8, 4, 16 << 10, 1 << 20);

    private final EntriesOfProposals log = new EntriesOfProposals();
    private final Proposals proposals = new Proposals(log, 1, () -> 0, new LoggedTime(), 0, true);
    private final LoggedSessions sessions = new LoggedSessions(GEOMETRY, false);
    private final Set<Long> pulling = new HashSet<>();
    private final Leadership leadership = new Leadership(false);
    private final ProposedSessions proposed =
        new ProposedSessions(proposals, sessions, leadership, pulling::contains);

    @Test
    void shouldOpenASessionOnceBeforeItsFirstWrite()
    {
        begin();
        final ShardSession session = new ShardSession(7, GEOMETRY);
        proposed.open(session);
        proposed.open(session);
        assertEquals(List.of("OPEN_SESSION 7"), items());
    }

    @Test
    void shouldNotOpenASessionWhileTheLogTakesNothing()
    {
        final ShardSession session = new ShardSession(7, GEOMETRY);
        proposed.open(session);
        begin();
        assertEquals(List.of(), items());
        proposed.open(session);
        assertEquals(List.of("OPEN_SESSION 7"), items());
    }

    @Test
    void shouldNotOpenASessionThatTheLogKnows()
    {
        begin();
        sessions.open(7);
        proposed.open(sessions.get(7));
        assertEquals(List.of(), items());
    }

    @Test
    void shouldEndASessionBehindTheLastOfItsValues()
    {
        begin();
        sessions.open(7);
        pulling.add(7L);
        proposed.end(7);
        proposed.proposeEnds();
        assertEquals(List.of(), items());
        pulling.clear();
        proposed.proposeEnds();
        proposed.proposeEnds();
        assertEquals(List.of("END_SESSION 7"), items());
    }

    /** The log never knows more sessions than there may be at a time. */
    @Test
    void shouldEndSessionsBeforeItOpensOthers()
    {
        begin();
        sessions.open(7);
        proposed.end(7);
        proposed.open(new ShardSession(8, GEOMETRY));
        assertEquals(List.of("END_SESSION 7", "OPEN_SESSION 8"), items());
    }

    @Test
    void shouldNotEndASessionThatTheLogDoesNotKnow()
    {
        begin();
        proposed.end(7);
        proposed.proposeEnds();
        assertEquals(List.of(), items());
    }

    @Test
    void shouldLeaveTheEndOfSessionsToTheLeader()
    {
        begin();
        sessions.open(7);
        leadership.onFollowing(2, 3);
        proposed.end(7);
        proposed.proposeEnds();
        assertEquals(List.of(), items());
    }

    @Test
    void shouldEndASessionAgainWhoseEndWasLost()
    {
        begin();
        sessions.open(7);
        sessions.open(8);
        proposed.end(7);
        proposed.proposeEnds();
        assertEquals(List.of("END_SESSION 7"), items());
        proposals.stop();
        begin();
        proposed.renew();
        proposed.proposeEnds();
        assertEquals(List.of("END_SESSION 7"), items());
    }

    private void begin()
    {
        proposals.begin();
        proposals.flush();
        assertEquals(List.of("BEGIN 0"), log.take());
    }

    private List<String> items()
    {
        proposals.flush();
        return log.take();
    }
}
