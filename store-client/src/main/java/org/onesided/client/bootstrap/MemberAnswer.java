package org.onesided.client.bootstrap;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.codec.MemberDecoder;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * What a member of a cluster says to clients that may change members.
 *
 * @param self       number of the member.
 * @param next       number for the next new member, as far as this one knows.
 * @param isPeerTls  whether it talks to other members within TLS only.
 * @param foundation what a new member must know; with all members that keep partitions, or were announced.
 * @param led        numbers of those who keep each partition that this member leads; none if that is not known.
 */
public record MemberAnswer(
    long self, long next, boolean isPeerTls, ClusterFoundation foundation, Map<Integer, List<Long>> led)
{
    private static final int KEY_LENGTH = 32;

    /** Reads a message whose lengths were checked; all that it holds, in its order. */
    static MemberAnswer read(final MemberDecoder answer) throws ProtocolException
    {
        final long self = answer.self();
        final long next = answer.next();
        final int shards = answer.shards();
        final long leaseMs = answer.leaseMs();
        final boolean isPeerTls = answer.peerTls() != 0;
        final int replicas = answer.replication();
        final long tableId = answer.tableId();
        final long life = answer.serverLife();
        final long hashSeed = answer.hashSeed();
        final long checkSeed = answer.checkSeed();
        if (shards < 1 || shards > SuperblockDescriptor.MAX_SHARDS || next <= self || self < 1)
        {
            throw new ProtocolException("member makes no sense: self=" + self + " next=" + next + " shards=" + shards);
        }
        final List<ClusterFoundation.Member> members = members(answer.members());
        final Map<Integer, List<Long>> led = new TreeMap<>();
        for (final MemberDecoder.ReplicasDecoder replica : answer.replicas())
        {
            if (replica.shard() >= shards)
            {
                throw new ProtocolException("there is no such partition: partition=" + replica.shard());
            }
            led.computeIfAbsent(replica.shard(), (shard) -> new ArrayList<>()).add(replica.number());
        }
        if (answer.sessionKeyLength() != KEY_LENGTH)
        {
            throw new ProtocolException("a session key has " + KEY_LENGTH + " bytes: length=" +
                answer.sessionKeyLength());
        }
        final byte[] key = new byte[KEY_LENGTH];
        answer.getSessionKey(key, 0, key.length);
        return new MemberAnswer(self, next, isPeerTls, new ClusterFoundation(
            new ClusterFoundation.Table(tableId, life, hashSeed, checkSeed, key), shards, replicas, leaseMs, members),
            led);
    }

    private static List<ClusterFoundation.Member> members(final MemberDecoder.MembersDecoder group)
        throws ProtocolException
    {
        final List<ClusterFoundation.Member> members = new ArrayList<>();
        for (final MemberDecoder.MembersDecoder member : group)
        {
            final long number = member.number();
            checkLength(member.addressLength());
            final String address = OneLine.ofPeer(member.address());
            checkLength(member.peerAddressLength());
            members.add(new ClusterFoundation.Member(number, address, OneLine.ofPeer(member.peerAddress())));
        }
        return members;
    }

    private static void checkLength(final int length) throws ProtocolException
    {
        if (length > Bootstrap.MAX_ADDRESS_LENGTH)
        {
            throw new ProtocolException("address of a member is too long: length=" + length + " longest=" +
                Bootstrap.MAX_ADDRESS_LENGTH);
        }
    }
}
