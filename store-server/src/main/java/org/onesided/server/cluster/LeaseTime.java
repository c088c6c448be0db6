package org.onesided.server.cluster;

/**
 * How long leases and waits last. The length of a lease is a setting of the cluster, the same for all its servers and
 * clients.
 *
 * @param leaseNs length of a client's lease, counted by the client from its sending.
 * @param waitNs  how long a server waits until no lease that it or another server has granted can be held any more:
 *                a quarter longer, since clocks may differ in their rates.
 */
public record LeaseTime(long leaseNs, long waitNs)
{
    private static final long LONGEST_NS = Long.MAX_VALUE / 8;

    /**
     * Checks that the wait is long enough.
     *
     * @param leaseNs length of a client's lease, at least 1.
     * @param waitNs  a quarter more at least.
     */
    public LeaseTime
    {
        if (leaseNs < 1 || leaseNs > LONGEST_NS || waitNs < leaseNs + (leaseNs + 3) / 4)
        {
            throw new IllegalArgumentException("a server must wait at least a quarter longer than a lease lasts: " +
                "leaseNs=" + leaseNs + " waitNs=" + waitNs);
        }
    }

    /**
     * @param leaseNs length of a lease in nanoseconds.
     * @return that with the wait that belongs to it.
     */
    public static LeaseTime of(final long leaseNs)
    {
        return new LeaseTime(leaseNs, leaseNs + (leaseNs + 3) / 4);
    }
}
