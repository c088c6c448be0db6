package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.raft.peers.Peer;

class KnownMembersTest
{
    private final List<ClusterDescription> written = new ArrayList<>();
    private final KnownMembers known =
        new KnownMembers(ClusterDescription.founding(1, members(1, 2, 3), 1000), 2, written::add);

    private static ClusterMember member(final long number)
    {
        return new ClusterMember(number, "host" + number + ":1", "host" + number + ":2");
    }

    private static List<ClusterMember> members(final long... numbers)
    {
        return LongStream.of(numbers).mapToObj(KnownMembersTest::member).toList();
    }

    private static List<Peer> peers(final long... numbers)
    {
        return members(numbers).stream()
            .map((member) -> new Peer(member.number(), Peer.address(member.peerAddress()), member.address())).toList();
    }

    private static String refused(final Executable call)
    {
        return assertThrows(IllegalArgumentException.class, call).getMessage();
    }

    private List<Long> numbers()
    {
        return known.description().members().stream().map(ClusterMember::number).toList();
    }

    @Test
    void shouldWriteNothingWhileNothingIsNew()
    {
        known.onMembers(0, peers(1, 2, 3));
        known.onMembers(1, peers(1, 2, 3));
        assertEquals(List.of(), written);
    }

    /** In which order members found a cluster, zones decide. */
    @Test
    void shouldNotTakeTheOrderOfTheFoundersForAChange()
    {
        final ClusterDescription founding = ClusterDescription.founding(1, members(3, 1, 2), 1000);
        assertEquals(members(3, 1, 2), founding.founders());
        final KnownMembers some = new KnownMembers(founding, 1, written::add);
        some.onMembers(0, peers(1, 2, 3));
        assertEquals(List.of(), written);
    }

    @Test
    void shouldKnowAMemberThatAnyLogHas()
    {
        known.onMembers(0, peers(1, 2, 3, 4));
        assertEquals(List.of(1L, 2L, 3L, 4L), numbers());
        assertEquals(member(4), written.get(0).members().get(3));
        assertEquals(4, written.get(0).highest());
    }

    /** A partition that has not told may still have the member. */
    @Test
    void shouldForgetAMemberWhenNoLogHasIt()
    {
        known.onMembers(0, peers(1, 2));
        assertEquals(List.of(1L, 2L, 3L), numbers());
        known.onMembers(1, peers(1, 2, 3));
        assertEquals(List.of(1L, 2L, 3L), numbers());
        known.onMembers(1, peers(1, 2));
        assertEquals(List.of(1L, 2L), numbers());
        assertEquals(3, known.description().highest());
        assertFalse(known.description().isRemoved());
    }

    /** Nor by the logs of all partitions, if these are on some members only. */
    @Test
    void shouldForgetAMemberOfWhichNoLogTellsWhenItIsToldSo()
    {
        final KnownMembers some =
            new KnownMembers(ClusterDescription.founding(1, members(1, 2, 3, 4), 3, 1000), 1, written::add);
        some.onMembers(0, peers(1, 2, 3));
        assertEquals(members(1, 2, 3, 4), some.description().members());
        some.onMembers(0, peers(1, 2, 5));
        assertEquals(members(1, 2, 3, 4, 5), some.description().members());
        some.forget(3);
        some.forget(4);
        assertEquals(members(1, 2, 5), some.description().members());
        assertTrue(some.description().isChanged());
        assertEquals(3, some.description().replicas());
    }

    private KnownMembers spread(final int shards)
    {
        return new KnownMembers(ClusterDescription.founding(1, members(1, 2, 3, 4), 3, 1000), shards, written::add);
    }

    /** Nobody corrects what a log has said last that goes on elsewhere. */
    @Test
    void shouldForgetAMemberOfAPartitionThatItKeepsNoMore()
    {
        final KnownMembers some = spread(2);
        some.onMembers(0, peers(1, 2, 3));
        final String refusal = refused(() -> some.forget(3));
        assertTrue(refusal.contains("the member keeps a partition as far as this one knows"), refusal);
        assertTrue(refusal.contains("member=3 partition=0"), refusal);
        some.onLeft(0);
        some.forget(3);
        assertEquals(members(1, 2, 4), some.description().members());
    }

    /** A log that has not caught up has members which left long ago. */
    @Test
    void shouldNotKeepAForgottenMemberThatALogHadWhenItBegan()
    {
        final KnownMembers some = spread(2);
        some.forget(3);
        some.onMembers(0, peers(1, 2, 3));
        assertEquals(members(1, 2, 3, 4), some.description().members());
        some.onMembers(1, peers(1, 2, 4));
        assertEquals(members(1, 2, 3, 4), some.description().members());
        some.onMembers(0, peers(1, 2, 4));
        assertEquals(members(1, 2, 4), some.description().members());
    }

