package org.onesided.model;

/**
 * What is bounded in a search of the rules of leases.
 *
 * @param clients  that hold leases and look up.
 * @param terms    the first included.
 * @param writes   to the one register that all clients look up.
 * @param releases in all terms.
 * @param restarts of servers that are killed.
 * @param entries  in a log.
 * @param ticks    length of a lease, by the clock of a client.
 * @param isSlow   whether a grant arrives later than it is sent, and a READ completes later than it is posted.
 * @param isBegunWithLeases whether all clients have just got a lease of the first leader. From there a search also
 *                 comes to where they have none; to begin there finds an error of a long log sooner.
 */
record LeaseBounds(int clients, int terms, int writes, int releases, int restarts, int entries, int ticks,
    boolean isSlow, boolean isBegunWithLeases)
{
    /** One change of leader. */
    static final LeaseBounds CHANGE = new LeaseBounds(1, 2, 1, 0, 0, 3, 1, false, true);
    /** One change of leader, with slow grants and READs. */
    static final LeaseBounds SLOW = new LeaseBounds(1, 2, 1, 0, 0, 3, 1, true, true);
    /** A server that is restarted, with slow grants and READs. */
    static final LeaseBounds RESTART = new LeaseBounds(1, 1, 1, 0, 1, 3, 1, true, true);
    /** One change of leader, and a RELEASE. */
    static final LeaseBounds RELEASE = new LeaseBounds(1, 2, 1, 1, 0, 3, 1, false, true);
    /** Two changes of leader, and a RELEASE. */
    static final LeaseBounds TWO_CHANGES = new LeaseBounds(1, 3, 1, 1, 0, 4, 1, false, true);
    /** Two changes of leader, each with a RELEASE. */
    static final LeaseBounds TWO_HANDOVERS = new LeaseBounds(1, 3, 1, 2, 0, 5, 1, false, true);
    /** Two changes of leader, a RELEASE, and a longer log. */
    static final LeaseBounds LONG_LOG = new LeaseBounds(1, 3, 1, 1, 0, 5, 1, false, false);

    /**
     * How long a new leader waits, and at which age a lease is over, in ticks of the fastest clock. A client's clock
     * may be slower than a server's, so that a lease lasts until just before 1.25 times its length. The wait is as
     * long, rounded up. Slower servers and faster clients bring nothing new: anything may happen later, and a client
     * need not look up.
     */
    int waitTicks()
    {
        return (5 * ticks + 3) / 4;
    }
}
