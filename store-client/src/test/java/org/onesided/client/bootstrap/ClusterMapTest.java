package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.bootstrap.codec.OfferEncoder;
import org.onesided.protocol.table.SuperblockDescriptor;

class ClusterMapTest
{
    private record Member(long number, String address)
    {
    }

    private long self = 2;
    private long tableId = 77;
    private long leaseMs = 500;
    private final List<Member> members = new ArrayList<>(List.of(
        new Member(1, "one:1"), new Member(2, "two"), new Member(3, "[::1]:3")));
    private final List<ClusterMap.Leader> leaders = new ArrayList<>(List.of(
        new ClusterMap.Leader(5, 2, true), new ClusterMap.Leader(4, 3, false), new ClusterMap.Leader(9, 0, false)));

    private ClusterMap read() throws ProtocolException
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1 << 16]);
        final OfferEncoder offer = new OfferEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .self(self).tableId(tableId).hashSeed(-9).leaseMs(leaseMs);
        offer.devicesCount(1).next().name("tcp:one");
        final OfferEncoder.MembersEncoder ofMembers = offer.membersCount(members.size());
        members.forEach((each) -> ofMembers.next().number(each.number).address(each.address));
        final OfferEncoder.LeadersEncoder ofLeaders = offer.leadersCount(leaders.size());
        leaders.forEach((each) -> ofLeaders.next()
            .term(each.term()).member(each.member()).serving((short)(each.isServing() ? 1 : 0)));
        final OfferDecoder decoder = new OfferDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        decoder.devices().next().name();
        return ClusterMap.read(decoder);
    }

    private void assertRefused(final String reason)
    {
        final String message = assertThrows(ProtocolException.class, this::read).getMessage();
        assertTrue(message.contains(reason), message);
    }

    @Test
    void shouldReadAMap() throws ProtocolException
    {
        final ClusterMap map = read();

        assertEquals(2, map.self());
        assertEquals(77, map.tableId());
        assertEquals(-9, map.hashSeed());
        assertEquals(TimeUnit.MILLISECONDS.toNanos(500), map.leaseNs());
        assertEquals(Map.of(1L, new HostAndPort("one", 1), 2L, new HostAndPort("two", Bootstrap.DEFAULT_PORT),
            3L, new HostAndPort("::1", 3)), map.members());
        assertEquals(leaders, map.leaders());
        assertEquals(3, map.shards());
    }

    @Test
    void shouldKnowAServerThatIsAlone() throws ProtocolException
    {
        tableId = 0;
        self = 0;
        leaseMs = 0;
        members.clear();
        leaders.clear();

        assertNull(read());
    }

    @Test
    void shouldRefuseAServerThatIsAloneWithMembers()
    {
        tableId = 0;
        assertRefused("tells of a cluster");
    }

    @Test
    void shouldRefuseAClusterWithoutTheServer()
    {
        self = 4;
        leaders.set(0, new ClusterMap.Leader(5, 2, false));
        assertRefused("not among the members");
    }

    @Test
    void shouldRefuseTooManyMembers()
    {
        for (int i = 4; i <= Bootstrap.MAX_MEMBERS + 1; i++)
        {
            members.add(new Member(i, "host"));
        }
        assertRefused("too many members");
    }

    @Test
    void shouldRefuseMembersWithOneNumber()
    {
        members.add(new Member(3, "four"));
        assertRefused("number=3");
    }

    @Test
    void shouldRefuseAMemberWithoutANumber()
    {
        members.add(new Member(0, "four"));
        assertRefused("number=0");
    }

    @Test
    void shouldRefuseAnAddressThatIsNone()
    {
        members.add(new Member(4, "four:port\n"));
        assertRefused("address of a member is none");
    }

    @Test
    void shouldRefuseAnAddressThatIsTooLong()
    {
        members.add(new Member(4, "x".repeat(Bootstrap.MAX_ADDRESS_LENGTH + 1)));
        assertRefused("too long");
    }

    @Test
    void shouldRefuseAClusterWithoutShards()
    {
        leaders.clear();
        assertRefused("no shards");
    }

    @Test
    void shouldRefuseTooManyShards()
    {
        while (leaders.size() <= SuperblockDescriptor.MAX_SHARDS)
        {
            leaders.add(new ClusterMap.Leader(1, 1, false));
        }
        assertRefused("too many shards");
    }

    @Test
    void shouldRefuseALeaderThatIsNoMember()
    {
        leaders.set(1, new ClusterMap.Leader(4, 8, false));
        assertRefused("leader of a shard makes no sense");
    }

    @Test
    void shouldRefuseAMemberThatSaysAnotherServes()
    {
        leaders.set(1, new ClusterMap.Leader(4, 3, true));
        assertRefused("leader of a shard makes no sense");
    }

    @Test
    void shouldRefuseALeaseOfNoTime()
    {
        leaseMs = 0;
        assertRefused("leaseMs=0");
    }

    @Test
    void shouldRefuseALeaseForEver()
    {
        leaseMs = 0xFFFF_FFFEL;
        assertRefused("lease is out of range");
    }
}
