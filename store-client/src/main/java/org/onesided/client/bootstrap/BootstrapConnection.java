package org.onesided.client.bootstrap;

import static org.onesided.client.bootstrap.AttachFailedException.Kind.TRANSIENT;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.onesided.client.types.Expiry;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Endpoints;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.protocol.bootstrap.codec.ConnectEncoder;
import org.onesided.protocol.bootstrap.codec.ConnectedDecoder;
import org.onesided.protocol.bootstrap.codec.EvictionPolicy;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HelloEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.bootstrap.codec.ReadyDecoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;
import org.onesided.protocol.bootstrap.codec.WelcomeDecoder;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.verbs.Endpoint;

/**
 * The client's side of the bootstrap: its messages in their order, over one connection. Not thread-safe.
 */
public final class BootstrapConnection implements AutoCloseable
{
    private static final int MAX_CREDITS = 4096;
    private static final int MIN_MESSAGE_LENGTH = 4096 + 256;
    private static final int MAX_MESSAGE_LENGTH = 16 << 20;

    /**
     * What a server says of itself and of the session.
     *
     * @param identity       of the session.
     * @param isResumed      whether it is the session that was to be resumed.
     * @param tableId        names the table.
     * @param served         the shards that the session is for.
     * @param credits        requests that the session may have outstanding per shard.
     * @param messageLength  length of the longest request or answer in bytes.
     * @param maxValueLength length of the longest value in bytes.
     * @param leaseMs        after so many milliseconds without a sign of life the server ends the session.
     * @param hugePages      whether the table is in huge pages.
     * @param memory         most memory of the table in bytes.
     * @param memoryId       names the memory that holds the table: that of another process is another, even if table
     *                       and life are the same.
     * @param eviction       which records leave when the memory is full, as settings name it.
     * @param defaultTtlMs   for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
     * @param wantsAccesses  whether the server asks for samples of lookups.
     * @param takesBatches   whether the server takes several puts in one message.
     */
    public record Welcome(
        SessionIdentity identity,
        boolean isResumed,
        long tableId,
        ServedShards served,
        int credits,
        int messageLength,
        int maxValueLength,
        long leaseMs,
        boolean hugePages,
        long memory,
        long memoryId,
        String eviction,
        long defaultTtlMs,
        boolean wantsAccesses,
        boolean takesBatches)
    {
        /**
         * @return how many shards the table has.
         */
        public int shards()
        {
            return served.total();
        }
    }

    /**
     * The server's half of the verbs' connection.
     *
     * @param endpoints    one for each shard that the session is for.
     * @param segments     the table's memory.
     * @param releaseEpoch of what the server has retired by now.
     */
    public record Connected(List<Endpoint> endpoints, Segments segments, long releaseEpoch)
    {
    }

    private final HostAndPort server;
    private final long deadlineNs;
    /** When the server must have said its first word. */
    private final long firstWordNs;
    private final MessageChannel channel;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder answerHeader = new MessageHeaderDecoder();

    /**
     * Connects.
     *
     * @param server     to connect to.
     * @param tls        to do so within, or null for none.
     * @param deadlineNs of the whole bootstrap, a time of {@link System#nanoTime()}.
     */
    BootstrapConnection(final HostAndPort server, final TlsCredentials tls, final long deadlineNs)
        throws AttachFailedException
    {
        this(server, tls, deadlineNs, null);
    }

    /**
     * Connects.
     *
     * @param server     to connect to.
     * @param tls        to do so within, or null for none.
     * @param deadlineNs of the whole bootstrap, a time of {@link System#nanoTime()}.
     * @param hint       given when that takes long, or null for none.
     * @throws AttachFailedException if there is no connection in time.
     */
    public BootstrapConnection(
        final HostAndPort server, final TlsCredentials tls, final long deadlineNs, final SilenceHint hint)
        throws AttachFailedException
    {
        this(server, tls, deadlineNs, deadlineNs, hint);
    }

