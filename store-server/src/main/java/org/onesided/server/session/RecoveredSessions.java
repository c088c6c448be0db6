package org.onesided.server.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;
import org.onesided.server.shard.Shard;
import org.onesided.server.shard.ShardSession;

/**
 * Sessions of a former process of the server, which their clients may resume until a lease has passed. A session that
 * not all shards know cannot be resumed: one of them may have forgotten it on purpose, and its writes with it. Filled
 * before the acceptor runs; belongs to its thread afterwards.
 */
public final class RecoveredSessions
{
    private final Long2ObjectHashMap<List<ShardSession>> sessions = new Long2ObjectHashMap<>();
    private long sinceNs;

    /**
     * None.
     */
    public RecoveredSessions()
    {
    }

    /**
     * Takes the sessions that the shards know from their logs. Those that not all of them know end.
     *
     * @param shards in their order, whose logs were read back.
     * @param known  sessions of each shard.
     * @param nowNs  from when the lease counts.
     */
    public void fill(final List<Shard> shards, final List<List<ShardSession>> known, final long nowNs)
    {
        sinceNs = nowNs;
        for (int i = 0; i < shards.size(); i++)
        {
            for (final ShardSession session : known.get(i))
            {
                final List<ShardSession> parts = sessions.get(session.id());
                if (i == 0)
                {
                    sessions.put(session.id(), new ArrayList<>(List.of(session)));
                }
                else if (parts != null && parts.size() == i)
                {
                    parts.add(session);
                }
                else
                {
                    shards.get(i).forget(session);
                }
            }
        }
        forgetIf(shards, (parts) -> parts.size() < shards.size());
    }

    /**
     * @return how many there are.
     */
    public int size()
    {
        return sessions.size();
    }

    /** The shards' parts of a session, or null. */
    List<ShardSession> get(final long id)
    {
        return sessions.get(id);
    }

    /** A session is resumed. */
    void remove(final long id)
    {
        sessions.remove(id);
    }

    /** A session could not be resumed for now. */
    void giveBack(final long id, final List<ShardSession> parts)
    {
        sessions.put(id, parts);
    }

    /** Ends some if there are more than so many; returns how many that are. Nobody knows which client returns. */
    int keep(final List<Shard> shards, final int most)
    {
        final int[] beyond = { Math.max(0, sessions.size() - Math.max(0, most)) };
        final int count = beyond[0];
        if (count > 0)
        {
            forgetIf(shards, (parts) -> beyond[0]-- > 0);
        }
        return count;
    }

    /** Ends all if their lease has passed; returns how many that are. */
    int expire(final List<Shard> shards, final long nowNs, final long leaseNs)
    {
        final int count = sessions.isEmpty() || nowNs - sinceNs <= leaseNs ? 0 : sessions.size();
        if (count > 0)
        {
            forgetIf(shards, (parts) -> true);
        }
        return count;
    }

    /** The process was stopped for a while. */
    void excuse(final long pauseNs)
    {
        sinceNs += pauseNs;
    }

    private void forgetIf(final List<Shard> shards, final Predicate<List<ShardSession>> such)
    {
        sessions.values().removeIf((parts) ->
        {
            final boolean ends = such.test(parts);
            for (int i = 0; ends && i < parts.size(); i++)
            {
                shards.get(i).forget(parts.get(i));
            }
            return ends;
        });
    }
}
