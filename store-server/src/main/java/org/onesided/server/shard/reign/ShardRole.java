package org.onesided.server.shard.reign;

import java.util.List;
import org.onesided.server.shard.session.ShardSession;

/**
 * What a member of a shard's log is from now on.
 *
 * @param term      in which it leads, or in which it has heard of the leader; 0 if of none.
 * @param leader    number of the member that leads, if it is another one; 0 if it is this one, or is not known.
 * @param isServing whether this member leads, and may answer: no lease of an earlier leader is held any more.
 * @param sessions  that the log knows, if it is serving: their clients may resume them here.
 */
public record ShardRole(long term, long leader, boolean isServing, List<ShardSession> sessions)
{
    /**
     * Copies the list.
     *
     * @param term      in which it leads, or in which it has heard of the leader; 0 if of none.
     * @param leader    number of the member that leads, if it is another one; 0 if it is this one, or is not known.
     * @param isServing whether this member leads, and may answer.
     * @param sessions  that the log knows, if it is serving.
     */
    public ShardRole
    {
        sessions = List.copyOf(sessions);
    }
}
