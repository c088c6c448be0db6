package org.onesided.server.raft;

/**
 * A member that follows, as the leader of a log sees it.
 *
 * @param member   its number.
 * @param behind   committed entries that it has not acknowledged.
 * @param silentMs milliseconds since its last answer.
 * @param isInSync whether it has answered lately, and lacks no more than what may be on its way: the log's leader would
 *                 do with it alone.
 */
public record Follower(long member, long behind, long silentMs, boolean isInSync)
{
    /** A member that has not answered for longer may be dead. An idle leader asks more often. */
    static final long ALIVE_MS = 1000;
    /** Entries that may be on their way to a member that keeps up. */
    static final long MOST_BEHIND = 4L * RaftSettings.MOST_PROPOSED;

    static Follower of(final long member, final long behind, final long silentMs)
    {
        // A new leader begins to count at the limit, without an answer.
        return new Follower(member, behind, silentMs, silentMs < ALIVE_MS && behind <= MOST_BEHIND);
    }

    /** Whether it has answered lately. */
    boolean isAlive()
    {
        return silentMs < ALIVE_MS;
    }
}
