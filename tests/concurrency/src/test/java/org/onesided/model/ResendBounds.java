package org.onesided.model;

/**
 * What is bounded in a search of the rules by which writes are sent again.
 *
 * @param writesOfFirst  writes of the first client, one after the other, each with the next number.
 * @param writesOfSecond of the second client.
 * @param terms          the first included.
 * @param restarts       of servers that are killed.
 * @param entries        in a log.
 * @param canResume      whether each client may resume its session once.
 * @param isQueueDropped whether a server drops what it has not logged when it leads no more and when a session is
 *                       resumed; then an entry need not tell whether it was sent before the session was resumed.
 */
record ResendBounds(int writesOfFirst, int writesOfSecond, int terms, int restarts, int entries, boolean canResume,
    boolean isQueueDropped)
{
    static final int CLIENTS = 2;

    /** One client with two writes. */
    static final ResendBounds TWO_WRITES = new ResendBounds(2, 0, 2, 0, 4, false, false);
    /** Two clients with a write each. */
    static final ResendBounds TWO_CLIENTS = new ResendBounds(1, 1, 2, 0, 4, false, false);
    /** A session that is resumed, and two changes of leader. */
    static final ResendBounds RESUMED = new ResendBounds(1, 0, 3, 0, 5, true, false);

    int writes(final int client)
    {
        return client == 0 ? writesOfFirst : writesOfSecond;
    }
}
