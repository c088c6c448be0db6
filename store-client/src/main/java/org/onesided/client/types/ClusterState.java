package org.onesided.client.types;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as one of its members sees it. Immutable.
 *
 * @param self       number of the member that tells it.
 * @param tableId    names the cluster's table.
 * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
 * @param members    all of them.
 * @param partitions of the table, in their order.
 * @param diskFree   bytes that are free for the data of the member that tells it; -1 if that is not known.
 * @param zone       rack, data centre or the like that the member is in that tells it; null if it has none.
 */
public record ClusterState(
    long self,
    long tableId,
    long leaseMs,
    List<Member> members,
    List<Partition> partitions,
    long diskFree,
    @Nullable String zone)
{
    /**
     * Copies the lists.
     *
     * @param self       number of the member that tells it.
     * @param tableId    names the cluster's table.
     * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
     * @param members    all of them.
     * @param partitions of the table, in their order.
     * @param diskFree   bytes that are free for the data of the member that tells it; -1 if that is not known.
     * @param zone       rack, data centre or the like that the member is in that tells it; null if it has none.
     */
    public ClusterState
    {
        members = List.copyOf(members);
        partitions = List.copyOf(partitions);
    }

    /**
     * Of a member without a zone.
     *
     * @param self       number of the member that tells it.
     * @param tableId    names the cluster's table.
     * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
     * @param members    all of them.
     * @param partitions of the table, in their order.
     * @param diskFree   bytes that are free for the data of the member that tells it; -1 if that is not known.
     */
    public ClusterState(
        final long self,
        final long tableId,
        final long leaseMs,
        final List<Member> members,
        final List<Partition> partitions,
        final long diskFree)
    {
        this(self, tableId, leaseMs, members, partitions, diskFree, null);
    }

    /**
     * Of a member without a zone whose disk is not known.
     *
     * @param self       number of the member that tells it.
     * @param tableId    names the cluster's table.
     * @param leaseMs    for how long a client may believe what a leader's memory says, in milliseconds.
     * @param members    all of them.
     * @param partitions of the table, in their order.
     */
    public ClusterState(
        final long self,
        final long tableId,
        final long leaseMs,
        final List<Member> members,
        final List<Partition> partitions)
    {
        this(self, tableId, leaseMs, members, partitions, -1);
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
     * @param reign     of the member that tells this; null if it does not lead.
     */
    public record Partition(
        long term, long leader, boolean isServing, boolean isKept, List<Follower> followers, @Nullable Reign reign)
    {
        /**
         * Copies the list.
         *
         * @param term      the latest that the member knows; 0 for none.
         * @param leader    number of the member that leads in it; 0 if it is not known.
         * @param isServing whether that is the member that tells this, and it takes clients.
         * @param isKept    whether the member that tells this keeps it, as far as its log says.
         * @param followers the other members that keep it, if the member that tells this leads; else none.
         * @param reign     of the member that tells this; null if it does not lead.
         */
        public Partition
        {
            followers = List.copyOf(followers);
        }

        /**
         * A partition that the member keeps that tells this, and tells nothing of its reign.
         *
         * @param term      the latest that the member knows; 0 for none.
         * @param leader    number of the member that leads in it; 0 if it is not known.
         * @param isServing whether that is the member that tells this, and it takes clients.
         * @param followers the other members that keep it, if the member that tells this leads; else none.
         */
        public Partition(
            final long term, final long leader, final boolean isServing, final List<Follower> followers)
        {
            this(term, leader, isServing, true, followers, null);
        }
    }

    /**
     * How a member leads a partition, and its leases.
     *
     * @param stage   of the reign.
     * @param restMs  milliseconds until leases that could be held are over: those of earlier leaders while it waits,
     *                its own while it hands over; else 0.
     * @param held    leases that may be held, at most. A client holds one, whatever its sessions, or a few.
     * @param granted leases, since the member's start.
     * @param proofs  entries that it logged for leases alone, since its start, as there was nothing else to log.
     */
    public record Reign(Stage stage, long restMs, long held, long granted, long proofs)
    {
    }

    /** Stages of a reign. */
    public enum Stage
    {
        /** The leader has not yet applied all that was logged before. */
        CATCHES_UP,
        /** The leader waits until no lease of an earlier one can be held any more. */
        WAITS,
        /** Clients use the leader. */
        SERVES,
        /** The leader grants no more leases, so that another member can take over. */
        HANDS_OVER
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
