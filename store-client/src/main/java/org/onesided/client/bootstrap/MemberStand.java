package org.onesided.client.bootstrap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onesided.client.types.ClusterState;

/**
 * How a member of a cluster stands with the partitions, by their logs.
 *
 * @param zone      that it is in; empty for none.
 * @param diskFree  bytes that are free for its data; -1 if that is not known.
 * @param followers of each partition; none of one that it does not lead.
 * @param reigns    by partition.
 * @param kept      numbers of the partitions that it keeps.
 */
public record MemberStand(
    String zone,
    long diskFree,
    List<List<ClusterState.Follower>> followers,
    Map<Integer, ClusterState.Reign> reigns,
    Set<Integer> kept)
{
    /**
     * Copies what it is given.
     *
     * @param zone      that it is in; empty for none.
     * @param diskFree  bytes that are free for its data; -1 if that is not known.
     * @param followers of each partition; none of one that it does not lead.
     * @param reigns    by partition.
     * @param kept      numbers of the partitions that it keeps.
     */
    public MemberStand
    {
        followers = followers.stream().map(List::copyOf).toList();
        reigns = Map.copyOf(reigns);
        kept = Set.copyOf(kept);
    }
}
