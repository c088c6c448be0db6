package org.onesided.server.session;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.session.ShardSession;

/**
 * Makes sessions: new ones, and those of a former process of the server again. For the acceptor's thread.
 */
final class SessionMaker
{
    private final ServedTable table;
    private final Sessions sessions;
    private final SessionLimits limits;
    private final NanoClock clock;
    private final SecureRandom random = new SecureRandom();

    SessionMaker(final ServedTable table, final Sessions sessions, final SessionLimits limits, final NanoClock clock)
    {
        this.table = table;
        this.sessions = sessions;
        this.limits = limits;
        this.clock = clock;
    }

    /** Makes a new session. */
    Session begin(final ServedDevice device, final ClientIdentity client, final List<Shard> shards)
    {
        long id = random.nextLong() & Long.MAX_VALUE;
        while (id == 0 || sessions.get(id) != null || table.recovered().get(id) != null)
        {
            id = random.nextLong() & Long.MAX_VALUE;
        }
        final List<ShardSession> parts = new ArrayList<>(shards.size());
        for (int i = 0; i < shards.size(); i++)
        {
            parts.add(new ShardSession(id, limits.geometry()));
        }
        final long[] secret = table.secrets() == null ?
            new long[] { random.nextLong(), random.nextLong() } :
            table.secrets().of(id, client.name(), scope(device, client));
        return new Session(id, secret[0], secret[1], device, client, shards, parts, clock.nanoTime());
    }

    /** Where a session's secret is good: it cannot go on over another device, with other messages, or other rights. */
    private String scope(final ServedDevice device, final ClientIdentity client)
    {
        return device.device().kind() + '/' + limits.geometry().credits() + '/' + limits.geometry().messageLength() +
            (client.isReader() ? "/read-only" : "");
    }

    /** Makes a former session again, if this client may resume it with this secret and device; else null. */
    Session recover(
        final long id,
        final long secretHigh,
        final long secretLow,
        final ServedDevice device,
        final ClientIdentity client,
        final List<Shard> shards)
    {
        final RecoveredSessions.Former former = table.recovered().get(id);
        if (former == null || !former.shards().equals(shards) || sessions.get(id) != null)
        {
            return null;
        }
        final long[] secret = table.secrets().of(id, client.name(), scope(device, client));
        final Session session = new Session(id, secret[0], secret[1], device, client, shards, former.parts(),
            clock.nanoTime());
        if (!session.hasSecret(secretHigh, secretLow))
        {
            return null;
        }
        session.establish();
        table.recovered().remove(id);
        return session;
    }
}
