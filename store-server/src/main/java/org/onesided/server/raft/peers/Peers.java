package org.onesided.server.raft.peers;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    private final boolean isFounding;

    private Peers(final Peer self, final List<Peer> all, final boolean isFounding)
    {
        this.self = self;
        this.all = List.copyOf(all);
        this.isFounding = isFounding;
        final Set<Long> numbers = new HashSet<>();
        for (final Peer peer : all)
        {
            if (!numbers.add(peer.number()))
            {
                throw new IllegalArgumentException("members must differ in their numbers: number=" + peer.number());
            }
        }
        if (self.address().isUnresolved() || !self.address().getAddress().isLoopbackAddress())
        {
            throw new IllegalArgumentException("members reach each other on this machine only, as the transport " +
                "between them is not protected yet: address=" + self.address());
        }
    }

    /**
     * A member of a group that begins, or that it was a member of before.
     *
     * @param number of the member.
     * @param all    members at the beginning: an odd number, all with the same list.
     * @return the members.
     * @throws IllegalArgumentException if the list is no group with that member.
     */
    public static Peers founding(final long number, final List<Peer> all)
    {
        if (all.size() % 2 == 0)
        {
            throw new IllegalArgumentException("a group needs an odd number of members: members=" + all.size());
        }
        return new Peers(find(number, all), all, true);
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
     * @param self that joins.
     * @return the members.
     */
    public static Peers joining(final Peer self)
    {
        return new Peers(self, List.of(self), false);
    }

    /**
     * @return this member.
     */
    public Peer self()
    {
        return self;
    }

    /**
     * @return Ratis' id of this member.
     */
    public RaftPeerId id()
    {
        return self.id();
    }

    /**
     * @param id of a group.
     * @return the group, with the members that begin it.
     */
    public RaftGroup group(final RaftGroupId id)
    {
        return RaftGroup.valueOf(id, isFounding ? raftPeers(all) : List.of());
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
