package org.onesided.server.operating;

import java.util.List;

/**
 * What a member of a cluster does for its operators. Thread-safe.
 */
public interface Operations
{
    /**
     * @return the followers of the partitions that this member leads, by partition.
     */
    List<FollowerStand> followers();

    /**
     * @return numbers of the partitions that this member keeps, as their logs say, in ascending order.
     */
    List<Integer> kept();

    /**
     * Lets another member lead a partition. Waits for it, some ten seconds at most.
     *
     * @param partition that this member leads.
     * @param member    number of the member that shall lead.
     * @throws RefusedOperationException if that cannot be, or did not succeed.
     */
    void transfer(int partition, long member) throws RefusedOperationException;
}
