package org.onesided.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.raft.peers.Peer;

/**
 * Rules for the address at which a member of a cluster listens for the others. They connect to it as it is written.
 */
final class PeerAddress
{
    private PeerAddress()
    {
    }

    /**
     * Checks the address of this server.
     *
     * @param address {@code HOST:PORT}.
     * @param isTls   whether members must show certificates.
     * @return the address.
     * @throws IllegalArgumentException if others could not connect to it, or strangers could.
     */
    static InetSocketAddress check(final String address, final boolean isTls)
    {
        final InetSocketAddress parsed = ServerAddress.parse(address);
        if (parsed.isUnresolved())
        {
            throw new IllegalArgumentException("the host for other members has no address here, correct it " +
                "(kvctl: --peer-listen): peerListen=" + address);
        }
        if (parsed.getAddress().isAnyLocalAddress())
        {
            throw new IllegalArgumentException("other members connect to the address that is listened on, name one " +
                "of this machine that they reach, not all (kvctl: --peer-listen): peerListen=" + address);
        }
        if (!isTls && !parsed.getAddress().isLoopbackAddress())
        {
            throw new IllegalArgumentException("without certificates, members reach each other on this machine only: " +
                "give an authority (kvctl: --tls-peer-ca, see docs/security.md), or take 127.0.0.1 " +
                "(kvctl: --peer-listen): peerListen=" + address);
        }
        return parsed;
    }

    /** Members with their addresses as they are written: Ratis looks them up when it connects. */
    static List<Peer> peers(final List<ClusterMember> members)
    {
        return members.stream().map((member) ->
            new Peer(member.number(), Peer.address(member.peerAddress()), member.address())).toList();
    }

    /**
     * Checks whether members can reach each other.
     *
     * @param members all of them.
     * @throws IllegalArgumentException if one has no address here, or some are on loopback and others are not.
     */
    static void checkReachable(final List<ClusterMember> members)
    {
        InetSocketAddress loopback = null;
        InetSocketAddress other = null;
        for (final ClusterMember member : members)
        {
            final InetSocketAddress named = Peer.address(member.peerAddress());
            final InetSocketAddress each = new InetSocketAddress(named.getHostString(), named.getPort());
            if (each.isUnresolved() || each.getAddress().isAnyLocalAddress())
            {
                throw new IllegalArgumentException("a member cannot be reached from here, its host has no address " +
                    "here, or stands for all: peerListen=" + each.getHostString() + ":" + each.getPort());
            }
            if (each.getAddress().isLoopbackAddress())
            {
                loopback = each;
            }
            else
            {
                other = each;
            }
        }
        if (loopback != null && other != null)
        {
            throw new IllegalArgumentException("other machines cannot reach a member on loopback, name an address " +
                "that they reach, or correct /etc/hosts here (kvctl: --peer-listen): loopback=" + loopback +
                " other=" + other);
        }
    }

    /**
     * Finds out whether the address can be listened on. Ratis would end the process if not.
     *
     * @param address to try.
     * @throws ServerException if it cannot.
     */
    static void tryOut(final InetSocketAddress address)
    {
        try (ServerSocket socket = new ServerSocket())
        {
            socket.bind(address);
        }
        catch (final IOException e)
        {
            throw new ServerException("cannot listen for other members, end what has the address, or choose one of " +
                "this machine (kvctl: --peer-listen): peerListen=" + address.getHostString() + ":" +
                address.getPort() + " cause=" + e.getMessage(), e);
        }
    }
}
