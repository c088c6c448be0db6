package org.onesided.client.bootstrap;

import java.util.List;
import java.util.Set;
import org.onesided.client.types.ClusterState;

/**
 * What a member of a cluster says of the shards' logs that it keeps.
 *
 * @param followers of each shard, in their order; none of those that it does not lead.
 * @param kept      numbers of the shards that it keeps.
 */
public record MemberStand(List<List<ClusterState.Follower>> followers, Set<Integer> kept)
{
}
