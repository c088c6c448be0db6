package org.onesided.server.session;

import static org.onesided.server.session.BootstrapConnection.State.*;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.protocol.bootstrap.codec.AccessesDecoder;
import org.onesided.protocol.bootstrap.codec.ConfirmDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyDecoder;
import org.onesided.server.memory.RetiredMemory;
import org.onesided.server.shard.agent.CreditedQueuePair;
import org.onesided.server.shard.reign.ShardRole;

/**
 * Passes clients' messages, in order, and all other events of sessions to their handlers. For the acceptor's thread.
 */
public final class SessionKeeper implements BootstrapConnection.Handler
{
    private final SessionLimits limits;
    private final NanoClock clock;
    private final Sessions sessions;
    private final SessionLives lives;
    private final ConnectionCloser closer;
    private final Confirmations confirmations;
    private final AccessIntake accesses;
    private final Greeter greeter;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    /** Totals of present and past sessions, as the clients report them. Nothing else depends on them. */
    private SessionTotals reported = SessionTotals.NONE;
    private long opened;
    private long resumed;

    /**
     * @param table       that sessions are connected to.
     * @param credentials that clients must show, and the server's own.
     * @param limits      of sessions.
     * @param clock       for leases.
     * @param connector   makes attachments.
     */
    public SessionKeeper(
        final ServedTable table,
        final Credentials credentials,
        final SessionLimits limits,
        final NanoClock clock,
        final Connector connector)
    {
        this.limits = limits;
        this.clock = clock;
        sessions = new Sessions(table.devices());
        lives = new SessionLives(table, sessions, limits, clock, this::welcomeBack);
        closer = new ConnectionCloser(sessions, lives, clock);
        confirmations = new Confirmations(sessions, lives, limits, clock);
        accesses = new AccessIntake(table.shards(), clock, sessions);
        greeter = new Greeter(table, credentials, limits, clock, connector, sessions, lives, closer, confirmations);
    }

    @Override
    public void onMessage(final BootstrapConnection connection, final int templateId) throws IOException
    {
        final Session session = sessions.of(connection);
        if (session != null)
        {
            session.heard(clock.nanoTime());
        }
        switch (templateId)
        {
            case HelloDecoder.TEMPLATE_ID -> greeter.onHello(expect(connection, HELLO));
            case ConnectDecoder.TEMPLATE_ID -> greeter.onConnect(expect(connection, CONNECT), session);
            case ReadyDecoder.TEMPLATE_ID -> onReady(expect(connection, READY), session);
            case HeartbeatDecoder.TEMPLATE_ID -> onHeartbeat(connection, session);
            case ConfirmDecoder.TEMPLATE_ID -> confirmations.onConfirm(expect(connection, OPEN), session);
            case AccessesDecoder.TEMPLATE_ID -> accesses.onAccesses(expect(connection, OPEN), session);
            case GoodbyeDecoder.TEMPLATE_ID -> closer.onGoodbye(connection);
            default -> throw new ProtocolException("message out of order: template=" + templateId);
        }
    }

    @Override
    public void refuse(final BootstrapConnection connection, final Refusal why, final String text)
    {
        closer.refuse(connection, why, text);
    }

    @Override
    public void onDisconnected(final BootstrapConnection connection, final String reason)
    {
        closer.onDisconnected(connection, reason);
    }

    /**
     * Ends a connection whose time is up.
     *
     * @param connection with a deadline.
     */
    public void onDeadline(final BootstrapConnection connection)
    {
        if (connection.isGreeting())
        {
            // The client made no mistake and may try again.
            refuse(connection, Refusal.HANDSHAKE_TIMEOUT, "handshake took too long: handshake-timeout=" +
                TimeUnit.NANOSECONDS.toMillis(limits.handshakeTimeoutNs()) + "ms");
        }
        else
        {
            connection.close();
        }
    }

    /**
     * A shard has destroyed one of a session's queue pairs.
     *
     * @param ended  the queue pair.
     * @param reason why, if the shard ended it; null if it was told to.
     */
    public void onEnded(final CreditedQueuePair ended, final String reason)
    {
        lives.onEnded(ended, reason);
    }

