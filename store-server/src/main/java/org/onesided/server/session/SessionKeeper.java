package org.onesided.server.session;

import static org.onesided.server.session.ClientConnection.State.*;

import java.io.IOException;
import java.net.ProtocolException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Endpoints;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectedEncoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyDecoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.WelcomeEncoder;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.shard.ShardConnection;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the sessions: takes clients through the handshake, ends sessions whose lease ran out, and lets a client that
 * lost its connection resume its session over another one.
 *
 * <p>A session is resumed only after all queue pairs of its former connection are destroyed, on every shard: so no
 * request that was sent over those can be executed after one that is sent over the new ones. Belongs to the acceptor's
 * thread.
 */
final class SessionKeeper
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SessionKeeper.class);

    private final ServedTable table;
    private final SessionLimits limits;
    private final NanoClock clock;
    private final long leaseNs;
    private final SecureRandom random = new SecureRandom();
    private final Long2ObjectHashMap<Session> sessions = new Long2ObjectHashMap<>();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder messageHeader = new MessageHeaderDecoder();
    private boolean isShuttingDown;

    SessionKeeper(final ServedTable table, final SessionLimits limits, final NanoClock clock)
    {
        this.table = table;
        this.limits = limits;
        this.clock = clock;
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
            case HelloDecoder.TEMPLATE_ID -> onHello(expect(connection, HELLO));
            case ConnectDecoder.TEMPLATE_ID -> onConnect(expect(connection, CONNECT));
            case ReadyDecoder.TEMPLATE_ID -> onReady(expect(connection, READY));
            case HeartbeatDecoder.TEMPLATE_ID -> onHeartbeat(connection);
            case GoodbyeDecoder.TEMPLATE_ID -> onGoodbye(connection);
            default -> throw new ProtocolException("message out of order: template=" + templateId);
        }
    }

    /** Ends a connection, with a word why. A session that was open may still be resumed. */
    void refuse(final ClientConnection connection, final RefusalCode code, final String reason)
    {
        final boolean wasOpen = connection.state() == OPEN;
        LOGGER.warn("{} {}: {}: {}", wasOpen ? "ended" : "refused", connection.peer(), code, reason);
        if (wasOpen)
        {
            connection.sayGoodbye(reason, clock.nanoTime());
        }
        else
        {
            connection.refuse(code, reason, clock.nanoTime());
        }
        release(connection, false);
    }

    /** The TCP connection is gone; its session may be resumed, unless it never came to be. */
    void onDisconnected(final ClientConnection connection, final String reason)
    {
        final boolean wasOpen = connection.state() == OPEN;
        if (wasOpen)
        {
            LOGGER.info("session {} lost its connection: {}", connection.session().id(), reason);
        }
        else if (connection.isGreeting())
        {
            LOGGER.info("{} left during the handshake: {}", connection.peer(), reason);
        }
        connection.close();
        release(connection, false);
    }

    void onDeadline(final ClientConnection connection)
    {
        if (connection.isGreeting())
        {
            refuse(connection, RefusalCode.PROTOCOL, "handshake took too long");
        }
        else
        {
            connection.close();
        }
    }

    /** A shard has destroyed one of a session's queue pairs. */
    void onEnded(final ShardConnection ended, final String reason)
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
            LOGGER.info("session {} of {} ended: {}", session.id(), owner.peer(), reason);
            owner.sayGoodbye(reason, clock.nanoTime());
            session.owner(null);
            owner.session(null);
        }
        if (reason != null)
        {
            attachment.end();
            if (ended.isForfeited())
            {
                session.forget();
            }
        }
        if (attachment.onEnded(ended))
        {
            attachment.close();
            session.attachment(null);
            onDrained(session);
        }
    }

    /** Ends the sessions whose lease ran out. */
    void checkLeases(final long nowNs)
    {
        for (final Session session : new ArrayList<>(sessions.values()))
        {
            if (!session.isForgotten() && nowNs - session.lastHeardNs() > leaseNs)
            {
                LOGGER.info("session {} ended: nothing came from it for {} ms", session.id(), limits.leaseMs());
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

    void shutDown(final List<ClientConnection> connections)
    {
        isShuttingDown = true;
        final long nowNs = clock.nanoTime();
        for (final ClientConnection connection : connections)
        {
            if (connection.isGreeting())
            {
                connection.refuse(RefusalCode.SHUTTING_DOWN, "server is about to stop", nowNs);
            }
            else
            {
                connection.sayGoodbye("server is about to stop", nowNs);
            }
            connection.session(null);
        }
        for (final Session session : new ArrayList<>(sessions.values()))
        {
            session.owner(null);
            end(session, true);
        }
    }

    boolean isEmpty()
    {
        return sessions.isEmpty();
    }

    int size()
    {
        return sessions.size();
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

    private void onHello(final ClientConnection connection) throws IOException
    {
        final HelloDecoder hello = new HelloDecoder().wrapAndApplyHeader(connection.message(), 0, messageHeader);
        if (hello.protocolVersion() != Bootstrap.VERSION)
        {
            refuse(connection, RefusalCode.VERSION, "this server speaks version " + Bootstrap.VERSION +
                ", the client version " + hello.protocolVersion() + ": use the same release on both sides");
            return;
        }
        final String device = hello.device();
        final byte[] offered = new byte[hello.tokenLength()];
        hello.getToken(offered, 0, offered.length);
        final Token token = limits.token();
        if (token != null && !token.matches(offered))
        {
            refuse(connection, RefusalCode.CREDENTIALS, offered.length == 0 ?
                "this server asks for a token: pass the one it was started with" :
                "the token is not this server's");
            return;
        }
        if (!table.deviceKind().equals(device))
        {
            refuse(connection, RefusalCode.DEVICE,
                "this server offers another device: use device " + table.deviceKind());
            return;
        }
        if (isShuttingDown)
        {
            refuse(connection, RefusalCode.SHUTTING_DOWN, "server is about to stop");
            return;
        }

        connection.trust();
        final Session known =
            hello.resumeServerLife() == table.serverLife() ? sessions.get(hello.resumeSession()) : null;
        if (known != null && !known.isForgotten() &&
            known.hasSecret(hello.resumeSecretHigh(), hello.resumeSecretLow()))
        {
            resume(connection, known);
        }
        else if (sessions.size() >= limits.maxSessions())
        {
            refuse(connection, RefusalCode.CAPACITY, "no room for another session: sessions=" + sessions.size());
        }
        else
        {
            adopt(connection, newSession());
            welcome(connection, false);
        }
    }

    private void resume(final ClientConnection connection, final Session session) throws IOException
    {
        final ClientConnection former = session.owner();
        if (former != null)
        {
            former.sayGoodbye("session was resumed over another connection", clock.nanoTime());
            former.session(null);
        }
        adopt(connection, session);
        if (session.attachment() == null)
        {
            welcome(connection, true);
        }
        else
        {
            connection.state(DRAINING);
            session.attachment().end();
        }
    }

    private void adopt(final ClientConnection connection, final Session session)
    {
        session.owner(connection);
        session.heard(clock.nanoTime());
        connection.session(session);
    }

    private Session newSession()
    {
        long id = random.nextLong() & Long.MAX_VALUE;
        while (id == 0 || sessions.containsKey(id))
        {
            id = random.nextLong() & Long.MAX_VALUE;
        }
        final Session session = new Session(
            id, random.nextLong(), random.nextLong(), table.shards().size(), limits.geometry(), clock.nanoTime());
        sessions.put(id, session);
        return session;
    }

    private void welcome(final ClientConnection connection, final boolean isResumed) throws IOException
    {
        final Session session = connection.session();
        final WelcomeEncoder welcome = new WelcomeEncoder();
        welcome.wrapAndApplyHeader(connection.outgoing(), 0, header)
            .protocolVersion(Bootstrap.VERSION)
            .features(Bootstrap.FEATURES)
            .serverLife(table.serverLife())
            .tableId(table.tableId())
            .session(session.id())
            .secretHigh(session.secretHigh())
            .secretLow(session.secretLow())
            .resumed((short)(isResumed ? 1 : 0))
            .shards(table.shards().size())
            .credits(limits.geometry().credits())
            .messageLength(limits.geometry().messageLength())
            .maxValueLength(RecordDescriptor.MAX_VALUE_LENGTH)
            .leaseMs(limits.leaseMs());
        connection.state(CONNECT);
        connection.send(welcome.limit());
    }

    private void onConnect(final ClientConnection connection) throws IOException
    {
        final List<Endpoint> peers = Endpoints.decode(
            new ConnectDecoder().wrapAndApplyHeader(connection.message(), 0, messageHeader));
        if (peers.size() != table.shards().size())
        {
            throw new ProtocolException("one endpoint per shard is needed: endpoints=" + peers.size() +
                " shards=" + table.shards().size());
        }

        final Session session = connection.session();
        final Attachment attachment;
        try
        {
            attachment = new Attachment(table, session.shardSessions(), limits.geometry(), peers);
        }
        catch (final VerbsException | IllegalArgumentException e)
        {
            final boolean isFull = e instanceof VerbsException && Attachment.isExhaustion((VerbsException)e);
            refuse(connection, isFull ? RefusalCode.CAPACITY : RefusalCode.INTERNAL,
                "queue pairs could not be connected: " + e.getMessage());
            return;
        }

        session.attachment(attachment);
        attachment.handOver();
        connection.state(READY);
        final ConnectedEncoder connected = new ConnectedEncoder();
        connected.wrapAndApplyHeader(connection.outgoing(), 0, header);
        Endpoints.encode(connected, attachment.endpoints());
        final MemoryRegion region = table.region();
        connected.segmentsCount(1).next()
            .tableOffset(0)
            .length(region.range().length())
            .address(region.range().address())
            .remoteKey(region.remoteKey() & 0xFFFF_FFFFL);
        connection.send(connected.limit());
    }

    private void onReady(final ClientConnection connection) throws IOException
    {
        connection.state(OPEN);
        connection.session().establish();
        connection.send(new ReadyEncoder().wrapAndApplyHeader(connection.outgoing(), 0, header).limit());
        LOGGER.info("session {} of {} is open: sessions={}", connection.session().id(), connection.peer(),
            sessions.size());
    }

    private void onHeartbeat(final ClientConnection connection) throws IOException
    {
        if (connection.session() == null)
        {
            throw new ProtocolException("message out of order: Heartbeat before Hello");
        }
        if (connection.state() == OPEN)
        {
            connection.send(new HeartbeatEncoder().wrapAndApplyHeader(connection.outgoing(), 0, header).limit());
        }
    }

    private void onGoodbye(final ClientConnection connection)
    {
        if (connection.state() == OPEN)
        {
            LOGGER.info("session {} of {} said goodbye", connection.session().id(), connection.peer());
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
        if (session.attachment() != null)
        {
            session.attachment().end();
        }
        else
        {
            onDrained(session);
        }
    }

    private void onDrained(final Session session)
    {
        if (session.isForgotten())
        {
            sessions.remove(session.id());
            for (int i = 0; i < table.shards().size(); i++)
            {
                table.shards().get(i).forget(session.shardSessions().get(i));
            }
        }
        else if (session.owner() != null && session.owner().state() == DRAINING)
        {
            try
            {
                welcome(session.owner(), true);
            }
            catch (final IOException e)
            {
                onDisconnected(session.owner(), e.getMessage());
            }
        }
    }
}