    /**
     * Connects to a server that another one may take the place of: the system still takes connections for one that is
     * stopped.
     *
     * @param server      to connect to.
     * @param tls         to do so within, or null for none.
     * @param deadlineNs  of the whole bootstrap, a time of {@link System#nanoTime()}.
     * @param firstWordNs when the server must have said that it speaks this protocol, not after the deadline; within
     *                    TLS, when it must have taken the connection.
     * @param hint        given when that takes long, or null for none.
     * @throws AttachFailedException if there is no connection in time.
     */
    public BootstrapConnection(
        final HostAndPort server,
        final TlsCredentials tls,
        final long deadlineNs,
        final long firstWordNs,
        final SilenceHint hint) throws AttachFailedException
    {
        this.server = server;
        this.deadlineNs = deadlineNs;
        // A handshake of TLS that takes long says enough.
        this.firstWordNs = tls == null ? firstWordNs : deadlineNs;
        try
        {
            final Runnable whenSlow = hint == null ? () -> { } : hint::notTaken;
            channel = channel(TcpConnector.connect(server, firstWordNs, whenSlow), server, tls);
            if (hint != null)
            {
                hint.watch(channel, System.nanoTime(), deadlineNs);
            }
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    private static MessageChannel channel(
        final SocketChannel socket, final HostAndPort server, final TlsCredentials tls) throws IOException
    {
        try
        {
            return tls == null ?
                new MessageChannel(socket, Bootstrap.MAX_MESSAGE_LENGTH) :
                tls.connected(socket, server.host(), server.port(), Bootstrap.MAX_MESSAGE_LENGTH);
        }
        catch (final IOException | RuntimeException e)
        {
            socket.close();
            throw e;
        }
    }

    /**
     * @return the connection, for what comes after the bootstrap.
     */
    public MessageChannel channel()
    {
        return channel;
    }

    /**
     * @return the server's address, as the connection found it.
     * @throws AttachFailedException if the connection has ended.
     */
    public InetAddress serverAddress() throws AttachFailedException
    {
        try
        {
            return ((InetSocketAddress)channel.socket().getRemoteAddress()).getAddress();
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    /**
     * Asks which devices the server has, and of its cluster; it answers nothing more over this connection.
     *
     * @param token of this client.
     * @return the answer.
     * @throws AttachFailedException if the server refuses, or does not answer in time.
     */
    public Offer askOffer(final byte[] token) throws AttachFailedException
    {
        try
        {
            sayHello("", token, SessionIdentity.NONE, Bootstrap.ALL_SHARDS);
            receive(OfferDecoder.TEMPLATE_ID);
            final OfferDecoder offer = new OfferDecoder().wrapAndApplyHeader(channel.message(), 0, answerHeader);
            final List<String> names = new ArrayList<>();
            for (final OfferDecoder.DevicesDecoder device : offer.devices())
            {
                names.add(OneLine.ofPeer(device.name()));
            }
            return new Offer(names, ClusterMap.read(offer));
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    /**
     * Begins a session, or resumes one.
     *
     * @param deviceKind of this side.
     * @param token      of this client.
     * @param resume     the session to resume, or {@link SessionIdentity#NONE}.
     * @param shard      that the session is for, or {@link Bootstrap#ALL_SHARDS}.
     * @return what the server says of itself and of the session.
     * @throws AttachFailedException if the server refuses, or does not answer in time.
     */
    public Welcome hello(
        final String deviceKind, final byte[] token, final SessionIdentity resume, final int shard)
        throws AttachFailedException
    {
        try
        {
            sayHello(deviceKind, token, resume, shard);
            receive(WelcomeDecoder.TEMPLATE_ID);
            return welcome(
                new WelcomeDecoder().wrapAndApplyHeader(channel.message(), 0, answerHeader), resume, shard);
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    /** Sends the first message, by the deadline. */
    void sayHello(
        final String deviceKind, final byte[] token, final SessionIdentity resume, final int shard)
        throws IOException
    {
        final HelloEncoder hello = new HelloEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, header)
            .protocolVersion(Bootstrap.VERSION)
            .features(Bootstrap.FEATURES)
            .resumeServerLife(resume.serverLife())
            .resumeSession(resume.session())
            .resumeSecretHigh(resume.secretHigh())
            .resumeSecretLow(resume.secretLow())
            .shard(shard)
            .device(deviceKind)
            .putToken(token, 0, token.length);
        channel.send(hello.limit(), deadlineNs);
    }

    /**
     * Exchanges the endpoints of the queue pairs.
     *
     * @param endpoints of this side, one for each shard that the session is for.
     * @return the server's.
     * @throws AttachFailedException if the server refuses, or does not answer in time.
     */
    public Connected connect(final List<Endpoint> endpoints) throws AttachFailedException
    {
        try
        {
            final ConnectEncoder connect = new ConnectEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header);
            Endpoints.encode(connect, endpoints);
            channel.send(connect.limit(), deadlineNs);
            receive(ConnectedDecoder.TEMPLATE_ID);

            final ConnectedDecoder connected =
                new ConnectedDecoder().wrapAndApplyHeader(channel.message(), 0, answerHeader);
            final List<Endpoint> peers = Endpoints.decode(connected);
            if (peers.size() != endpoints.size())
            {
                throw new ProtocolException("not one endpoint per shard: endpoints=" + peers.size());
            }
            final List<Segments.Segment> segments = new ArrayList<>();
            for (final ConnectedDecoder.SegmentsDecoder segment : connected.segments())
            {
                segments.add(new Segments.Segment(
                    segment.tableOffset(), segment.length(), segment.address(), (int)segment.remoteKey()));
            }
            return new Connected(
                peers, new Segments(segments, connected.directory()), connected.releaseEpoch());
        }
        catch (final IllegalArgumentException e)
        {
            throw failed(new ProtocolException(e.getMessage()));
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    /**
     * Tells that this side is connected, and awaits that the server's is.
     *
     * @throws AttachFailedException if the server refuses, or does not answer in time.
     */
    public void ready() throws AttachFailedException
    {
        try
        {
            channel.send(new ReadyEncoder().wrapAndApplyHeader(channel.outgoing(), 0, header).limit(), deadlineNs);
            receive(ReadyDecoder.TEMPLATE_ID);
            channel.endWaits();
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }

    private Welcome welcome(final WelcomeDecoder welcome, final SessionIdentity resume, final int shard)
        throws ProtocolException
    {
        if (welcome.protocolVersion() != Bootstrap.VERSION)
        {
            throw new ProtocolException("server speaks another version: version=" + welcome.protocolVersion() +
                " known=" + Bootstrap.VERSION);
        }
        final int shards = welcome.shards();
        final SessionIdentity identity = new SessionIdentity(
            welcome.serverLife(), welcome.session(), welcome.secretHigh(), welcome.secretLow());
        final boolean isResumed = welcome.resumed() == 1;
        check("shards", shards, Math.max(1, shard + 1), SuperblockDescriptor.MAX_SHARDS);
        final ServedShards served = ServedShards.of(shard, shards);
        check("credits", welcome.credits(), 1, MAX_CREDITS);
        check("messageLength", welcome.messageLength(), MIN_MESSAGE_LENGTH, MAX_MESSAGE_LENGTH);
        if (served.count() * welcome.credits() * welcome.messageLength() > Bootstrap.MAX_REQUESTS_LENGTH)
        {
            throw new ProtocolException("server's requests take a client too much memory, give it fewer credits or " +
                "shorter messages: shards=" + served.count() + " credits=" + welcome.credits() + " messageLength=" +
                welcome.messageLength() + " most=" + Bootstrap.MAX_REQUESTS_LENGTH);
        }
        check("memory", welcome.memory(), 1, Long.MAX_VALUE);
        check("eviction", welcome.evictionRaw(), EvictionPolicy.NONE.value(), EvictionPolicy.DENSITY.value());
        check("defaultTtlMs", welcome.defaultTtlMs(), 0, Expiry.MAX_TTL.toMillis());
        check("maxValueLength", welcome.maxValueLength(), 0, Integer.MAX_VALUE);
        if (isResumed && (resume.equals(SessionIdentity.NONE) || !identity.equals(resume)))
        {
            throw new ProtocolException("server resumed another session than it was asked to");
        }
        return new Welcome(
            identity,
            isResumed,
            welcome.tableId(),
            served,
            welcome.credits(),
            (int)welcome.messageLength(),
            (int)welcome.maxValueLength(),
            welcome.leaseMs(),
            welcome.hugePages() == 1,
            welcome.memory(),
            welcome.region(),
            EvictionPolicy.get(welcome.evictionRaw()).name().toLowerCase(Locale.ROOT),
            welcome.defaultTtlMs(),
            (welcome.features() & Bootstrap.ACCESSES) != 0,
            (welcome.features() & Bootstrap.BATCHES) != 0);
    }

    private static void check(final String name, final long value, final long min, final long max)
        throws ProtocolException
    {
        if (value < min || value > max)
        {
            throw new ProtocolException("server's welcome is out of range: " + name + "=" + value);
        }
    }

    /** Translates a failure of the connection. */
    AttachFailedException failed(final IOException e)
    {
        return AttachFailures.of(e, server, channel);
    }

    /**
     * Asks for a backup; the server sends nothing else over this connection.
     *
     * @param token of this client.
     * @return receives it.
     * @throws AttachFailedException if the server does not take the question.
     */
    public BackupReceipt askBackup(final byte[] token) throws AttachFailedException
    {
        try
        {
            sayHello(Bootstrap.BACKUP, token, SessionIdentity.NONE, Bootstrap.ALL_SHARDS);
            return new BackupReceipt(channel, this::failed);
        }
        catch (final IOException e)
        {
            throw failed(e);
        }
    }

    private int next(final long endNs) throws IOException
    {
        if (!channel.isGreeted() && firstWordNs - endNs < 0)
        {
            try
            {
                return channel.receive(firstWordNs);
            }
            catch (final SocketTimeoutException e)
            {
                if (!channel.isGreeted())
                {
                    throw e;
                }
            }
        }
        return channel.receive(endNs);
    }

    /** Awaits a message, by the deadline. */
    void receive(final int expected) throws IOException, AttachFailedException
    {
        receive(expected, deadlineNs);
    }

    /** Awaits a message until a time of {@link System#nanoTime()}. */
    void receive(final int expected, final long endNs) throws IOException, AttachFailedException
    {
        int templateId;
        do
        {
            templateId = next(endNs);
            // Without this check, a server that only sends heartbeats would be waited for for ever.
            if (System.nanoTime() - endNs > 0)
            {
                throw new SocketTimeoutException("nothing but heartbeats");
            }
        }
        while (templateId == HeartbeatDecoder.TEMPLATE_ID);

        if (templateId == RefusedDecoder.TEMPLATE_ID)
        {
            throw AttachFailures.refused(new RefusedDecoder().wrapAndApplyHeader(channel.message(), 0, answerHeader));
        }
        if (templateId == GoodbyeDecoder.TEMPLATE_ID)
        {
            throw new AttachFailedException(TRANSIENT, "server says goodbye: " + OneLine.ofPeer(new GoodbyeDecoder()
                .wrapAndApplyHeader(channel.message(), 0, answerHeader).reason()), null);
        }
        if (templateId != expected)
        {
            throw new ProtocolException("message out of order: template=" + templateId + " expected=" + expected);
        }
    }
}
