package org.onesided.server.session;

import static org.onesided.server.session.BootstrapConnection.State.*;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.shard.agent.CreditedQueuePair;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.reign.ShardRole;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lives of sessions: a client that lost its connection resumes its session over another one, and a session with an
 * expired lease ends.
 *
 * <p>A session is resumed only after every shard has destroyed the queue pairs of its former connection. So no request
 * from the old queue pairs can be executed after one from the new queue pairs. For the acceptor's thread.
 */
final class SessionLives
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SessionLives.class);

    private final ServedTable table;
    private final Sessions sessions;
    private final SessionLimits limits;
    private final NanoClock clock;
    private final long leaseNs;
    private final Consumer<BootstrapConnection> onResumable;
    private long expired;
    private boolean isShuttingDown;

    /**
     * @param table       that sessions are connected to.
     * @param sessions    all of them.
     * @param limits      of sessions.
     * @param clock       for leases.
     * @param onResumable takes a connection that waited for its session, which it may use from now on.
     */
    SessionLives(
        final ServedTable table,
        final Sessions sessions,
        final SessionLimits limits,
        final NanoClock clock,
        final Consumer<BootstrapConnection> onResumable)
    {
        this.table = table;
        this.sessions = sessions;
        this.limits = limits;
        this.clock = clock;
        this.onResumable = onResumable;
        leaseNs = TimeUnit.MILLISECONDS.toNanos(limits.leaseMs());
    }

    /** Begins a session, and gives it to a connection. */
    void begin(final Session session, final BootstrapConnection connection)
    {
        sessions.add(session);
        adopt(connection, session);
    }

    /**
     * Gives a connection a session that is there.
     *
     * @return whether it can be used at once; if not, the connection is told when it can.
     */
    boolean resume(final BootstrapConnection connection, final Session session)
    {
        if (session.owner() != null)
        {
            session.owner().sayGoodbye("session was resumed over another connection", clock.nanoTime());
        }
        adopt(connection, session);
        final boolean isDrained = !drain(session);
        if (!isDrained)
        {
            connection.state(DRAINING);
        }
        return isDrained;
    }

    private void adopt(final BootstrapConnection connection, final Session session)
    {
        sessions.give(session, connection);
        session.heard(clock.nanoTime());
    }

    /** Separates a connection from its session. A session that was never open is dropped. */
    void release(final BootstrapConnection connection, final boolean forGood)
    {
        final Session session = sessions.of(connection);
        if (session != null)
        {
            sessions.part(session);
            end(session, forGood || !session.wasOpen());
        }
    }

    /** Ends the queue pairs of a session, and the session itself if nobody can resume it. */
    void end(final Session session, final boolean forGood)
    {
        if (forGood)
        {
            session.forget();
        }
        if (!drain(session))
        {
            onDrained(session);
        }
    }

    /** Begins to end a session's queue pairs, including those in creation; whether {@link #onDrained} follows. */
    private static boolean drain(final Session session)
    {
        if (session.attachment() != null)
        {
            session.attachment().end();
        }
        else if (session.isAttaching())
        {
            session.callOff();
        }
        return session.attachment() != null || session.isAttaching();
    }

    /** A shard has destroyed one of a session's queue pairs. */
    void onEnded(final CreditedQueuePair ended, final String reason)
    {
        final Session session = sessions.get(ended.session().id());
        final Attachment attachment = session == null ? null : session.attachment();
        if (attachment == null || !attachment.has(ended))
        {
            throw new IllegalStateException("no such session: session=" + ended.session().id());
        }

        final BootstrapConnection owner = session.owner();
        if (reason != null && owner != null && owner.state() != DRAINING)
        {
            LOGGER.info("session ended: session={} peer={} reason={}", session.id(), owner.peer(), reason);
            owner.sayGoodbye(reason, clock.nanoTime());
            sessions.part(session);
        }
        if (reason != null)
        {
            attachment.end();
            if (ended.isForfeited() || !session.wasOpen())
            {
                session.forget();
            }
        }
        if (attachment.onEnded(ended))
        {
            session.attachment(null);
            try
            {
                attachment.close();
            }
            catch (final VerbsException e)
            {
                LOGGER.error("buffers could not be freed: session={} cause={}", session.id(), e.getMessage());
            }
            finally
            {
                onDrained(session);
            }
        }
    }

    /**
     * A session has no queue pairs any more and gets no new ones: it is dropped, or the client that resumes it
     * continues.
     */
    void onDrained(final Session session)
    {
        if (session.isForgotten())
        {
            sessions.remove(session);
            // When the server stops, the shards' logs keep the sessions for its next process.
            for (int i = 0; !isShuttingDown && i < session.shards().size(); i++)
            {
                end(session.shards().get(i), session.shardSessions().get(i), session.isLeft());
            }
        }
        else if (session.owner() != null && session.owner().state() == DRAINING)
        {
            onResumable.accept(session.owner());
        }
    }

    private static void end(final Shard shard, final ShardSession part, final boolean isLeft)
    {
        if (isLeft)
        {
            shard.release(part);
        }
        else
        {
            shard.forget(part);
        }
    }

    /** Ends sessions of the server's former process if these and the present ones are more than so many. */
    void keepRecovered(final int most)
    {
        final int ended = table.recovered().keep(most - sessions.size());
        if (ended > 0)
        {
            LOGGER.info("sessions of the former process ended, their places are needed: count={} max-sessions={}",
                ended, limits.maxSessions());
        }
    }

    /**
     * What this server is in a shard's log has changed. The sessions that it had are over here: if it serves, those of
     * the log may be resumed.
     */
    void onRole(final int number, final ShardRole role)
    {
        table.cluster().roles().take(number, role);
        final Shard shard = table.shards().get(number);
        for (final Session session : sessions.toList())
        {
            if (session.shards().contains(shard) && session.isForgotten())
            {
                session.leave();
            }
            else if (session.shards().contains(shard))
            {
                if (session.owner() != null)
                {
                    session.owner().sayGoodbye("this server does not lead the shard any more", clock.nanoTime());
                }
                sessions.part(session);
                session.leave();
                end(session, true);
            }
        }
        table.recovered().drop(shard);
        if (role.isServing())
        {
            table.recovered().fill(shard, role.sessions(), clock.nanoTime());
        }
    }

    /** Ends sessions with an expired lease. */
    void checkLeases(final long nowNs)
    {
        expired += table.recovered().expire(nowNs, leaseNs);
        keepRecovered(limits.maxSessions());
        for (final Session session : sessions.toList())
        {
            if (!session.isForgotten() && nowNs - session.lastHeardNs() > leaseNs)
            {
                LOGGER.info("session ended, nothing came from it: session={} address={} identity={} lease-ms={}",
                    session.id(), session.address(), session.identity(), limits.leaseMs());
                expired++;
                if (session.owner() != null)
                {
                    session.owner().sayGoodbye("lease ran out", nowNs);
                }
                sessions.part(session);
                end(session, true);
            }
        }
    }

    /** Ends the sessions of clients whose token is not among these, or had other rights. */
    void endWithout(final Tokens tokens)
    {
        for (final Session session : sessions.toList())
        {
            if (!session.isForgotten() && session.client().owner() != null &&
                !tokens.contains(session.client().owner()))
            {
                LOGGER.info("session ended, its token is not valid any more: session={} address={} identity={}",
                    session.id(), session.address(), session.identity());
                if (session.owner() != null)
                {
                    session.owner().sayGoodbye("token is not valid any more", clock.nanoTime());
                }
                sessions.part(session);
                end(session, true);
            }
        }
    }

    /** Extends all leases by a time in which this process was stopped. */
    void excuse(final long pauseNs)
    {
        table.recovered().excuse(pauseNs);
        for (final Session session : sessions.toList())
        {
            session.heard(session.lastHeardNs() + pauseNs);
        }
    }

    /** Ends all sessions for good, after their connections were told. */
    void endAll()
    {
        isShuttingDown = true;
        for (final Session session : sessions.toList())
        {
            sessions.part(session);
            end(session, true);
        }
    }

    /** Number of sessions that ended with an expired lease. */
    long expired()
    {
        return expired;
    }
}
