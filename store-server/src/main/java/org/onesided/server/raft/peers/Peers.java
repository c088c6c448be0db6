package org.onesided.server.raft.peers;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * The members of the groups that keep a server's logs, as one of them sees them when it starts. What the logs say about
 * members that came and went holds afterwards.
 */
public final class Peers
{
    private final Peer self;
    private final List<Peer> all;
    /** Those that begin the group of a shard, by its number. */
    private final IntFunction<List<Peer>> founders;
    /** Null for none. */
    private final PeerTls tls;
    private final MemberHosts hosts;

    private Peers(final Peer self, final List<Peer> all, final IntFunction<List<Peer>> founders, final PeerTls tls)
    {
        this.self = self;
        this.all = List.copyOf(all);
        this.founders = founders;
        this.tls = tls;
        hosts = new MemberHosts(hosts(all));
        final Set<Long> numbers = new HashSet<>();
        for (final Peer peer : all)
        {
            if (!numbers.add(peer.number()))
            {
                throw new IllegalArgumentException("members must differ in their numbers: number=" + peer.number());
            }
        }
        if (tls == null && !isLoopback(self.address().getHostString()))
        {
            throw new IllegalArgumentException("members reach each other on this machine only without TLS between " +
                "them: address=" + self.address());
        }
    }

    private static boolean isLoopback(final String host)
    {
        try
        {
            return InetAddress.getByName(host).isLoopbackAddress();
        }
        catch (final UnknownHostException e)
        {
            return false;
        }
    }

    /**
     * A member of a group that begins, or that it was a member of before. The members are processes of this machine,
     * which trust each other and whoever is on it.
     *
     * @param number of the member.
     * @param all    members at the beginning: an odd number, all with the same list.
     * @return the members.
     * @throws IllegalArgumentException if the list is no group with that member, or the member is not on loopback.
     */
    public static Peers founding(final long number, final List<Peer> all)
    {
        return founding(number, all, null);
    }

    /**
     * As above, on any machines.
     *
     * @param number of the member.
     * @param all    members at the beginning: an odd number, all with the same list.
     * @param tls    protects the connections between them, at all of them or none; null if the members are on loopback.
     * @return the members.
     * @throws IllegalArgumentException if the list is no group with that member.
     */
    public static Peers founding(final long number, final List<Peer> all, final PeerTls tls)
    {
        checkOdd(all);
        return founding(number, all, (shard) -> all, tls);
    }

    /**
     * As above, where not all members keep each shard's log. Those that do not wait for their leaders to take them in.
     *
     * @param number   of the member.
     * @param all      members at the beginning, all with the same list.
     * @param founders gives those that begin a shard's group, an odd number, by the shard's number.
     * @param tls      protects the connections between them, at all of them or none; null if the members are on
     *                 loopback.
     * @return the members.
     * @throws IllegalArgumentException if the member is not in the list.
     */
    public static Peers founding(
        final long number, final List<Peer> all, final IntFunction<List<Peer>> founders, final PeerTls tls)
    {
        return new Peers(find(number, all), all, founders, tls);
    }

    private static List<Peer> checkOdd(final List<Peer> members)
    {
        if (members.size() % 2 == 0)
        {
            throw new IllegalArgumentException("a group needs an odd number of members: members=" + members.size());
        }
        return members;
    }

    private static Peer find(final long number, final List<Peer> all)
    {
        return all.stream().filter((peer) -> peer.number() == number).findFirst().orElseThrow(() ->
            new IllegalArgumentException("a member must be in the list of members: number=" + number));
    }

    /**
     * A member that joins a group: with nothing on its disk it takes no part, and does not vote, until the group's
     * leader has made it a member.
     *
     * @param number of the member.
     * @param all    members that there are, and this one.
     * @param tls    protects the connections between them; null if the members are on loopback.
     * @return the members.
     * @throws IllegalArgumentException if the member is not in the list.
     */
    public static Peers joining(final long number, final List<Peer> all, final PeerTls tls)
    {
        return new Peers(find(number, all), all, (shard) -> List.of(), tls);
    }

    /**
     * @return this member.
     */
    public Peer self()
    {
        return self;
    }

    /** Null for none. */
    PeerTls tls()
    {
        return tls;
    }

    /** Of all members, as they are known. */
    MemberHosts hosts()
    {
        return hosts;
    }

    /**
     * Takes connections of members on these hosts only, from here on. Thread-safe.
     *
     * @param present hosts of all members.
     */
    public void trust(final Collection<String> present)
    {
        hosts.change(present);
    }

    private static List<String> hosts(final List<Peer> peers)
    {
        return peers.stream().map((peer) -> peer.address().getHostString()).toList();
    }

    /**
     * @return Ratis' id of this member.
     */
    public RaftPeerId id()
    {
        return self.id();
    }

    /**
     * @param id    of a shard's group.
     * @param shard its number.
     * @return the group, with the members that begin it; with none if this one is not among them.
     * @throws IllegalArgumentException if their number is even.
     */
    public RaftGroup group(final RaftGroupId id, final int shard)
    {
        final List<Peer> first = founders.apply(shard);
        return RaftGroup.valueOf(id, first.contains(self) ? raftPeers(checkOdd(first)) : List.of());
    }

    /**
     * @param peers as Ratis has them.
     * @return the members, by their numbers.
     */
    public static List<Peer> of(final Collection<RaftPeer> peers)
    {
        return peers.stream().map(Peer::of).sorted(Comparator.comparingLong(Peer::number)).toList();
    }

    /**
     * @param peers members.
     * @return the same for Ratis.
     */
    public static List<RaftPeer> raftPeers(final List<Peer> peers)
    {
        return peers.stream().map(Peer::raftPeer).toList();
    }
}
