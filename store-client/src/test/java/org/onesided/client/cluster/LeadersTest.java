package org.onesided.client.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.AttachFailedException.Kind;
import org.onesided.client.bootstrap.ClusterMap;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.protocol.table.Superblock;

class LeadersTest
{
    private static final long TABLE = 0xABCDEF;
    private static final long LEASE_NS = 5;
    private static final long FAR = Long.MAX_VALUE / 2;
    private static final HostAndPort ONE = new HostAndPort("one", 1);
    private static final HostAndPort TWO = new HostAndPort("two", 2);
    private static final HostAndPort THREE = new HostAndPort("three", 3);
    private static final Map<Long, HostAndPort> MEMBERS = Map.of(1L, ONE, 2L, TWO, 3L, THREE);

    private final Map<HostAndPort, ClusterMap> answers = new HashMap<>();
    private final Map<HostAndPort, AttachFailedException> refusals = new HashMap<>();
    private final List<HostAndPort> silent = new ArrayList<>();
    private final List<HostAndPort> asked = new ArrayList<>();
    /** What was told of silent seeds. */
    private final List<String> told = new ArrayList<>();
    private final Leaders leaders = new Leaders(
        List.of(ONE, TWO), this::ask, (server, reason) -> told.add(server + " " + reason),
        () -> this.nowNs += this.tickNs);
    /** After so many questions nobody is silent any more. */
    private int silences = Integer.MAX_VALUE;
    private long nowNs = 1_000;
    /** By how much the clock goes on each time that it is read. */
    private long tickNs;

    private ClusterMap ask(final HostAndPort server, final long deadlineNs) throws AttachFailedException
    {
        asked.add(server);
        if (silent.contains(server) && asked.size() <= silences)
        {
            nowNs = deadlineNs;
            throw new AttachFailedException(Kind.TRANSIENT, "nothing answers", null);
        }
        else if (refusals.containsKey(server))
        {
            throw refusals.get(server);
        }
        else if (answers.containsKey(server))
        {
            return answers.get(server);
        }
        throw new AttachFailedException(Kind.TRANSIENT, "nothing listens there", null);
    }

    private static ClusterMap map(final long self, final long term, final long member)
    {
        return map(self, TABLE, term, member, self == member);
    }

    private static ClusterMap map(
        final long self, final long table, final long term, final long member, final boolean isServing)
    {
        return new ClusterMap(
            self, table, LEASE_NS, 6, MEMBERS, List.of(new ClusterMap.Leader(term, member, isServing)));
    }

    private HostAndPort again() throws AttachFailedException
    {
        nowNs += Leaders.MIN_PERIOD_NS;
        return leaders.address(0, true, FAR);
    }

    @Test
    void shouldFollowTheHighestTermWhoeverTellsOfIt() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        answers.put(TWO, map(2, 5, 3));

        leaders.open(FAR);

