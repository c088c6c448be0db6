package org.onesided.server.operating;

/**
 * What a member of a cluster does for its operators. Thread-safe.
 */
public interface Operations
{
    /**
     * @return how this member stands.
     */
    MemberStand stand();

    /**
     * Lets another member lead a partition. Waits for it, some ten seconds at most.
     *
     * @param partition that this member leads.
     * @param member    number of the member that shall lead.
     * @throws RefusedOperationException if that cannot be, or did not succeed.
     */
    void transfer(int partition, long member) throws RefusedOperationException;
}
