package org.onesided.server.forming;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.server.data.ClusterMember;

/**
 * Members that a message names: as many as a cluster may have, no two with the same number or address.
 */
final class ReadMembers
{
    private static final int MAX_PORT = 0xFFFF;

    private final List<ClusterMember> members = new ArrayList<>();
    private final Set<Object> seen = new HashSet<>();

    /**
     * Checks how many follow.
     *
     * @param count of members.
     * @throws ProtocolException if there are too many, or none.
     */
    ReadMembers(final int count) throws ProtocolException
    {
        check("members", count, Bootstrap.MAX_MEMBERS);
    }

    /** Checks the length of an address, before it is read. */
    static int length(final String name, final int length) throws ProtocolException
    {
        check(name, length, Bootstrap.MAX_ADDRESS_LENGTH);
        return length;
    }

    static void check(final String name, final long value, final long max) throws ProtocolException
    {
        if (value < 1 || value > max)
        {
            throw new ProtocolException(name + " must be 1 to " + max + ": " + name + "=" + value);
        }
    }

    void add(final long number, final String address, final String peerAddress) throws ProtocolException
    {
        check("number", number, Long.MAX_VALUE);
        checkAddress(address);
        checkAddress(peerAddress);
        if (!seen.add(number) || !seen.add(address) || !seen.add(peerAddress))
        {
            throw new ProtocolException("members must differ in number and addresses: number=" + number +
                " address=" + address + " peerAddress=" + peerAddress);
        }
        members.add(new ClusterMember(number, address, peerAddress));
    }

    private static int port(final String address)
    {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** An address goes into logs and messages as it is. */
    private static void checkAddress(final String text) throws ProtocolException
    {
        final String line = OneLine.ofPeer(text);
        if (!line.equals(text) || !text.matches("\\S+:[0-9]{1,5}") || port(text) < 1 || port(text) > MAX_PORT)
        {
            throw new ProtocolException("not the address of a member: address=" + line);
        }
    }

    List<ClusterMember> all()
    {
        return List.copyOf(members);
    }
}
