package org.onesided.client.bootstrap;

import java.util.List;
import java.util.Map;
import org.onesided.client.types.ClusterState;

/**
 * How a member of a cluster stands with the partitions that it leads.
 *
 * @param diskFree  bytes that are free for its data; -1 if that is not known.
 * @param followers of each partition; none of one that it does not lead.
 * @param reigns    by partition.
 */
public record MemberStand(
    long diskFree, List<List<ClusterState.Follower>> followers, Map<Integer, ClusterState.Reign> reigns)
{
    /**
     * Copies what it is given.
     *
     * @param diskFree  bytes that are free for its data; -1 if that is not known.
     * @param followers of each partition; none of one that it does not lead.
     * @param reigns    by partition.
     */
    public MemberStand
    {
        followers = followers.stream().map(List::copyOf).toList();
        reigns = Map.copyOf(reigns);
    }
}
