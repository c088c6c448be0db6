package org.onesided.client.bootstrap;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.onesided.client.types.ClusterState;
import org.onesided.protocol.bootstrap.ZoneName;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;

/**
 * A member of a cluster tells how it stands, and those that follow it.
 */
final class FollowersMessage
{
    /** By their number in messages, from 1. */
    private static final ClusterState.Stage[] STAGES = {
        ClusterState.Stage.CATCHES_UP, ClusterState.Stage.WAITS, ClusterState.Stage.SERVES,
        ClusterState.Stage.HANDS_OVER};

    private FollowersMessage()
    {
    }

    /** The partitions that a member keeps: groups are read in their order. */
    private static Set<Integer> kept(final FollowersDecoder message, final int shards) throws ProtocolException
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
     * @return the same.
     * @throws ProtocolException if it makes no sense.
     */
    static MemberStand decode(final FollowersDecoder message, final int shards)
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
        final Map<Integer, ClusterState.Reign> reigns = reigns(message, shards);
        final Set<Integer> kept = kept(message, shards);
        return new MemberStand(ZoneName.ofPeer(message.zone()), message.diskFree(), all, reigns, kept);
    }

    private static Map<Integer, ClusterState.Reign> reigns(final FollowersDecoder message, final int shards)
        throws ProtocolException
    {
        final Map<Integer, ClusterState.Reign> reigns = new HashMap<>();
        for (final FollowersDecoder.LedDecoder each : message.led())
        {
            final int partition = each.partition();
            final int stage = each.stage();
            if (partition >= shards || stage < 1 || stage > STAGES.length || reigns.containsKey(partition))
            {
                throw new ProtocolException(
                    "reign over a partition makes no sense: partition=" + partition + " stage=" + stage);
            }
            reigns.put(partition, new ClusterState.Reign(
                STAGES[stage - 1], each.restMs(), each.held(), each.granted(), each.proofs()));
        }
        return reigns;
    }
}