        assertEquals(THREE, leaders.address(0, false, FAR));
        assertEquals(List.of(ONE, TWO), asked);
    }

    @Test
    void shouldNotGoBackToAnOlderTerm() throws AttachFailedException
    {
        answers.put(TWO, map(2, 5, 2));
        leaders.open(FAR);
        answers.clear();
        answers.put(ONE, map(1, 4, 1));

        assertEquals(TWO, again());
    }

    @Test
    void shouldKeepTheLeaderThatSomebodyKnows() throws AttachFailedException
    {
        answers.put(ONE, map(1, 5, 2));
        answers.put(TWO, map(2, 9, 0));
        leaders.open(FAR);

        assertEquals(TWO, leaders.address(0, false, FAR));
    }

    @Test
    void shouldPreferTheLeadersOwnWordThatItServes() throws AttachFailedException
    {
        answers.put(ONE, map(1, 5, 2));
        answers.put(TWO, map(2, 5, 2));
        answers.put(THREE, map(3, 5, 2));
        leaders.open(FAR);
        assertTrue(leaders.leader(0).isServing());

        again();
        assertTrue(leaders.leader(0).isServing());
    }

    @Test
    void shouldLearnOfMembersThatAreNoSeeds() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        leaders.open(FAR);
        answers.clear();
        answers.put(THREE, map(3, 6, 3));

        assertEquals(THREE, again());
    }

    private static ClusterMap map(final long self, final Map<Long, HostAndPort> members)
    {
        return new ClusterMap(self, TABLE, LEASE_NS, 6, members, List.of(new ClusterMap.Leader(7, self, true)));
    }

    /** What a member says that has not heard of a change yet does not hide the new one. */
    @Test
    void shouldKnowMembersThatAnyOneNames() throws AttachFailedException
    {
        final HostAndPort four = HostAndPort.parse("d:4");
        answers.put(ONE, map(1, Map.of(1L, ONE, 2L, TWO, 4L, four)));
        answers.put(TWO, map(2, Map.of(1L, ONE, 2L, TWO, 3L, THREE)));
        leaders.open(FAR);
        asked.clear();
        again();
        assertEquals(Set.of(ONE, TWO, THREE, four), Set.copyOf(asked));
    }

    /** It may still run, and say that it is a member. */
    @Test
    void shouldForgetAMemberThatNoOtherNames() throws AttachFailedException
    {
        answers.put(ONE, map(1, Map.of(1L, ONE, 2L, TWO, 3L, THREE)));
        answers.put(TWO, map(2, Map.of(1L, ONE, 2L, TWO, 3L, THREE)));
        answers.put(THREE, map(3, Map.of(1L, ONE, 2L, TWO, 3L, THREE)));
        leaders.open(FAR);
        again();
        answers.put(ONE, map(1, Map.of(1L, ONE, 2L, TWO)));
        answers.put(TWO, map(2, Map.of(1L, ONE, 2L, TWO)));
        again();
        asked.clear();
        again();
        assertEquals(List.of(ONE, TWO), asked);
    }

    @Test
    void shouldAskNotMoreOftenThanEveryFiftyMilliseconds() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        leaders.open(FAR);
        asked.clear();
        nowNs += Leaders.MIN_PERIOD_NS - 1;
        leaders.address(0, true, FAR);
        assertEquals(List.of(), asked);

        nowNs++;
        leaders.address(0, true, FAR);
        assertEquals(List.of(ONE, TWO, THREE), asked);

        leaders.address(0, true, FAR);
        assertEquals(3, asked.size());
    }

    /** Time goes on between two looks at the clock. */
    @Test
    void shouldAskEachMemberWhileTimeGoesOn() throws AttachFailedException
    {
        tickNs = 1;
        answers.put(ONE, map(1, 4, 1));
        answers.put(TWO, map(2, 5, 3));

        leaders.open(FAR);

        assertEquals(THREE, leaders.address(0, false, FAR));
        assertEquals(List.of(ONE, TWO), asked);
    }

    @Test
    void shouldNotAskWhileTheLeaderIsNotInDoubt() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        leaders.open(FAR);
        nowNs += 100 * Leaders.MIN_PERIOD_NS;
        asked.clear();

        assertEquals(ONE, leaders.address(0, false, FAR));
        assertEquals(List.of(), asked);
    }

    @Test
    void shouldLeaveASilentMemberOutForAWhile() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        silent.add(TWO);
        leaders.open(FAR);
        asked.clear();
        again();
        assertFalse(asked.contains(TWO), asked.toString());

        nowNs += Leaders.SILENCE_NS;
        again();
        assertTrue(asked.contains(TWO), asked.toString());
    }

    @Test
    void shouldAskASilentMemberIfNobodyElseAnswers() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        silent.add(TWO);
        leaders.open(FAR);
        answers.clear();
        silent.clear();
        answers.put(TWO, map(2, 5, 2));

        assertEquals(TWO, again());
    }

    @Test
    void shouldGiveAMemberASecondAtMost() throws AttachFailedException
    {
        answers.put(TWO, map(2, 5, 2));
        silent.add(ONE);
        final long beganNs = nowNs;
        leaders.open(FAR);

        assertEquals(beganNs + Leaders.ANSWER_NS, nowNs);
    }

    @Test
    void shouldEndByTheDeadline()
    {
        silent.add(ONE);
        silent.add(TWO);
        final long deadlineNs = nowNs + 10;

        assertEquals(Kind.TRANSIENT,
            assertThrows(AttachFailedException.class, () -> leaders.open(deadlineNs)).kind());
        assertEquals(deadlineNs, nowNs);
    }

    @Test
    void shouldTellOfASilentSeedWhileItOpens() throws AttachFailedException
    {
        silent.add(ONE);
        answers.put(TWO, map(2, 5, 2));
        leaders.open(FAR);
        assertEquals(List.of("one:1 nothing answers"), told);

        silent.add(TWO);
        assertThrows(AttachFailedException.class, this::again);
        assertEquals(1, told.size());
    }

    @Test
    void shouldTellOfNoSilenceThatTheDeadlineCutsShort()
    {
        silent.add(ONE);
        assertThrows(AttachFailedException.class, () -> leaders.open(nowNs + Leaders.ANSWER_NS - 1));
        assertEquals(List.of(), told);
    }

    /** As it does with a single server that is silent. */
    @Test
    void shouldOpenAsSoonAsASilentSeedAnswers() throws AttachFailedException
    {
        silent.add(TWO);
        silences = 5;
        answers.put(TWO, map(2, 5, 2));
        leaders.open(FAR);
        assertEquals(List.of(ONE, TWO, ONE, TWO, ONE, TWO), asked);
        assertEquals(TWO, leaders.address(0, false, FAR));
    }

    @Test
    void shouldNotAskAgainAndAgainWhatWasSilentAndIsGone()
    {
        silent.add(TWO);
        silences = 3;
        assertEquals("nothing answers",
            assertThrows(AttachFailedException.class, () -> leaders.open(FAR)).getMessage());
        assertEquals(List.of(ONE, TWO, ONE, TWO), asked);
    }

    @Test
    void shouldEndAtTheDeadlineWithWhatWasFoundFirst()
    {
        silent.add(ONE);
        silent.add(TWO);
        final long deadlineNs = nowNs + 5 * Leaders.ANSWER_NS / 2;
        assertEquals("nothing answers",
            assertThrows(AttachFailedException.class, () -> leaders.open(deadlineNs)).getMessage());
        assertEquals(deadlineNs, nowNs);
        assertEquals(2, told.size());
    }

    /** The pause between two attempts is shorter than that between two rounds of questions later. */
    @Test
    void shouldAskAtOnceWhereAllWereBusy() throws AttachFailedException
    {
        final AttachFailedException busy = new AttachFailedException(Kind.BUSY, "no room", null);
        refusals.put(ONE, busy);
        refusals.put(TWO, busy);
        assertEquals(Kind.BUSY,
            assertThrows(AttachFailedException.class, () -> leaders.open(FAR)).kind());
        refusals.clear();
        answers.put(ONE, map(1, 4, 1));
        assertEquals(TABLE, leaders.open(FAR).tableId());
    }

    @Test
    void shouldRefuseAMapOfAnotherTable() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        answers.put(TWO, map(2, 99, 8, 2, true));
        leaders.open(FAR);
        assertEquals(ONE, leaders.address(0, false, FAR));

        answers.remove(ONE);
        final AttachFailedException thrown = assertThrows(AttachFailedException.class, this::again);
        assertEquals(Kind.STRANGER, thrown.kind());
        assertEquals("no member of the cluster answers at two:2: server is not a member of this cluster, name the " +
            "servers of one: server=two:2 table=63 expected=abcdef", thrown.getMessage());
    }

    private static AttachFailedException foreign()
    {
        return new AttachFailedException(Kind.PERMANENT, "answers like HTTP, not onesided", null);
    }

    @Test
    void shouldFailAtOnceBeforeAMemberHasAnswered()
    {
        refusals.put(ONE, foreign());

        assertTrue(assertThrows(AttachFailedException.class, () -> leaders.open(FAR)).isFinal());
    }

    @Test
    void shouldLookElsewhereWhereAnotherProgramAnswersInThePlaceOfTheLeader() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        answers.put(TWO, map(2, 4, 1));
        leaders.open(FAR);
        refusals.put(ONE, foreign());
        final AttachFailedException thrown = assertThrows(AttachFailedException.class, this::again);

        assertFalse(thrown.isFinal());
        assertEquals("no member of the cluster answers at one:1: answers like HTTP, not onesided", thrown.getMessage());
        answers.put(TWO, map(2, 5, 3));
        assertEquals(THREE, again());
    }

    @Test
    void shouldGoBackToALeaderInWhosePlaceAnotherProgramAnsweredForAWhile() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        answers.put(TWO, map(2, 4, 1));
        leaders.open(FAR);
        refusals.put(ONE, foreign());
        assertThrows(AttachFailedException.class, this::again);
        refusals.clear();
        nowNs += Leaders.MIN_PERIOD_NS;

        assertEquals(ONE, leaders.address(0, false, FAR));
    }

    @Test
    void shouldRefuseAServerThatIsAlone()
    {
        answers.put(ONE, null);

        final AttachFailedException thrown =
            assertThrows(AttachFailedException.class, () -> leaders.open(FAR));
        assertEquals("server is alone, not a member of a cluster: server=one:1", thrown.getMessage());
    }

    @Test
    void shouldSayThatNobodyLeads() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 0));
        leaders.open(FAR);

        final AttachFailedException thrown =
            assertThrows(AttachFailedException.class, () -> leaders.address(0, false, FAR));
        assertEquals(Kind.NOT_LEADING, thrown.kind());
        assertFalse(thrown.isFinal());
    }

    @Test
    void shouldRefuseAMemberWithAnotherTable() throws AttachFailedException
    {
        answers.put(ONE, map(1, 4, 1));
        leaders.open(FAR);
        final LeaderDestination destination = new LeaderDestination(leaders, 0);

        assertEquals(ONE, destination.latest());
        assertTrue(assertThrows(AttachFailedException.class, () -> destination.check(
            new Superblock(11, TABLE, 3, 4096, 6, 44, List.of()))).isFinal());
    }
}