    /**
     * What this server is in a shard's log has changed.
     *
     * @param shard number of the shard.
     * @param role  from now on.
     */
    public void onRole(final int shard, final ShardRole role)
    {
        lives.onRole(shard, role);
    }

    /**
     * Asks clients for one of other tokens from now on, and ends the sessions of clients that have shown one that is
     * not among them, or had other rights.
     *
     * @param tokens from now on.
     */
    public void onTokens(final Tokens tokens)
    {
        greeter.tokens(tokens);
        lives.endWithout(tokens);
    }

    /**
     * Ends the sessions whose lease ran out.
     *
     * @param nowNs the time.
     */
    public void checkLeases(final long nowNs)
    {
        lives.checkLeases(nowNs);
    }

    /**
     * Extends the deadlines of all sessions by the time for which this process was stopped.
     *
     * @param pauseNs how much, in nanoseconds.
     */
    public void excuse(final long pauseNs)
    {
        lives.excuse(pauseNs);
        confirmations.excuse(pauseNs);
    }

    /**
     * Has all sessions confirm that they do not READ what is retired.
     *
     * @param retired all that was before has been confirmed.
     * @param then    is run, by this thread, when all have confirmed or have no queue pairs any more.
     */
    public void retire(final RetiredMemory retired, final Runnable then)
    {
        confirmations.retire(retired, then);
    }

    /**
     * Looks whether sessions have confirmed, or ended.
     *
     * @param nowNs the time.
     */
    public void checkConfirmations(final long nowNs)
    {
        confirmations.check(nowNs);
        accesses.check();
    }

    /**
     * Takes leave of all clients, begins no session any more, and ends all there are.
     *
     * @param connections all of them.
     * @param reason      told to the clients.
     */
    public void shutDown(final List<BootstrapConnection> connections, final String reason)
    {
        greeter.shutDown();
        connections.forEach((connection) -> closer.shutDown(connection, reason));
        lives.endAll();
    }

    /**
     * @return whether there is no session.
     */
    public boolean isEmpty()
    {
        return sessions.isEmpty();
    }

    /**
     * @return how many sessions there are.
     */
    public int size()
    {
        return sessions.size();
    }

    /**
     * @return what became of sessions.
     */
    public SessionMetrics metrics()
    {
        return new SessionMetrics(
            sessions.byDevice(), sessions.byIdentity(), opened, resumed, closer.refusals(), lives.expired(),
            confirmations.cutOff(), reported, accesses.taken(), accesses.dropped());
    }

    private static BootstrapConnection expect(
        final BootstrapConnection connection, final BootstrapConnection.State state) throws ProtocolException
    {
        if (connection.state() != state)
        {
            throw new ProtocolException("message out of order: state=" + connection.state() + " expected=" + state);
        }
        return connection;
    }

    private void welcomeBack(final BootstrapConnection connection)
    {
        try
        {
            greeter.welcome(connection, true);
        }
        catch (final IOException e)
        {
            onDisconnected(connection, e.getMessage());
        }
    }

    private void onReady(final BootstrapConnection connection, final Session session) throws IOException
    {
        if (session.wasOpen())
        {
            resumed++;
        }
        else
        {
            opened++;
        }
        greeter.onReady(connection, session);
        accesses.onOpen(session);
    }

    private void onHeartbeat(final BootstrapConnection connection, final Session session) throws IOException
    {
        if (session == null)
        {
            throw new ProtocolException("message out of order: Heartbeat before Hello");
        }
        if (connection.state() == OPEN)
        {
            final SessionTotals totals = SessionTotals.read(
                new HeartbeatDecoder().wrapAndApplyHeader(connection.message(), 0, new MessageHeaderDecoder()));
            reported = reported.plus(connection.report(totals));
            final HeartbeatEncoder answer = new HeartbeatEncoder();
            reported.write(answer.wrapAndApplyHeader(connection.outgoing(), 0, header));
            connection.send(answer.limit());
        }
    }
}
