package org.onesided.verbs;

/**
 * How two queue pairs are connected, beyond their endpoints. {@link PathChoice#resolve} fills in what is left
 * to be found out.
 *
 * @param port         this side's port, from 1; {@link #FIRST_ACTIVE_PORT} for the first that can carry traffic.
 * @param gidIndex     index of this side's GID; {@link #CHOSEN_GID} for the best one; {@link #NO_GID} to address by
 *                     LID.
 * @param serviceLevel service level, 0 to 15.
 * @param trafficClass traffic class, 0 to 255.
 * @param access       what the peer may do to this side's memory, see {@link Access}.
 * @param timeout      acknowledgement timeout code, see {@link QueuePairAttributes#timeout()}.
 * @param retryCount   retries after timeouts, 0 to 7.
 * @param rnrRetry     retries while the peer has no receive posted, 0 to 7; 7 retries for ever.
 * @param minRnrTimer  how long a peer waits when no receive is posted here, see
 *                     {@link QueuePairAttributes#minRnrTimer()}.
 */
public record ConnectionOptions(
    int port,
    int gidIndex,
    int serviceLevel,
    int trafficClass,
    int access,
    int timeout,
    int retryCount,
    int rnrRetry,
    int minRnrTimer)
{
    /** Stands for the first port that can carry traffic. */
    public static final int FIRST_ACTIVE_PORT = 0;

    /** Stands for the GID that suits best, or for none where the link layer is InfiniBand. */
    public static final int CHOSEN_GID = -1;

    /** Highest index that a connection can name ({@code sgid_index} is one byte); tables may be longer. */
    static final int MAX_GID_INDEX = 255;

    /** No GID: ports are addressed by LID. */
    public static final int NO_GID = -2;

    /**
     * @param port         see there.
     * @param gidIndex     see there.
     * @param serviceLevel see there.
     * @param trafficClass see there.
     * @param access       see there.
     * @param timeout      see there.
     * @param retryCount   see there.
     * @param rnrRetry     see there.
     * @param minRnrTimer  see there.
     * @throws IllegalArgumentException if a number is out of its range.
     */
    public ConnectionOptions
    {
        check("port", port, FIRST_ACTIVE_PORT, 255);
        check("gidIndex", gidIndex, NO_GID, MAX_GID_INDEX);
        check("serviceLevel", serviceLevel, 0, 15);
        check("trafficClass", trafficClass, 0, 255);
        check("timeout", timeout, 0, 31);
        check("retryCount", retryCount, 0, 7);
        check("rnrRetry", rnrRetry, 0, 7);
        check("minRnrTimer", minRnrTimer, 0, 31);
    }

    /**
     * The first active port and the best GID, 67 ms of acknowledgement timeout, six retries after timeouts and as many
     * while the peer is not ready, and 0.64 ms of RNR timer. Not seven: Soft-RoCE retries for ever with that in both.
     *
     * @param access what the peer may do to this side's memory, see {@link Access}.
     * @return the options.
     */
    public static ConnectionOptions defaults(final int access)
    {
        return new ConnectionOptions(FIRST_ACTIVE_PORT, CHOSEN_GID, 0, 0, access, 14, 6, 6, 12);
    }

    /**
     * @param value see {@link #port()}.
     * @return a copy with it.
     */
    public ConnectionOptions port(final int value)
    {
        return new ConnectionOptions(
            value, gidIndex, serviceLevel, trafficClass, access, timeout, retryCount, rnrRetry, minRnrTimer);
    }

    /**
     * @param value see {@link #gidIndex()}.
     * @return a copy with it.
     */
    public ConnectionOptions gidIndex(final int value)
    {
        return new ConnectionOptions(
            port, value, serviceLevel, trafficClass, access, timeout, retryCount, rnrRetry, minRnrTimer);
    }

    /**
     * @param level  see {@link #serviceLevel()}.
     * @param tclass see {@link #trafficClass()}.
     * @return a copy with them.
     */
    public ConnectionOptions quality(final int level, final int tclass)
    {
        return new ConnectionOptions(
            port, gidIndex, level, tclass, access, timeout, retryCount, rnrRetry, minRnrTimer);
    }

    /**
     * @param value see {@link #access()}.
     * @return a copy with it.
     */
    public ConnectionOptions access(final int value)
    {
        return new ConnectionOptions(
            port, gidIndex, serviceLevel, trafficClass, value, timeout, retryCount, rnrRetry, minRnrTimer);
    }

    /**
     * @param code  see {@link #timeout()}.
     * @param count see {@link #retryCount()}.
     * @return a copy with them.
     */
    public ConnectionOptions timeout(final int code, final int count)
    {
        return new ConnectionOptions(
            port, gidIndex, serviceLevel, trafficClass, access, code, count, rnrRetry, minRnrTimer);
    }

    /**
     * @param count see {@link #rnrRetry()}.
     * @param timer see {@link #minRnrTimer()}.
     * @return a copy with them.
     */
    public ConnectionOptions rnr(final int count, final int timer)
    {
        return new ConnectionOptions(
            port, gidIndex, serviceLevel, trafficClass, access, timeout, retryCount, count, timer);
    }

    /**
     * @return whether port or GID are given, rather than left to be found.
     */
    public boolean namesPath()
    {
        return port != FIRST_ACTIVE_PORT || gidIndex != CHOSEN_GID;
    }

    private static void check(final String name, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new IllegalArgumentException(
                name + " is out of range " + least + " to " + most + ": " + name + "=" + value);
        }
    }
}
