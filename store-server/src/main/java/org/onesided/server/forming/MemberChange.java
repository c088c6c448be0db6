package org.onesided.server.forming;

import java.net.ProtocolException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.codec.AnnounceDecoder;
import org.onesided.protocol.bootstrap.codec.ChangeDecoder;
import org.onesided.server.data.ClusterMember;

/**
 * Who shall keep a partition from now on.
 *
 * @param shard  number of the partition.
 * @param before numbers of those who keep it now.
 * @param after  who shall.
 */
public record MemberChange(int shard, Set<Long> before, List<ClusterMember> after)
{
    /**
     * Reads a message whose lengths were checked.
     *
     * @param change that came.
     * @return what it says.
     * @throws ProtocolException if a value is out of its range.
     */
    static MemberChange decode(final ChangeDecoder change) throws ProtocolException
    {
        final int shard = change.shard();
        final ChangeDecoder.BeforeDecoder present = change.before();
        ReadMembers.check("before", present.count(), Bootstrap.MAX_MEMBERS);
        final Set<Long> before = new TreeSet<>();
        for (final ChangeDecoder.BeforeDecoder member : present)
        {
            before.add(member.number());
        }
        final ChangeDecoder.AfterDecoder group = change.after();
        final ReadMembers after = new ReadMembers(group.count());
        for (final ChangeDecoder.AfterDecoder member : group)
        {
            final long number = member.number();
            ReadMembers.length("address", member.addressLength());
            final String address = member.address();
            ReadMembers.length("peerAddress", member.peerAddressLength());
            after.add(number, address, member.peerAddress());
        }
        return new MemberChange(shard, before, after.all());
    }

    /**
     * Reads a message whose lengths were checked.
     *
     * @param announce that came.
     * @return the member that it is about.
     * @throws ProtocolException if a value is out of its range.
     */
    static ClusterMember decode(final AnnounceDecoder announce) throws ProtocolException
    {
        final ReadMembers one = new ReadMembers(1);
        final long number = announce.number();
        ReadMembers.length("address", announce.addressLength());
        final String address = announce.address();
        ReadMembers.length("peerAddress", announce.peerAddressLength());
        one.add(number, address, announce.peerAddress());
        return one.all().get(0);
    }

    /**
     * @return numbers of those who shall keep it and do not yet.
     */
    public List<Long> added()
    {
        return after.stream().map(ClusterMember::number).filter((number) -> !before.contains(number)).toList();
    }
}