    /** It was down when a member came, and when that left. */
    @Test
    void shouldForgetAMemberThatLeftMeanwhile()
    {
        known.onMembers(0, peers(1, 2, 3, 4));
        final KnownMembers restarted = new KnownMembers(written.get(0), 2, written::add);
        restarted.onMembers(0, peers(1, 2, 3));
        restarted.onMembers(1, peers(1, 2, 3));
        assertEquals(members(1, 2, 3), restarted.description().members());
    }

    @Test
    void shouldTellThatItWasRemoved()
    {
        known.onMembers(0, peers(2, 3));
        assertFalse(known.description().isRemoved());
        known.onMembers(1, peers(2, 3));
        assertTrue(known.description().isRemoved());
    }

    /** Its own logs may never tell. */
    @Test
    void shouldLeaveWhenItIsTold()
    {
        known.leave();
        assertTrue(known.description().isRemoved());
        assertEquals(List.of(2L, 3L), numbers());
    }

    /** Of two that were announced, the one with the higher number is taken in first. */
    @Test
    void shouldKeepEachAnnouncedMember()
    {
        known.announce(member(4));
        known.announce(member(5));
        known.onMembers(0, peers(1, 2, 3, 5));
        known.onMembers(1, peers(1, 2, 3, 5));
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), numbers());
        final KnownMembers restarted = new KnownMembers(written.get(written.size() - 1), 2, written::add);
        restarted.onMembers(0, peers(1, 2, 3));
        restarted.onMembers(1, peers(1, 2, 3));
        assertEquals(members(1, 2, 3, 4), restarted.description().members());
    }

    @Test
    void shouldTakeNoMemberThatLeavesNoRoomForOthers()
    {
        assertTrue(refused(() -> known.announce(member(Long.MAX_VALUE))).contains("ask again"));
        for (int i = 4; i <= 16; i++)
        {
            known.announce(member(i));
        }
        assertTrue(refused(() -> known.announce(member(17))).contains("too many members"));
    }

    /** Such as IPv6, which has several ways to be written. */
    @Test
    void shouldKeepAddressesAsTheyWereGiven()
    {
        known.onMembers(0, List.of(
            new Peer(1, Peer.address("[0:0:0:0:0:0:0:1]:2"), "other:1"), new Peer(2, Peer.address("x:2"), "")));
        assertEquals(members(1, 2, 3), known.description().members());
    }

    @Test
    void shouldKeepAnAnnouncedMemberUntilALogHasIt()
    {
        known.announce(member(4));
        known.announce(member(4));
        assertEquals(1, written.size());
        known.onMembers(0, peers(1, 2, 3));
        known.onMembers(1, peers(1, 2, 3));
        assertEquals(List.of(1L, 2L, 3L, 4L), numbers());
        known.onMembers(0, peers(1, 2, 3, 4));
        known.onMembers(0, peers(1, 2, 3));
        assertEquals(List.of(1L, 2L, 3L), numbers());
        assertEquals(4, known.description().highest());
    }

    @Test
    void shouldGiveNoNumberAndNoAddressTwice()
    {
        known.announce(member(4));
        known.forget(4);
        assertEquals(List.of(1L, 2L, 3L), numbers());
        assertTrue(refused(() -> known.announce(member(4))).contains("given before"));
        assertTrue(refused(() -> known.announce(new ClusterMember(5, "host2:1", "x:1"))).contains("member=2"));
        assertTrue(refused(() -> known.announce(new ClusterMember(5, "x:1", "host3:2"))).contains("member=3"));
        known.announce(member(5));
        assertEquals(5, known.description().highest());
    }

    @Test
    void shouldNotForgetWhoKeepsAPartition()
    {
        known.onMembers(1, peers(1, 2, 3));
        assertEquals("the member keeps a partition as far as this one knows; if it was removed just now, try again: " +
            "member=3 partition=1", refused(() -> known.forget(3)));
        assertTrue(refused(() -> known.forget(1)).contains("member=1"));
        assertEquals(List.of(1L, 2L, 3L), numbers());
    }

    /** Logs of a cluster that was formed before members could change. */
    @Test
    void shouldKnowAddressesThatLogsDoNotHave()
    {
        final List<Peer> bare = peers(1, 2).stream().map((peer) -> new Peer(peer.number(), peer.address())).toList();
        known.onMembers(0, bare);
        known.onMembers(1, bare);
        assertEquals(members(1, 2), known.description().members());
    }

    @Test
    void shouldChangeNothingThatCannotBeWritten()
    {
        final KnownMembers full = new KnownMembers(
            ClusterDescription.founding(1, members(1, 2, 3), 1000), 1, (changed) ->
            {
                throw new IllegalStateException("disk is full");
            });
        assertThrows(IllegalStateException.class, () -> full.onMembers(0, peers(1, 2, 3, 4)));
        assertEquals(3, full.description().members().size());
    }
}
