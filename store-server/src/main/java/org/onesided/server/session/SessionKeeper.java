package org.onesided.server.session;

import static org.onesided.server.session.ClientConnection.State.*;

import java.io.IOException;
import java.net.ProtocolException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyDecoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.server.shard.CreditedQueuePair;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the sessions: makes them, ends those whose lease ran out, and lets a client that lost its connection resume its
 * session over another one.
 *
 * <p>A session is resumed only after all queue pairs of its former connection are destroyed, on every shard: so no
 * request that was sent over those can be executed after one that is sent over the new ones. Belongs to the acceptor's
 * thread.
 */
final class SessionKeeper
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SessionKeeper.class);

    /** On clients that do not become sessions. */
    private static final int LINES_PER_SECOND = 20;
    private static final String MAX_SESSIONS = "max-sessions";

    private final ServedTable table;
    private final SessionLimits limits;
    private final NanoClock clock;
    private final long leaseNs;
    private final Greeter greeter;
    private final SecureRandom random = new SecureRandom();
    private final Long2ObjectHashMap<Session> sessions = new Long2ObjectHashMap<>();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    /** Sessions by the index of their device. */
    private final int[] counts;
    private final Map<String, Integer> identities = new TreeMap<>();
    /** Of all sessions there are and were. A client may report what it likes: nothing else depends on it. */
    private SessionTotals reported = SessionTotals.NONE;
    private long opened;
    private long resumed;
    private final Map<Refusal, Long> refusals = new EnumMap<>(Refusal.class);
    private long expired;
    private final LogRation linesOnStrangers = new LogRation(LINES_PER_SECOND, TimeUnit.SECONDS.toNanos(1));
    private boolean isShuttingDown;

    SessionKeeper(
        final ServedTable table,
        final Credentials credentials,
        final SessionLimits limits,
        final NanoClock clock,
        final Connector connector)
    {
        this.table = table;
        this.limits = limits;
        this.clock = clock;
        counts = new int[table.devices().size()];
        greeter = new Greeter(table, credentials, limits, connector);
        leaseNs = TimeUnit.MILLISECONDS.toNanos(limits.leaseMs());
    }

    /** Takes the message that the connection holds. */
    void onMessage(final ClientConnection connection, final int templateId) throws IOException
    {
        if (connection.session() != null)
        {
            connection.session().heard(clock.nanoTime());
        }
        switch (templateId)
        {
            case HelloDecoder.TEMPLATE_ID -> greeter.onHello(expect(connection, HELLO), this);
            case ConnectDecoder.TEMPLATE_ID -> greeter.onConnect(expect(connection, CONNECT), this);
            case ReadyDecoder.TEMPLATE_ID -> onReady(expect(connection, READY));
            case HeartbeatDecoder.TEMPLATE_ID -> onHeartbeat(connection);
            case GoodbyeDecoder.TEMPLATE_ID -> onGoodbye(connection);
            default -> throw new ProtocolException("message out of order: template=" + templateId);
        }
    }

    /** Ends a connection, with a word why. A session that was open may still be resumed. */
    void refuse(final ClientConnection connection, final Refusal why, final String text)
    {
        // It may hold what the client said, who is not to write lines of our log.
        final String reason = ClientConnection.line(text);
        final boolean wasOpen = connection.state() == OPEN;
        if (wasOpen)
        {
            LOGGER.warn("connection ended: peer={} code={} reason={}", connection.peer(), why, reason);
            connection.sayGoodbye(reason, clock.nanoTime());
        }
        else
        {
            if (mayTellOfStrangers())
            {
                LOGGER.warn("handshake refused: peer={} code={} reason={}", connection.peer(), why, reason);
            }
            refusals.merge(why, 1L, Long::sum);
            connection.refuse(why.code(), reason, clock.nanoTime());
        }
        release(connection, false);
    }

    /** Tells a client that asks which devices there are, and ends its connection: it comes back with one of them. */
    void offer(final ClientConnection connection)
    {
        connection.offer(table.offered(), clock.nanoTime());
        release(connection, false);
    }

    /** The TCP connection is gone; its session may be resumed, unless it never came to be. */
    void onDisconnected(final ClientConnection connection, final String reason)
    {
        final boolean wasOpen = connection.state() == OPEN;
        if (wasOpen)
        {
            LOGGER.info("session lost its connection: session={} peer={} reason={}",
                connection.session().id(), connection.peer(), reason);
        }
        else if (connection.isGreeting() && mayTellOfStrangers())
        {
            LOGGER.info("client left during the handshake: peer={} reason={}", connection.peer(), reason);
        }
        connection.close();
        release(connection, false);
    }

    private boolean mayTellOfStrangers()
    {
        final boolean mayTell = linesOnStrangers.admits(clock.nanoTime());
        final long missed = mayTell ? linesOnStrangers.takeWithheld() : 0;
        if (missed > 0)
        {
            LOGGER.warn("more handshakes came to nothing than are told of here: untold={}", missed);
        }
        return mayTell;
    }

    void onDeadline(final ClientConnection connection)
    {
        if (connection.isGreeting())
        {
            // Nothing is wrong with what it said: it may try again.
            refuse(connection, Refusal.HANDSHAKE_TIMEOUT, "handshake took too long: handshake-timeout=" +
                TimeUnit.NANOSECONDS.toMillis(limits.handshakeTimeoutNs()) + "ms");
        }
        else
        {
            connection.close();
        }
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

        final ClientConnection owner = session.owner();
        if (reason != null && owner != null && owner.state() != DRAINING)
        {
            LOGGER.info("session ended: session={} peer={} reason={}", session.id(), owner.peer(), reason);
            owner.sayGoodbye(reason, clock.nanoTime());
            session.owner(null);
            owner.session(null);
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

    /** Ends the sessions whose lease ran out. */
    void checkLeases(final long nowNs)
    {
        for (final Session session : new ArrayList<>(sessions.values()))
        {
            if (!session.isForgotten() && nowNs - session.lastHeardNs() > leaseNs)
            {
                LOGGER.info("session ended, nothing came from it: session={} address={} identity={} lease-ms={}",
                    session.id(), session.address(), session.identity(), limits.leaseMs());
                expired++;
                final ClientConnection owner = session.owner();
                if (owner != null)
                {
                    owner.sayGoodbye("lease ran out", nowNs);
                    owner.session(null);
                    session.owner(null);
                }
                end(session, true);
            }
        }
    }

    /** Gives all sessions time that nobody could use, because this process was stopped. */
    void excuse(final long pauseNs)
    {
        for (final Session session : sessions.values())
        {
            session.heard(session.lastHeardNs() + pauseNs);
        }
    }

    void shutDown(final List<ClientConnection> connections, final String reason)
    {
        isShuttingDown = true;
        final long nowNs = clock.nanoTime();
        for (final ClientConnection connection : connections)
        {
            if (connection.isGreeting())
            {
                connection.refuse(RefusalCode.SHUTTING_DOWN, reason, nowNs);
            }
            else
            {
                connection.sayGoodbye(reason, nowNs);
            }
            connection.session(null);
        }
        for (final Session session : new ArrayList<>(sessions.values()))
        {
            session.owner(null);
            end(session, true);
        }
    }

    /**
     * Gives a connection a session of its own over a device, or refuses it where there is no room for one.
     *
     * @return whether it has one now.
     */
    boolean create(final ClientConnection connection, final ServedDevice device, final String identity)
    {
        final AddressGroup address = connection.address();
        final boolean isRoom =
            makeRoom(connection, (each) -> each.identity().equals(identity), limits.sessionsOf(identity),
                Refusal.SESSIONS_PER_IDENTITY, "no room for another session of this identity: identity=" + identity,
                "max-sessions-per-identity") &&
            makeRoom(connection, (each) -> each.address().equals(address), limits.sessionsFrom(address),
                Refusal.SESSIONS_PER_ADDRESS, "no room for another session from this address: address=" + address,
                "max-sessions-per-address") &&
            makeRoom(connection, (each) -> each.device() == device, device.maxSessions(),
                Refusal.SESSIONS, "no room for another session over " + device.device().name() + ":",
                device.maxSessions() < limits.maxSessions() ? "room-of-device" : MAX_SESSIONS) &&
            makeRoom(connection, (each) -> true, limits.maxSessions(),
                Refusal.SESSIONS, "no room for another session:", MAX_SESSIONS);
        if (isRoom)
        {
            final Session session = newSession(device, identity);
            sessions.put(session.id(), session);
            counts[device.index()]++;
            identities.merge(identity, 1, Integer::sum);
            adopt(connection, session);
        }
        return isRoom;
    }

    /** Sees that there are fewer such sessions than there may be; an orphan among them gives way. */
    private boolean makeRoom(
        final ClientConnection connection,
        final Predicate<Session> such,
        final int most,
        final Refusal refusal,
        final String reason,
        final String limit)
    {
        if (most >= limits.maxSessions() && refusal != Refusal.SESSIONS || sessions.size() < most)
        {
            // A limit of one address or identity counts only if it is lower than that of all sessions.
            return true;
        }
        int count = count(such);
        if (count >= most)
        {
            evictOrphan(such);
            count = count(such);
        }
        if (count >= most)
        {
            refuse(connection, refusal, reason + " sessions=" + count + ' ' + limit + '=' + most);
        }
        return count < most;
    }

    private int count(final Predicate<Session> such)
    {
        int count = 0;
        for (final Session session : sessions.values())
        {
            count += such.test(session) ? 1 : 0;
        }
        return count;
    }

    /** The session of that number, if that client may resume it, with that secret and over that device; or null. */
    Session find(
        final long id,
        final long secretHigh,
        final long secretLow,
        final ServedDevice device,
        final String identity)
    {
        final Session session = sessions.get(id);
        return session != null && !session.isForgotten() && session.hasSecret(secretHigh, secretLow) &&
            session.device() == device && session.identity().equals(identity) ? session : null;
    }

    /**
     * Gives a connection a session that is there.
     *
     * @return whether it can be used at once; if not, the connection is welcomed when it can.
     */
    boolean resume(final ClientConnection connection, final Session session)
    {
        final ClientConnection former = session.owner();
        if (former != null)
        {
            former.sayGoodbye("session was resumed over another connection", clock.nanoTime());
            former.session(null);
        }
        adopt(connection, session);
        final boolean isDrained = !drain(session);
        if (!isDrained)
        {
            connection.state(DRAINING);
        }
        return isDrained;
    }

    boolean isShuttingDown()
    {
        return isShuttingDown;
    }

    boolean isEmpty()
    {
        return sessions.isEmpty();
    }

    int size()
    {
        return sessions.size();
    }

    SessionMetrics metrics()
    {
        final Map<String, Integer> byDevice = new LinkedHashMap<>();
        for (final ServedDevice device : table.devices())
        {
            byDevice.put(device.device().kind(), counts[device.index()]);
        }
        final Map<String, Long> byReason = new LinkedHashMap<>();
        for (final Refusal refusal : Refusal.values())
        {
            byReason.put(refusal.label(), refusals.getOrDefault(refusal, 0L));
        }
        return new SessionMetrics(byDevice, Map.copyOf(identities), opened, resumed, byReason, expired, reported);
    }

    private static ClientConnection expect(final ClientConnection connection, final ClientConnection.State state)
        throws ProtocolException
    {
        if (connection.state() != state)
        {
            throw new ProtocolException("message out of order: state=" + connection.state() + " expected=" + state);
        }
        return connection;
    }

    private void adopt(final ClientConnection connection, final Session session)
    {
        session.owner(connection);
        session.heard(clock.nanoTime());
        connection.session(session);
    }

    /** Drops the one of such sessions that has been without a connection the longest: its client has likely left it. */
    private void evictOrphan(final Predicate<Session> such)
    {
        Session oldest = null;
        for (final Session session : sessions.values())
        {
            if (session.owner() == null && session.attachment() == null && !session.isAttaching() &&
                such.test(session) &&
                (oldest == null || session.lastHeardNs() - oldest.lastHeardNs() < 0))
            {
                oldest = session;
            }
        }
        if (oldest != null)
        {
            LOGGER.info(
                "session ended, its place is needed and it has no connection: session={} address={} identity={}",
                oldest.id(), oldest.address(), oldest.identity());
            end(oldest, true);
        }
    }

    private Session newSession(final ServedDevice device, final String identity)
    {
        long id = random.nextLong() & Long.MAX_VALUE;
        while (id == 0 || sessions.containsKey(id))
        {
            id = random.nextLong() & Long.MAX_VALUE;
        }
        return new Session(
            id, random.nextLong(), random.nextLong(), device, identity, table.shards().size(), limits.geometry(),
            clock.nanoTime());
    }

    private void onReady(final ClientConnection connection) throws IOException
    {
        if (connection.session().wasOpen())
        {
            resumed++;
        }
        else
        {
            opened++;
        }
        greeter.onReady(connection, this);
    }

    private void onHeartbeat(final ClientConnection connection) throws IOException
    {
        if (connection.session() == null)
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

    private void onGoodbye(final ClientConnection connection)
    {
        if (connection.state() == OPEN)
        {
            LOGGER.debug("session said goodbye: session={} peer={}", connection.session().id(), connection.peer());
        }
        connection.close();
        release(connection, true);
    }

    /** Parts a connection from its session; one that was never open is forgotten. */
    private void release(final ClientConnection connection, final boolean forGood)
    {
        final Session session = connection.session();
        if (session != null)
        {
            connection.session(null);
            session.owner(null);
            end(session, forGood || !session.wasOpen());
        }
    }

    private void end(final Session session, final boolean forGood)
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

    /** Begins to end a session's queue pairs, those that are being made, too; whether {@link #onDrained} follows. */
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

    /** A session has no queue pairs any more, nor will it: it is dropped, or whoever resumes it may go on. */
    void onDrained(final Session session)
    {
        if (session.isForgotten())
        {
            if (sessions.remove(session.id()) != null)
            {
                counts[session.device().index()]--;
                identities.computeIfPresent(session.identity(), (who, count) -> count == 1 ? null : count - 1);
            }
            for (int i = 0; i < table.shards().size(); i++)
            {
                table.shards().get(i).forget(session.shardSessions().get(i));
            }
        }
        else if (session.owner() != null && session.owner().state() == DRAINING)
        {
            try
            {
                greeter.welcome(session.owner(), true);
            }
            catch (final IOException e)
            {
                onDisconnected(session.owner(), e.getMessage());
            }
        }
    }
}
