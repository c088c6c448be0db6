package org.onesided.server.session;

import static org.onesided.server.session.BootstrapConnection.State.*;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.HexFormat;
import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Endpoints;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectedEncoder;
import org.onesided.protocol.bootstrap.codec.EvictionPolicy;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.WelcomeEncoder;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.reign.ShardRole;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads a client through the handshake. The client learns only what each step needs: nothing before its version and
 * token are accepted, and the table's address and rkey only when its queue pairs are connected.
 */
final class Greeter
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Greeter.class);
    private static final String MAY_LOOK_UP_ONLY =
        "client may only look up at this server, as its token or certificate says: show one that may write, ";

    private final ServedTable table;
    private final SessionLimits limits;
    private final NanoClock clock;
    private final Connector connector;
    private final Sessions sessions;
    private final SessionLives lives;
    private final ConnectionCloser closer;
    private final Confirmations confirmations;
    private final SessionRoom room;
    private final SessionMaker maker;
    private final UnreachablePeers unreachable = new UnreachablePeers();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder messageHeader = new MessageHeaderDecoder();
    private Tokens tokens;
    private boolean isShuttingDown;

    Greeter(
        final ServedTable table,
        final Credentials credentials,
        final SessionLimits limits,
        final NanoClock clock,
        final Connector connector,
        final Sessions sessions,
        final SessionLives lives,
        final ConnectionCloser closer,
        final Confirmations confirmations)
    {
        this.clock = clock;
        this.sessions = sessions;
        this.lives = lives;
        this.closer = closer;
        this.confirmations = confirmations;
        maker = new SessionMaker(table, sessions, limits, clock);
        room = new SessionRoom(sessions, lives, limits, closer);
        tokens = credentials.tokens();
        this.connector = connector;
        this.table = table;
        this.limits = limits;
    }

    /** Stops welcoming clients. */
    void shutDown()
    {
        isShuttingDown = true;
    }

    /** Asks clients for one of other tokens from now on. */
    void tokens(final Tokens newest)
    {
        tokens = newest;
    }

    void onHello(final BootstrapConnection connection) throws IOException
    {
        final HelloDecoder hello = new HelloDecoder().wrapAndApplyHeader(connection.message(), 0, messageHeader);
        if (hello.protocolVersion() != Bootstrap.VERSION)
        {
            closer.refuse(connection, Refusal.VERSION, "this server speaks version " + Bootstrap.VERSION +
                ", the client version " + hello.protocolVersion() + ": use the same release on both sides");
            return;
        }
        final String kind = hello.device();
        final byte[] offered = new byte[hello.tokenLength()];
        hello.getToken(offered, 0, offered.length);
        final Tokens.Owner owner = tokens == null ? null : tokens.ownerOf(offered);
        if (tokens != null && owner == null)
        {
            closer.refuse(connection, Refusal.CREDENTIALS, offered.length == 0 ?
                "this server asks for a token: pass the one it was started with" :
                "the token is not this server's");
            return;
        }
        final ClientIdentity client = ClientIdentity.of(owner, connection.certificateSubject());
        if (isShuttingDown)
        {
            closer.refuse(connection, Refusal.SHUTTING_DOWN, "server is about to stop");
            return;
        }
        if (kind.equals(Bootstrap.FORM) || table.forming() != null)
        {
            form(connection, kind.equals(Bootstrap.FORM), client);
            return;
        }
        if (kind.equals(Bootstrap.MEMBERS))
        {
            changeMembers(connection, client);
            return;
        }
        if (kind.equals(Bootstrap.BACKUP))
        {
            backUp(connection, client);
            return;
        }
        if (kind.equals(Bootstrap.OPERATE))
        {
            operate(connection, client);
            return;
        }
        if (table.cluster() != null && table.cluster().isRemoved())
        {
            closer.refuse(connection, Refusal.MEMBERS, "this server was removed from its cluster, name a member: " +
                "removed=" + table.cluster().self());
            return;
        }
        if (kind.isEmpty())
        {
            closer.offer(connection, table);
            return;
        }
        final ServedDevice device = table.device(kind);
        if (device == null || device.device().failure() != null)
        {
            closer.refuse(connection, Refusal.DEVICE, device == null ?
                "this server offers " + table.offeredText() + ", not the client's " + kind :
                device.device().name() + " has failed at the server, which goes on with " + table.offeredText() +
                    ": " + device.device().failure());
            return;
        }

        final String reason = notServed(hello.shard());
        if (reason != null)
        {
            closer.refuse(connection, Refusal.NOT_LEADING, reason);
            return;
        }

        connection.trust();
        final List<Shard> shards =
            table.cluster() == null ? table.shards() : List.of(table.shards().get(hello.shard()));
        final boolean isOfThisLife = hello.resumeServerLife() == table.serverLife();
        final Session known = !isOfThisLife ? null :
            sessions.find(
                hello.resumeSession(), hello.resumeSecretHigh(), hello.resumeSecretLow(), device, client);
        if (known != null && known.shards().equals(shards))
        {
            known.client(client);
            resume(connection, known);
        }
        else
        {
            begin(connection, device, client, shards, !isOfThisLife ? null : maker.recover(
                hello.resumeSession(), hello.resumeSecretHigh(), hello.resumeSecretLow(), device, client, shards));
        }
    }

    /** Why there are no sessions for a shard here now, in a line; null if there are. */
    private String notServed(final int shard)
    {
        final ServedCluster cluster = table.cluster();
        if (cluster == null)
        {
            return shard == Bootstrap.ALL_SHARDS ? null : "this server is not a member of a cluster";
        }
        if (shard < 0 || shard >= cluster.roles().count())
        {
            return "this server is a member of a cluster, and its partitions are led by several members: connect to " +
                "the cluster";
        }
        final ShardRole role = cluster.roles().get(shard);
        return role.isServing() ? null :
            role.leader() == 0 ? "no leader is known yet, or this server is about to lead: partition=" + shard :
                "another member leads: partition=" + shard + " leader=" + role.leader();
    }

    /** Begins a session, or goes on with one of the former process, which may be null. */
    private void begin(
        final BootstrapConnection connection,
        final ServedDevice device,
        final ClientIdentity client,
        final List<Shard> shards,
        final Session former) throws IOException
    {
        if (!room.make(connection, device, client.name()))
        {
            if (former != null)
            {
                table.recovered().giveBack(former, clock.nanoTime());
            }
        }
        else if (former != null)
        {
            sessions.add(former);
            resume(connection, former);
        }
        else
        {
            lives.begin(maker.begin(device, client, shards), connection);
            welcome(connection, false);
        }
    }

    /** Lets a client form a blank server. */
    private void form(final BootstrapConnection connection, final boolean isWanted, final ClientIdentity client)
    {
        if (isWanted && client.isReader())
        {
            closer.refuse(connection, Refusal.READ_ONLY, MAY_LOOK_UP_ONLY + "to form a cluster");
            return;
        }
        if (!isWanted)
        {
            closer.refuse(connection, Refusal.BLANK, "this server is blank: it waits until kvctl cluster create " +
                "or add makes it a member of a cluster");
            return;
        }
        if (table.forming() == null)
        {
            closer.refuse(connection, Refusal.BLANK, table.cluster() == null ?
                "this server is not blank, it has a table of its own: to form a cluster, start it with " +
                    "--peer-listen and an empty or missing --data" :
                "this server is not blank, it is a member of a cluster already: table=" +
                    HexFormat.of().toHexDigits(table.tableId()) + " member=" + table.cluster().self());
            return;
        }
        serve(connection, table.forming(), Refusal.FORMING_BUSY, client);
    }

    private void changeMembers(final BootstrapConnection connection, final ClientIdentity client)
    {
        if (client.isReader())
        {
            closer.refuse(connection, Refusal.READ_ONLY, MAY_LOOK_UP_ONLY + "to change members of a cluster");
            return;
        }
        if (table.cluster() == null)
        {
            closer.refuse(connection, Refusal.MEMBERS, "this server is alone, not a member of a cluster");
            return;
        }
        serve(connection, table.cluster().changes(), Refusal.MEMBERS_BUSY, client);
    }

    private void serve(
        final BootstrapConnection connection, final ClientDesk desk, final Refusal busy, final ClientIdentity client)
    {
        final String refusal = desk.refusal();
        if (refusal != null)
        {
            closer.refuse(connection, busy, refusal);
            return;
        }
        final String peer = connection.peer();
        desk.serve(connection.detach(), peer, client.name());
    }

    /** Lets a client look at the others of a cluster, and say what this member is to do. */
    private void operate(final BootstrapConnection connection, final ClientIdentity client)
    {
        if (table.operating() == null)
        {
            closer.refuse(connection, Refusal.OPERATION, "this server is alone, not a member of a cluster");
            return;
        }
        serve(connection, client.isReader() ? table.operating().forReaders() : table.operating(),
            Refusal.OPERATING_BUSY, client);
    }

    private void backUp(final BootstrapConnection connection, final ClientIdentity client)
    {
        if (client.isReader())
        {
            closer.refuse(connection, Refusal.READ_ONLY, MAY_LOOK_UP_ONLY + "to take a backup, which kvctl export " +
                "does not need");
            return;
        }
        if (table.backups() == null)
        {
            closer.refuse(connection, Refusal.BACKUP, "this server keeps its store in memory only: copy it with " +
                "kvctl export, or start the server with --data");
            return;
        }
        serve(connection, table.backups(), Refusal.BACKUP_BUSY, client);
    }

    private void resume(final BootstrapConnection connection, final Session session) throws IOException
    {
        if (lives.resume(connection, session))
        {
            welcome(connection, true);
        }
    }

    /** A log has a put in each of its entries, so that its shard takes none together. */
    private boolean takesBatches()
    {
        return table.shards().stream().noneMatch(Shard::hasLog);
    }

    void welcome(final BootstrapConnection connection, final boolean isResumed) throws IOException
    {
        final Session session = sessions.of(connection);
        final WelcomeEncoder welcome = new WelcomeEncoder();
        welcome.wrapAndApplyHeader(connection.outgoing(), 0, header)
            .protocolVersion(Bootstrap.VERSION)
            .features(Bootstrap.FEATURES &
                (AccessIntake.isWanted(table.shards()) ? -1 : ~Bootstrap.ACCESSES) &
                (takesBatches() ? -1 : ~Bootstrap.BATCHES))
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
            .leaseMs(limits.leaseMs())
            .hugePages((short)(table.hugePages() ? 1 : 0))
            .memory(table.memory())
            .region(table.region())
            .defaultTtlMs(table.defaultTtlMs())
            .eviction(EvictionPolicy.valueOf(table.eviction().name()));
        connection.await(CONNECT, clock.nanoTime());
        connection.send(welcome.limit());
    }

    void onConnect(final BootstrapConnection connection, final Session session) throws IOException
    {
        final List<Endpoint> peers = Endpoints.decode(
            new ConnectDecoder().wrapAndApplyHeader(connection.message(), 0, messageHeader));
        if (peers.size() != session.shards().size())
        {
            throw new ProtocolException("one endpoint per shard is needed: endpoints=" + peers.size() +
                " shards=" + session.shards().size());
        }

        connection.state(CONNECTING);
        session.beginAttaching();
        // The session ends as soon as the acceptor hears of another role.
        final long term = term(session);
        final boolean isReader = session.client().isReader();
        connector.make(
            () -> make(session, isReader, peers, term),
            (attachment, failure) -> onMade(connection, session, attachment, failure));
    }

    private long term(final Session session)
    {
        return table.cluster() == null ? Attachment.NO_TERM :
            table.cluster().roles().get(table.shards().indexOf(session.shards().get(0))).term();
    }

    /** Null if the client no longer waits: clients that connect and leave must not delay others. */
    private Attachment make(
        final Session session, final boolean isReader, final List<Endpoint> peers, final long term)
    {
        if (session.isCalledOff())
        {
            return null;
        }
        unreachable.check(peers, System.nanoTime());
        try
        {
            return new Attachment(
                session.shards(), session.device(), session.shardSessions(), isReader, limits.geometry(), peers, term);
        }
        catch (final VerbsException e)
        {
            unreachable.failed(peers, e, System.nanoTime());
            throw e;
        }
    }

    private void onMade(
        final BootstrapConnection connection,
        final Session session,
        final Attachment attachment,
        final RuntimeException failure)
    {
        session.endAttaching();
        if (session.isCalledOff() || connection.state() != CONNECTING)
        {
            // The client has left or was refused, or all connections were closed.
            if (attachment != null)
            {
                attachment.discard();
            }
            lives.onDrained(session);
        }
        else if (failure != null)
        {
            final boolean isFull = failure instanceof VerbsException &&
                Attachment.isExhaustion((VerbsException)failure);
            if (!(failure instanceof VerbsException || failure instanceof IllegalArgumentException))
            {
                LOGGER.error("refusing a client after an unexpected error: peer={}", connection.peer(), failure);
            }
            closer.refuse(connection, isFull ? Refusal.DEVICE_FULL : Refusal.INTERNAL,
                "queue pairs could not be connected: " + failure.getMessage());
        }
        else
        {
            try
            {
                attach(connection, session, attachment);
            }
            catch (final IOException e)
            {
                closer.onDisconnected(connection, e.getMessage());
            }
        }
    }

    private void attach(
        final BootstrapConnection connection, final Session session, final Attachment attachment) throws IOException
    {
        session.attachment(attachment);
        attachment.handOver();
        connection.await(READY, clock.nanoTime());
        final ConnectedEncoder connected = new ConnectedEncoder();
        connected.wrapAndApplyHeader(connection.outgoing(), 0, header);
        connected.directory(session.device().directory()).releaseEpoch(confirmations.begin(session));
        Endpoints.encode(connected, attachment.endpoints());
        final MemoryRegion region = session.device().region();
        connected.segmentsCount(1).next()
            .tableOffset(0)
            .length(region.range().length())
            .address(region.range().address())
            .remoteKey(region.remoteKey() & 0xFFFF_FFFFL);
        connection.send(connected.limit());
    }

    void onReady(final BootstrapConnection connection, final Session session) throws IOException
    {
        connection.state(OPEN);
        session.establish();
        connection.send(new ReadyEncoder().wrapAndApplyHeader(connection.outgoing(), 0, header).limit());
        confirmations.onOpen(session);
        LOGGER.debug("session is open: session={} peer={} identity={} sessions={}", session.id(), connection.peer(),
            session.identity(), sessions.size());
    }
}
