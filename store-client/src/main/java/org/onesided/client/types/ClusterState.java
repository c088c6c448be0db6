package org.onesided.client.types;

import java.util.List;

/**
 * A cluster as one of its members sees it. Immutable.
 *
 * @param self       number of the member that tells it.
 * @param tableId    names the cluster's table.
 * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
 * @param members    all of them.
 * @param partitions of the table, in their order.
 */
public record ClusterState(
    long self, long tableId, long leaseMs, List<Member> members, List<Partition> partitions)
{
    /**
     * Copies the lists.
     *
     * @param self       number of the member that tells it.
     * @param tableId    names the cluster's table.
     * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
     * @param members    all of them.
     * @param partitions of the table, in their order.
     */
    public ClusterState
    {
        members = List.copyOf(members);
        partitions = List.copyOf(partitions);
    }

    /**
     * A member.
     *
     * @param number  from 1.
     * @param address host and port where clients connect.
     */
    public record Member(long number, String address)
    {
    }

    /**
     * A partition.
     *
     * @param term      the latest that the member knows; 0 for none.
     * @param leader    number of the member that leads in it; 0 if it is not known.
     * @param isServing whether that is the member that tells this, and it takes clients.
     * @param isKept    whether the member that tells this keeps it, as far as its log says.
     * @param followers the other members that keep it, if the member that tells this leads; else none.
     */
    public record Partition(long term, long leader, boolean isServing, boolean isKept, List<Follower> followers)
    {
        /**
         * Copies the list.
         *
         * @param term      the latest that the member knows; 0 for none.
         * @param leader    number of the member that leads in it; 0 if it is not known.
         * @param isServing whether that is the member that tells this, and it takes clients.
         * @param isKept    whether the member that tells this keeps it, as far as its log says.
         * @param followers the other members that keep it, if the member that tells this leads; else none.
         */
        public Partition
        {
            followers = List.copyOf(followers);
        }

        /**
         * A partition that the member keeps that tells this.
         *
         * @param term      the latest that the member knows; 0 for none.
         * @param leader    number of the member that leads in it; 0 if it is not known.
         * @param isServing whether that is the member that tells this, and it takes clients.
         * @param followers the other members that keep it, if the member that tells this leads; else none.
         */
        public Partition(
            final long term, final long leader, final boolean isServing, final List<Follower> followers)
        {
            this(term, leader, isServing, true, followers);
        }
    }

    /**
     * A member that follows a partition's leader, as that sees it.
     *
     * @param member   its number.
     * @param behind   committed entries of the log that it has not acknowledged.
     * @param isInSync whether it has answered in the last second, and lacks no more than what may be on its way to it.
     */
    public record Follower(long member, long behind, boolean isInSync)
    {
    }
}
