package org.onesided.server.raft;

import java.util.List;
import org.onesided.server.raft.peers.Peer;

/**
 * Hears who keeps the shards' logs. One thread calls all methods but {@link #known}, and must not be held up for long.
 */
public interface MembersListener
{
    /**
     * Gives all members that this one has heard of, whether they keep a log or not. Called by any thread.
     *
     * @return them, by their numbers; this one may be among them.
     */
    List<Peer> known();

    /**
     * The members of a log have become known, or are others than before. A log that has no leader tells nothing: its
     * last members may have changed long ago.
     *
     * @param shard   number of the shard.
     * @param members all of them, by their numbers; without this one if it was removed.
     */
    void onMembers(int shard, List<Peer> members);

    /**
     * Ratis has closed the log of a member, and a leader has said that the members are committed without this one.
     *
     * @param shard number of the shard.
     */
    void onLeft(int shard);

    /**
     * Ratis has closed the log of a member some time ago, since it asked for votes, and the others, or its own log, did
     * not count it as a member. It was removed, as {@link #onLeft} has told; or a change that would have removed it, or
     * was to add it, came to nothing: then it is needed, and its log must be opened again.
     *
     * @param shard number of the shard.
     */
    void onEnded(int shard);
}
