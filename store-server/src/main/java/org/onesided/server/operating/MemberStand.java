package org.onesided.server.operating;

import java.util.List;

/**
 * How this member of a cluster stands.
 *
 * @param diskFree  bytes that are free for its data; -1 if that cannot be told.
 * @param followers of the partitions that it leads, by partition.
 * @param led       these partitions.
 * @param kept      numbers of the partitions that it keeps, as their logs say, in ascending order.
 */
public record MemberStand(
    long diskFree, List<FollowerStand> followers, List<PartitionStand> led, List<Integer> kept)
{
    /**
     * Copies the lists.
     *
     * @param diskFree  bytes that are free for its data; -1 if that cannot be told.
     * @param followers of the partitions that it leads, by partition.
     * @param led       these partitions.
     * @param kept      numbers of the partitions that it keeps, as their logs say, in ascending order.
     */
    public MemberStand
    {
        followers = List.copyOf(followers);
        led = List.copyOf(led);
        kept = List.copyOf(kept);
    }
}
