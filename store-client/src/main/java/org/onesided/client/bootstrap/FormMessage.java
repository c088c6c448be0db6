package org.onesided.client.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.agrona.MutableDirectBuffer;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.codec.FormEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

/**
 * Tells a blank server what it is to become.
 */
final class FormMessage
{
    private FormMessage()
    {
    }

    /**
     * Writes the message.
     *
     * @param to            where it goes.
     * @param self          number of the member that the server becomes.
     * @param foundation    what all members are told.
     * @param isPreparation whether the server is to remember it only.
     * @param joins         whether the cluster is there already.
     * @return its length.
     * @throws IllegalArgumentException if an address is too long.
     */
    static int encode(
        final MutableDirectBuffer to,
        final long self,
        final ClusterFoundation foundation,
        final boolean isPreparation,
        final boolean joins)
    {
        final ClusterFoundation.Table table = foundation.table();
        final FormEncoder form = new FormEncoder().wrapAndApplyHeader(to, 0, new MessageHeaderEncoder())
            .self(self)
            .tableId(table.id())
            .serverLife(table.life())
            .hashSeed(table.hashSeed())
            .checkSeed(table.checkSeed())
            .leaseMs(foundation.leaseMs())
            .shards(foundation.partitions())
            .prepare((short)(isPreparation ? 1 : 0))
            .joins((short)(joins ? 1 : 0))
            .replication((short)foundation.replicas());
        final FormEncoder.MembersEncoder members = form.membersCount(foundation.members().size());
        for (final ClusterFoundation.Member member : foundation.members())
        {
            members.next().number(member.number()).address(checked(member.address()))
                .peerAddress(checked(member.peerAddress()));
        }
        return form.putSessionKey(table.key(), 0, table.key().length).limit();
    }

    /** So many addresses of that length have room in a message. */
    static String checked(final String address)
    {
        if (address.getBytes(UTF_8).length > Bootstrap.MAX_ADDRESS_LENGTH)
        {
            throw new IllegalArgumentException("an address is too long: longest=" + Bootstrap.MAX_ADDRESS_LENGTH +
                " address=" + address);
        }
        return address;
    }
}
