package org.onesided.server.raft.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class PeersTest
{
    private static final RaftGroupId GROUP = RaftGroupId.randomId();

    private static Peer peer(final long number)
    {
        return new Peer(number, new InetSocketAddress("127.0.0.1", 7000 + (int)number));
    }

    private static String message(final Executable call)
    {
        return assertThrows(IllegalArgumentException.class, call).getMessage();
    }

    @Test
    void shouldBeginAGroupWithAllMembers()
    {
        final RaftGroup group = Peers.founding(2, List.of(peer(1), peer(2), peer(3))).group(GROUP, 0);
        assertEquals(3, group.getPeers().size());
        assertEquals("127.0.0.1:7003", group.getPeer(RaftPeerId.valueOf("3")).getAddress());
    }

    @Test
    void shouldBeginWithoutAVoteWhenItJoins()
    {
        final Peers peers = Peers.joining(4, List.of(peer(1), peer(2), peer(4)), null);
        assertTrue(peers.group(GROUP, 0).getPeers().isEmpty());
        assertEquals(RaftPeerId.valueOf("4"), peers.id());
        assertTrue(message(() -> Peers.joining(3, List.of(peer(1), peer(2)), null)).endsWith("number=3"));
    }

    @Test
    void shouldKeepWhereClientsReachAMember()
    {
        final Peer member = new Peer(3, Peer.address("[::1]:7003"), "store3:6003");
        assertEquals("[::1]:7003", member.addressText());
        assertEquals(List.of(new Peer(1, Peer.address("a:1")), member),
            Peers.of(List.of(member.raftPeer(), new Peer(1, Peer.address("a:1")).raftPeer())));
    }

    @Test
    void shouldRefuseWhatIsNoAddress()
    {
        for (final String text : new String[]{"", "a", "a:", "a:b", "a:65536", "a:-1"})
        {
            assertTrue(message(() -> Peer.address(text)).endsWith("address=" + text));
        }
    }

    @Test
    void shouldPutAnAddressOfIpVersion6IntoBrackets()
    {
        final Peer peer = new Peer(1, InetSocketAddress.createUnresolved("::1", 7001));
        assertEquals("[::1]:7001", peer.raftPeer().getAddress());
    }

    @Test
    void shouldKnowAMemberByTheIdThatRatisHas()
    {
        assertEquals(12, Peer.number(peer(12).id()));
        assertEquals(0, Peer.number(null));
    }

    @Test
    void shouldRefuseMembersThatAreNoGroup()
    {
        assertTrue(message(() -> Peers.founding(1, List.of(peer(1), peer(2)))).contains("odd number of members: "));
        assertTrue(message(() -> Peers.founding(1, List.of(peer(1), peer(2), peer(2)))).endsWith("number=2"));
        assertTrue(message(() -> Peers.founding(4, List.of(peer(1), peer(2), peer(3)))).endsWith("number=4"));
        assertTrue(message(() -> new Peer(0, new InetSocketAddress("127.0.0.1", 1))).endsWith("number=0"));
        assertTrue(message(() -> new Peer(1, new InetSocketAddress("127.0.0.1", 0))).endsWith("port=0"));
    }

    @Test
    void shouldNotListenToStrangersWithoutProtection()
    {
        final Peer open = new Peer(1, new InetSocketAddress("0.0.0.0", 7001));
        assertTrue(message(() -> Peers.joining(1, List.of(open), null)).contains("this machine only"));
        final Peer unknown = new Peer(1, InetSocketAddress.createUnresolved("host.invalid", 7001));
        assertTrue(message(() -> Peers.joining(1, List.of(unknown), null)).contains("this machine only"));
    }
}
