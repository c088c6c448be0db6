package org.onesided.server.operating;

/**
 * How a member stands that follows the leader of a partition.
 *
 * @param partition that this member leads.
 * @param member    number of the follower.
 * @param behind    committed entries that it has not acknowledged.
 * @param isInSync  whether it answers, and lacks no more than what may be on its way.
 */
public record FollowerStand(int partition, long member, long behind, boolean isInSync)
{
}
