package org.onesided.server.forming;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.FormDecoder;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.SessionKey;
import org.onesided.server.data.TableIdentity;

/**
 * What a client wants a blank server to become.
 *
 * @param identity    of the table.
 * @param shards      of the table.
 * @param description of the cluster.
 */
public record Foundation(TableIdentity identity, int shards, ClusterDescription description)
{
    /** Longest lease in milliseconds: a new leader waits for longer than that. */
    static final long MAX_LEASE_MS = 60_000;

    /**
     * Reads a message whose lengths were checked.
     *
     * @param form that came.
     * @return what it says.
     * @throws ProtocolException if a value is out of its range.
     */
    static Foundation decode(final FormDecoder form) throws ProtocolException
    {
        final long self = form.self();
        final int shards = form.shards();
        final long leaseMs = form.leaseMs();
        check("shards", shards, SuperblockDescriptor.MAX_SHARDS);
        check("leaseMs", leaseMs, MAX_LEASE_MS);
        if (form.tableId() == 0 || form.serverLife() == 0)
        {
            throw new ProtocolException("table and life need numbers: tableId=" + form.tableId() + " serverLife=" +
                form.serverLife());
        }
        final long tableId = form.tableId();
        final long serverLife = form.serverLife();
        final long hashSeed = form.hashSeed();
        final long checkSeed = form.checkSeed();
        final List<ClusterMember> members = members(form);
        if (form.sessionKeyLength() != SessionKey.LENGTH)
        {
            throw new ProtocolException("a session key has " + SessionKey.LENGTH + " bytes: length=" +
                form.sessionKeyLength());
        }
        final byte[] key = new byte[SessionKey.LENGTH];
        form.getSessionKey(key, 0, key.length);
        try
        {
            return new Foundation(
                new TableIdentity(tableId, serverLife, hashSeed, checkSeed, new SessionKey(key)),
                shards,
                new ClusterDescription(self, members, leaseMs));
        }
        catch (final IllegalArgumentException e)
        {
            throw new ProtocolException(e.getMessage());
        }
    }

    /** Whoever decodes a group or text of SBE must do so in the order of the message. */
    private static List<ClusterMember> members(final FormDecoder form) throws ProtocolException
    {
        final FormDecoder.MembersDecoder group = form.members();
        check("members", group.count(), Bootstrap.MAX_MEMBERS);
        final List<ClusterMember> members = new ArrayList<>();
        final Set<Object> seen = new HashSet<>();
        for (final FormDecoder.MembersDecoder member : group)
        {
            final long number = member.number();
            check("number", number, Long.MAX_VALUE);
            check("address", member.addressLength(), Bootstrap.MAX_ADDRESS_LENGTH);
            final String address = address(member.address());
            check("peerAddress", member.peerAddressLength(), Bootstrap.MAX_ADDRESS_LENGTH);
            final String peerAddress = address(member.peerAddress());
            if (!seen.add(number) || !seen.add(address) || !seen.add(peerAddress))
            {
                throw new ProtocolException("members must differ in number and addresses: number=" + number +
                    " address=" + address + " peerAddress=" + peerAddress);
            }
            members.add(new ClusterMember(number, address, peerAddress));
        }
        if (members.size() % 2 == 0)
        {
            throw new ProtocolException("a cluster needs an odd number of members: members=" + members.size());
        }
        return members;
    }

    /** An address goes into logs and messages as it is. */
    private static String address(final String text) throws ProtocolException
    {
        final String line = OneLine.ofPeer(text);
        if (!line.equals(text) || !text.matches("\\S+:[0-9]{1,5}"))
        {
            throw new ProtocolException("not the address of a member: address=" + line);
        }
        return text;
    }

    private static void check(final String name, final long value, final long max) throws ProtocolException
    {
        if (value < 1 || value > max)
        {
            throw new ProtocolException(name + " must be 1 to " + max + ": " + name + "=" + value);
        }
    }
}
