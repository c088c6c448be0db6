package org.onesided.verbs;

/**
 * How two queue pairs are connected, beyond their endpoints.
 *
 * @param port        this side's port, from 1.
 * @param gidIndex    index of this side's GID.
 * @param access      what the peer may do to this side's memory, see {@link Access}.
 * @param timeout     acknowledgement timeout code, see {@link QueuePairAttributes#timeout()}.
 * @param retryCount  retries after timeouts, 0 to 7.
 * @param rnrRetry    retries while the peer has no receive posted, 0 to 7; 7 retries for ever.
 * @param minRnrTimer how long a peer waits when no receive is posted here, see
 *                    {@link QueuePairAttributes#minRnrTimer()}.
 */
public record ConnectionOptions(
    int port,
    int gidIndex,
    int access,
    int timeout,
    int retryCount,
    int rnrRetry,
    int minRnrTimer)
{
    /**
     * The first port and GID, 67 ms of acknowledgement timeout, the most retries short of retrying for ever, and
     * 0.64 ms of RNR timer.
     *
     * @param access what the peer may do to this side's memory, see {@link Access}.
     * @return the options.
     */
    public static ConnectionOptions defaults(final int access)
    {
        return new ConnectionOptions(1, 0, access, 14, 7, 6, 12);
    }
}
