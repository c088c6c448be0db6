package org.onesided.server.raft;

import java.util.ArrayList;
import java.util.List;
import org.onesided.server.raft.peers.Peer;

/**
 * Looks whether the members of logs have changed. It asks, as Ratis does not tell of all changes: not of those that
 * come with a snapshot, nor a member that it was removed. Belongs to one thread.
 */
final class MembersWatch
{
    private final List<RaftShardLog> logs;
    private final MembersListener listener;
    private final List<List<Peer>> known = new ArrayList<>();

    MembersWatch(final List<RaftShardLog> logs, final MembersListener listener)
    {
        this.logs = logs;
        this.listener = listener;
    }

    /** Tells of what has changed since the last look. */
    void look()
    {
        for (int shard = 0; shard < logs.size(); shard++)
        {
            if (shard == known.size())
            {
                known.add(List.of());
            }
            final List<Peer> present = logs.get(shard).members().committed();
            if (!present.isEmpty() && !present.equals(known.get(shard)))
            {
                listener.onMembers(shard, present);
                // Told again if the listener failed.
                known.set(shard, present);
            }
        }
    }
}
