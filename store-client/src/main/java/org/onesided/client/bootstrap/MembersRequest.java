package org.onesided.client.bootstrap;

import java.util.Collection;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.onesided.client.types.ClusterFoundation;
import org.onesided.protocol.bootstrap.codec.AnnounceEncoder;
import org.onesided.protocol.bootstrap.codec.ChangeEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.TakeEncoder;

/**
 * What a member of a cluster is to do about members.
 */
@FunctionalInterface
public interface MembersRequest
{
    /**
     * Writes the message.
     *
     * @param to where it goes.
     * @return its length.
     * @throws IllegalArgumentException if an address is too long.
     */
    int encode(MutableDirectBuffer to);

    /**
     * Tells a member that another one comes, before any partition has it; or that one does not come, or come back.
     *
     * @param member that comes, or not.
     * @param isGone whether not.
     * @return the request.
     */
    static MembersRequest announce(final ClusterFoundation.Member member, final boolean isGone)
    {
        return (to) -> new AnnounceEncoder().wrapAndApplyHeader(to, 0, new MessageHeaderEncoder())
            .number(member.number())
            .gone((short)(isGone ? 1 : 0))
            .address(FormMessage.checked(member.address()))
            .peerAddress(FormMessage.checked(member.peerAddress()))
            .limit();
    }

    /**
     * Tells a member that it is about to get a partition.
     *
     * @param partition that it gets.
     * @return the request.
     */
    static MembersRequest take(final int partition)
    {
        return (to) -> new TakeEncoder().wrapAndApplyHeader(to, 0, new MessageHeaderEncoder()).shard(partition)
            .limit();
    }

    /**
     * Changes who keeps a partition, at its leader.
     *
     * @param partition to change.
     * @param before    numbers of those who keep it now.
     * @param after     who shall keep it.
     * @return the request.
     */
    static MembersRequest change(
        final int partition, final Collection<Long> before, final List<ClusterFoundation.Member> after)
    {
        return (to) ->
        {
            final ChangeEncoder change = new ChangeEncoder().wrapAndApplyHeader(to, 0, new MessageHeaderEncoder());
            change.shard(partition);
            final ChangeEncoder.BeforeEncoder present = change.beforeCount(before.size());
            before.forEach((number) -> present.next().number(number));
            final ChangeEncoder.AfterEncoder wanted = change.afterCount(after.size());
            for (final ClusterFoundation.Member member : after)
            {
                wanted.next().number(member.number()).address(FormMessage.checked(member.address()))
                    .peerAddress(FormMessage.checked(member.peerAddress()));
            }
            return change.limit();
        };
    }
}
