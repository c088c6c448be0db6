package org.onesided.client.bootstrap;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.onesided.client.types.ClusterState;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;

/**
 * A member of a cluster tells how those stand that follow it.
 */
final class FollowersMessage
{
    private FollowersMessage()
    {
    }

    /**
     * The partitions that a member keeps. To be called after {@link #decode}, of the same message.
     *
     * @param message that came.
     * @param shards  of the table.
     * @return their numbers.
     * @throws ProtocolException if it makes no sense.
     */
    static Set<Integer> decodeKept(final FollowersDecoder message, final int shards) throws ProtocolException
    {
        final Set<Integer> kept = new TreeSet<>();
        for (final FollowersDecoder.KeptDecoder each : message.kept())
        {
            if (each.shard() >= shards)
            {
                throw new ProtocolException("there is no such shard: shard=" + each.shard());
            }
            kept.add(each.shard());
        }
        return kept;
    }

    /**
     * Reads a message whose lengths were checked.
     *
     * @param message that came.
     * @param shards  of the table.
     * @return the followers of each shard.
     * @throws ProtocolException if it makes no sense.
     */
    static List<List<ClusterState.Follower>> decode(final FollowersDecoder message, final int shards)
        throws ProtocolException
    {
        final List<List<ClusterState.Follower>> all = new ArrayList<>();
        for (int i = 0; i < shards; i++)
        {
            all.add(new ArrayList<>());
        }
        for (final FollowersDecoder.AllDecoder each : message.all())
        {
            final int shard = each.shard();
            final long member = each.member();
            if (shard >= shards || member < 1 ||
                all.get(shard).stream().anyMatch((other) -> other.member() == member))
            {
                throw new ProtocolException(
                    "follower of a shard makes no sense: shard=" + shard + " member=" + member);
            }
            all.get(shard).add(new ClusterState.Follower(member, each.behind(), each.inSync() == 1));
        }
        return all;
    }
}
