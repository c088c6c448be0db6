package org.onesided.server.forming;

import java.net.ProtocolException;
import java.util.List;
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
        ReadMembers.check("shards", shards, SuperblockDescriptor.MAX_SHARDS);
        ReadMembers.check("leaseMs", leaseMs, MAX_LEASE_MS);
        if (form.tableId() == 0 || form.serverLife() == 0)
        {
            throw new ProtocolException("table and life need numbers: tableId=" + form.tableId() + " serverLife=" +
                form.serverLife());
        }
        final long tableId = form.tableId();
        final long serverLife = form.serverLife();
        final long hashSeed = form.hashSeed();
        final long checkSeed = form.checkSeed();
        final boolean isJoining = form.joins() != 0;
        final int replicas = form.replication();
        final List<ClusterMember> members = members(form, isJoining || replicas != 0);
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
                isJoining ? ClusterDescription.joining(self, members, replicas, leaseMs) :
                    ClusterDescription.founding(self, members, replicas, leaseMs));
        }
        catch (final IllegalArgumentException e)
        {
            throw new ProtocolException(e.getMessage());
        }
    }

    /** Whoever decodes a group or text of SBE must do so in the order of the message. */
    private static List<ClusterMember> members(final FormDecoder form, final boolean mayBeEven)
        throws ProtocolException
    {
        final FormDecoder.MembersDecoder group = form.members();
        final ReadMembers members = new ReadMembers(group.count());
        for (final FormDecoder.MembersDecoder member : group)
        {
            final long number = member.number();
            ReadMembers.length("address", member.addressLength());
            final String address = member.address();
            ReadMembers.length("peerAddress", member.peerAddressLength());
            members.add(number, address, member.peerAddress());
        }
        if (!mayBeEven && members.all().size() % 2 == 0)
        {
            throw new ProtocolException("a cluster needs an odd number of members: members=" + members.all().size());
        }
        return members.all();
    }
}
