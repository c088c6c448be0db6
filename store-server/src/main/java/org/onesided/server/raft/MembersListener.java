package org.onesided.server.raft;

import java.util.List;
import org.onesided.server.raft.peers.Peer;

/**
 * Hears who keeps the shards' logs. Called by one thread, which must not be held up for long.
 */
@FunctionalInterface
public interface MembersListener
{
    /**
     * The members of a log have become known, or are others than before.
     *
     * @param shard   number of the shard.
     * @param members all of them, by their numbers; without this one if it was removed.
     */
    void onMembers(int shard, List<Peer> members);
}
