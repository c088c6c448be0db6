package org.onesided.server.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.session.ShardSession;

/**
 * Sessions of a former process of the server, or of a shard's former leader, which their clients may resume until a
 * lease has passed. A session that not all shards know cannot be resumed: one of them may have forgotten it on purpose,
 * and its writes with it. Filled before the acceptor runs; belongs to its thread afterwards.
 */
public final class RecoveredSessions
{
    /**
     * A session that may be resumed.
     *
     * @param shards  that it was connected to.
     * @param parts   of the session, one for each shard.
     * @param sinceNs from when its lease counts.
     */
    record Former(List<Shard> shards, List<ShardSession> parts, long sinceNs)
    {
        private void end()
        {
            for (int i = 0; i < parts.size(); i++)
            {
                shards.get(i).forget(parts.get(i));
            }
        }
    }

    private final Long2ObjectHashMap<Former> sessions = new Long2ObjectHashMap<>();
    /** How long the process was stopped. */
    private long excusedNs;

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
     * @return how many end, as not all shards know them.
     */
    public int fill(final List<Shard> shards, final List<List<ShardSession>> known, final long nowNs)
    {
        final long all = known.stream().flatMap(List::stream).mapToLong(ShardSession::id).distinct().count();
        for (int i = 0; i < shards.size(); i++)
        {
            for (final ShardSession session : known.get(i))
            {
                final Former former = sessions.get(session.id());
                if (i == 0)
                {
                    sessions.put(
                        session.id(), new Former(shards, new ArrayList<>(List.of(session)), nowNs - excusedNs));
                }
                else if (former != null && former.parts.size() == i)
                {
                    former.parts.add(session);
                }
                else
                {
                    shards.get(i).forget(session);
                }
            }
        }
        endIf((former) -> former.parts.size() < shards.size());
        return (int)(all - sessions.size());
    }

    /** Takes the sessions of one shard, which this server serves from now on. */
    void fill(final Shard shard, final List<ShardSession> known, final long nowNs)
    {
        final List<Shard> shards = List.of(shard);
        known.forEach((session) ->
            sessions.put(session.id(), new Former(shards, List.of(session), nowNs - excusedNs)));
    }

    /** Forgets those of a shard that this server does not serve any more. They may go on elsewhere. */
    void drop(final Shard shard)
    {
        sessions.values().removeIf((former) -> former.shards.contains(shard));
    }

    /**
     * @return how many there are.
     */
    public int size()
    {
        return sessions.size();
    }

    /** A session, or null. */
    Former get(final long id)
    {
        return sessions.get(id);
    }

    /** A session is resumed. */
    void remove(final long id)
    {
        sessions.remove(id);
    }

    /** A session could not be resumed for now. */
    void giveBack(final Session session, final long nowNs)
    {
        sessions.put(session.id(), new Former(session.shards(), session.shardSessions(), nowNs - excusedNs));
    }

    /** Ends some if there are more than so many; returns how many that are. Nobody knows which client returns. */
    int keep(final int most)
    {
        final int[] beyond = { Math.max(0, sessions.size() - Math.max(0, most)) };
        final int count = beyond[0];
        if (count > 0)
        {
            endIf((former) -> beyond[0]-- > 0);
        }
        return count;
    }

    /** Ends those whose lease has passed; returns how many that are. */
    int expire(final long nowNs, final long leaseNs)
    {
        return sessions.isEmpty() ? 0 :
            endIf((former) -> nowNs - excusedNs - former.sinceNs > leaseNs);
    }

    /** The process was stopped for a while. */
    void excuse(final long pauseNs)
    {
        excusedNs += pauseNs;
    }

    private int endIf(final Predicate<Former> such)
    {
        final int before = sessions.size();
        sessions.values().removeIf((former) ->
        {
            final boolean ends = such.test(former);
            if (ends)
            {
                former.end();
            }
            return ends;
        });
        return before - sessions.size();
    }
}
