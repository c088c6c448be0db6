package org.onesided.server.raft.peers;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * A member of the groups that keep the logs.
 *
 * @param number        of the member, from 1. A member that has lost its disk comes back with another number: by the
 *                      old one it has promised what it does not remember.
 * @param address       where the others reach it.
 * @param clientAddress where clients reach it, which the logs keep for whoever asks; empty if that is not known.
 */
public record Peer(long number, InetSocketAddress address, String clientAddress)
{
    /**
     * Checks the number and the address.
     *
     * @param number        of the member, at least 1.
     * @param address       where the others reach it, with a port.
     * @param clientAddress where clients reach it; empty if that is not known.
     */
    public Peer
    {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(clientAddress, "clientAddress");
        if (number < 1)
        {
            throw new IllegalArgumentException("a member's number must be at least 1: number=" + number);
        }
        if (address.getPort() < 1)
        {
            throw new IllegalArgumentException("a member's port must be 1 to 65535: port=" + address.getPort());
        }
    }

    /**
     * A member that clients do not use.
     *
     * @param number  of the member, at least 1.
     * @param address where the others reach it, with a port.
     */
    public Peer(final long number, final InetSocketAddress address)
    {
        this(number, address, "");
    }

    /**
     * @param text of an address, HOST:PORT.
     * @return the address, which is not looked up.
     * @throws IllegalArgumentException if the text is no address.
     */
    public static InetSocketAddress address(final String text)
    {
        final int colon = text.lastIndexOf(':');
        try
        {
            return InetSocketAddress.createUnresolved(
                text.substring(0, Math.max(0, colon)).replaceAll("^\\[|\\]$", ""),
                Integer.parseInt(text.substring(colon + 1)));
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException("address of a member is not HOST:PORT: address=" + text, e);
        }
    }

    /**
     * @param number of a member.
     * @return enough for Ratis to know it by.
     */
    public static RaftPeer idOnly(final long number)
    {
        return RaftPeer.newBuilder().setId(id(number)).build();
    }

    /** A member as the logs know it. */
    static Peer of(final RaftPeer peer)
    {
        final String client = peer.getClientAddress();
        return new Peer(number(peer.getId()), address(peer.getAddress()), client == null ? "" : client);
    }

    /**
     * @return where the others reach it, HOST:PORT.
     */
    public String addressText()
    {
        final String host = address.getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
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
        final RaftPeer.Builder builder = RaftPeer.newBuilder().setId(id()).setAddress(addressText());
        return (clientAddress.isEmpty() ? builder : builder.setClientAddress(clientAddress)).build();
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
