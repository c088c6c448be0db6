package org.onesided.client.session;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.bootstrap.Segments;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Endpoints;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectedEncoder;
import org.onesided.protocol.bootstrap.codec.EvictionPolicy;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedEncoder;
import org.onesided.protocol.bootstrap.codec.WelcomeEncoder;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.Access;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.OpenDevice;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.ReliableConnection;

/**
 * A server's side of one bootstrap, over the device {@code shm}: it answers each step as the protocol asks, unless the
 * test replaces the answer. Each is for one connection.
 */
final class ScriptedServer implements AutoCloseable
{
    static final int MESSAGE_LENGTH = 8192;
    static final long MEMORY_ID = -77;
    static final int CREDITS = 4;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);

    /** A message of the client that the server answers. */
    enum Step
    {
        HELLO, CONNECT, READY
    }

    /** What the server does with one message of the client. */
    @FunctionalInterface
    interface Answer
    {
        /**
         * @param channel that has received the message.
         * @throws IOException to hang up.
         */
        void run(MessageChannel channel) throws IOException;
    }

    private final Map<Step, Answer> answers = new EnumMap<>(Step.class);
    private final ServerSocketChannel listener;
    private final Resources resources = new Resources();
    private final OpenDevice device;
    private final ConnectionOptions options;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final DeviceMemory memory;
    private final MemoryRegion region;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final CompletableFuture<Void> ended;
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private volatile long resumedSession;
    private volatile boolean isResuming;

    ScriptedServer(final Superblock superblock) throws IOException
    {
        listener = resources.add(
            ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        device = resources.add(new DeviceChoice("shm", StoreClientBuilder.DEFAULT_CONNECTION, true).open());
        options = device.path();
        domain = resources.add(device.context().allocateProtectionDomain());
        queue = resources.add(device.context().createCompletionQueue(64, null, 0));
        memory = resources.add(device.context().allocate(superblock.regionLength()));
        region = resources.add(domain.register(memory.range(), Access.REMOTE_READ));
        superblock.write(memory.range().address());
        answers.put(Step.HELLO, channel -> welcome(channel, 1));
        answers.put(Step.CONNECT, channel -> connected(channel, Integer.MAX_VALUE));
        answers.put(Step.READY, this::ready);
        ended = CompletableFuture.runAsync(this::serve);
    }

    HostAndPort address() throws IOException
    {
        return new HostAndPort("127.0.0.1", ((InetSocketAddress)listener.getLocalAddress()).getPort());
    }

    /** Replaces an answer; before the client connects. */
    void on(final Step step, final Answer answer)
    {
        answers.put(step, answer);
    }

    /** The session that the client asked to resume. */
    long resumedSession()
    {
        return resumedSession;
    }

    /** The server resumes the session that the client asks for. */
    void resume()
    {
        isResuming = true;
    }

    /** Closes the connection. */
    static void hangUp(final MessageChannel channel) throws IOException
    {
        throw new IOException("the script ends here");
    }

    /** Neither answers nor closes, until the server is closed. */
    void keepSilent(final MessageChannel channel) throws IOException
    {
        released.join();
        hangUp(channel);
    }

    static void refuse(final MessageChannel channel, final RefusalCode code) throws IOException
    {
        channel.send(new RefusedEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
            .code(code)
            .reason("not today")
            .limit(), endNs());
    }

    void welcome(final MessageChannel channel, final int shards) throws IOException
    {
        final HelloDecoder hello =
            new HelloDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
        resumedSession = hello.resumeSession();
        channel.send(new WelcomeEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
            .protocolVersion(Bootstrap.VERSION)
            .features(0)
            .serverLife(FakeServer.SUPERBLOCK.serverLife())
            .tableId(FakeServer.SUPERBLOCK.tableId())
            .session(isResuming ? hello.resumeSession() : 1)
            .secretHigh(isResuming ? hello.resumeSecretHigh() : 2)
            .secretLow(isResuming ? hello.resumeSecretLow() : 3)
            .resumed((short)(isResuming ? 1 : 0))
            .shards(shards)
            .credits(CREDITS)
            .messageLength(MESSAGE_LENGTH)
            .maxValueLength(1 << 20)
            .leaseMs(10_000)
            .hugePages((short)0)
            .memory(memory.range().length())
            .region(MEMORY_ID)
            .defaultTtlMs(9)
            .eviction(EvictionPolicy.DENSITY)
            .limit(), endNs());
    }

    /**
     * @param readDepth READs that the server says it answers at a time, at most.
     */
    void connected(final MessageChannel channel, final int readDepth) throws IOException
    {
        final List<Endpoint> clients = Endpoints.decode(
            new ConnectDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()));
        for (final Endpoint client : clients)
        {
            final QueuePair queuePair = resources.add(domain.createQueuePair(
                new QueuePairInitAttributes(queue, queue, null, 4, 4, 1, 1, 0, false, false)));
            queuePairs.add(queuePair);
            ReliableConnection.initialise(queuePair, options);
            final Endpoint local = ReliableConnection.local(device.context(), queuePair, options);
            ReliableConnection.connect(queuePair, local, client, options);
            endpoints.add(new Endpoint(local.queuePairNumber(), local.lid(), local.gid(), local.psn(), local.mtu(),
                Math.min(readDepth, local.readDepth()), local.initiatorDepth(), local.deviceBytes()));
        }
        final ConnectedEncoder connected =
            new ConnectedEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder());
        connected.directory(Segments.NO_DIRECTORY).releaseEpoch(0);
        Endpoints.encode(connected, endpoints);
        connected.segmentsCount(1).next()
            .tableOffset(0)
            .length(memory.range().length())
            .address(memory.range().address())
            .remoteKey(region.remoteKey() & 0xFFFF_FFFFL);
        channel.send(connected.limit(), endNs());
    }

    /** Answers as to {@link Step#CONNECT}, without endpoints. */
    static void connectedToNothing(final MessageChannel channel) throws IOException
    {
        final ConnectedEncoder connected =
            new ConnectedEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder());
        connected.directory(Segments.NO_DIRECTORY).releaseEpoch(0);
        Endpoints.encode(connected, List.of());
        connected.segmentsCount(0);
        channel.send(connected.limit(), endNs());
    }

    void ready(final MessageChannel channel) throws IOException
    {
        channel.send(new ReadyEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder()).limit(), endNs());
    }

    /** The queue pairs fail: READs find no peer. */
    void failQueuePairs()
    {
        queuePairs.forEach(ReliableConnection::fail);
    }

    private static long endNs()
    {
        return System.nanoTime() + DEADLINE_NS;
    }

    private void serve()
    {
        try (SocketChannel socket = listener.accept();
            MessageChannel channel = new MessageChannel(socket, Bootstrap.MAX_MESSAGE_LENGTH))
        {
            for (final Step step : Step.values())
            {
                channel.receive(endNs());
                answers.get(step).run(channel);
            }
            while (true)
            {
                // Heartbeats, until the client leaves.
                channel.receive(endNs());
            }
        }
        catch (final IOException e)
        {
            // The script or the client has ended the connection.
        }
    }

    /** Waits until the client has closed its connection, or the script has, and frees the rest. */
    @Override
    public void close() throws IOException
    {
        released.complete(null);
        listener.close();
        ended.orTimeout(DEADLINE_NS, TimeUnit.NANOSECONDS).join();
        resources.close();
    }
}
