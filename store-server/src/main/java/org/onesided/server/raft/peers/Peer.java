package org.onesided.server.raft.peers;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * A member of the groups that keep the logs.
 *
 * @param number  of the member, from 1. A member that has lost its disk comes back with another number: by the old one
 *                it has promised what it does not remember.
 * @param address where the others reach it.
 */
public record Peer(long number, InetSocketAddress address)
{
    /**
     * Checks the number and the address.
     *
     * @param number  of the member, at least 1.
     * @param address where the others reach it, with a port.
     */
    public Peer
    {
        Objects.requireNonNull(address, "address");
        if (number < 1)
        {
            throw new IllegalArgumentException("a member's number must be at least 1: number=" + number);
        }
        if (address.getPort() < 1)
        {
            throw new IllegalArgumentException("a member's port must be 1 to 65535: port=" + address.getPort());
        }
    }

    RaftPeerId id()
    {
        return id(number);
    }

    /**
     * @param number of a member.
     * @return the id that Ratis has for it.
     */
    public static RaftPeerId id(final long number)
    {
        return RaftPeerId.valueOf(Long.toString(number));
    }

    RaftPeer raftPeer()
    {
        final String host = address.getHostString();
        final String name = host.contains(":") ? "[" + host + "]" : host;
        return RaftPeer.newBuilder().setId(id()).setAddress(name + ":" + address.getPort()).build();
    }

    /**
     * @param id that Ratis has for a member, or null.
     * @return the member's number, 0 for null.
     */
    public static long number(final RaftPeerId id)
    {
        return id == null ? 0 : Long.parseLong(id.toString());
    }
}
