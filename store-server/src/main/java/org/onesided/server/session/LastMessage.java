package org.onesided.server.session;

import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.GoodbyeEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.OfferEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedEncoder;
import org.onesided.server.shard.reign.ShardRole;

/**
 * The last message of a connection, which gives the client the reason for its end.
 */
interface LastMessage
{
    /**
     * Writes the message.
     *
     * @param to where it goes.
     * @return its length.
     */
    int encode(MutableDirectBuffer to);

    /** A refusal of the handshake. */
    static LastMessage refused(final RefusalCode code, final String reason)
    {
        return (to) ->
        {
            final RefusedEncoder refused = new RefusedEncoder();
            refused.wrapAndApplyHeader(to, 0, new MessageHeaderEncoder()).code(code).reason(line(reason));
            return refused.limit();
        };
    }

    /** The names of the devices, and what is known of the cluster. */
    static LastMessage offer(final List<String> devices, final ServedCluster cluster)
    {
        return (to) ->
        {
            final OfferEncoder offer = new OfferEncoder().wrapAndApplyHeader(to, 0, new MessageHeaderEncoder())
                .self(cluster == null ? 0 : cluster.self())
                .tableId(cluster == null ? 0 : cluster.tableId())
                .hashSeed(cluster == null ? 0 : cluster.hashSeed())
                .leaseMs(cluster == null ? 0 : cluster.leaseMs());
            final OfferEncoder.DevicesEncoder group = offer.devicesCount(devices.size());
            devices.forEach((device) -> group.next().name(device));
            final List<ServedMembers.Member> all = cluster == null ? List.of() : cluster.members().all();
            final OfferEncoder.MembersEncoder members = offer.membersCount(all.size());
            all.forEach((member) -> members.next().number(member.number()).address(member.address()));
            final int shards = cluster == null ? 0 : cluster.roles().count();
            final OfferEncoder.LeadersEncoder leaders = offer.leadersCount(shards);
            for (int i = 0; i < shards; i++)
            {
                final ShardRole role = cluster.roles().get(i);
                final long leader = role.isServing() ? cluster.self() : role.leader();
                leaders.next()
                    .term(role.term())
                    // A new member may lead before this one has heard where it is.
                    .member(all.stream().anyMatch((member) -> member.number() == leader) ? leader : 0)
                    .serving((short)(role.isServing() ? 1 : 0));
            }
            return offer.limit();
        };
    }

    /** The end of the session's connection. */
    static LastMessage goodbye(final String reason)
    {
        return (to) ->
        {
            final GoodbyeEncoder goodbye = new GoodbyeEncoder();
            goodbye.wrapAndApplyHeader(to, 0, new MessageHeaderEncoder()).reason(line(reason));
            return goodbye.limit();
        };
    }

    /** A reason as one line of bounded length. */
    static String line(final String reason)
    {
        final int maxLength = Bootstrap.MAX_REASON_LENGTH / 4;
        final String text = OneLine.of(reason);
        return text.length() <= maxLength ? text : text.substring(0, maxLength);
    }
}
