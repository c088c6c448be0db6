package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.session.TestMemory;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Endpoints;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectedEncoder;
import org.onesided.protocol.bootstrap.codec.EvictionPolicy;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.bootstrap.codec.RefusedEncoder;
import org.onesided.protocol.bootstrap.codec.WelcomeEncoder;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

class BootstrapConnectionTest
{
    private static final byte[] TOKEN = TestMemory.bytes("sesame");
    private static final Endpoint ENDPOINT =
        new Endpoint(7, 8, new Gid(9, 10), 11, 4096, 16, 16, new byte[] {1, 2, 3});

    private ServerSocketChannel listener;
    private HostAndPort address;
    private CompletableFuture<Void> peer;

    /** What a peer does with its connection. */
    private interface Script
    {
        void run(MessageChannel channel) throws IOException;
    }

    @BeforeEach
    void listen() throws IOException
    {
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        address = new HostAndPort("127.0.0.1", ((InetSocketAddress)listener.getLocalAddress()).getPort());
    }

    @AfterEach
    void close() throws Exception
    {
        listener.close();
        if (peer != null)
        {
            peer.get(20, TimeUnit.SECONDS);
        }
    }

    private static long in(final long seconds)
    {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    private void play(final Script script)
    {
        peer = CompletableFuture.runAsync(() ->
        {
            try (SocketChannel socket = listener.accept();
                MessageChannel channel = new MessageChannel(socket, Bootstrap.MAX_MESSAGE_LENGTH))
            {
                script.run(channel);
            }
            catch (final IOException e)
            {
                throw new AssertionError(e);
            }
        });
    }

    private AttachFailedException helloFails(final long deadlineNs)
    {
        return assertThrows(AttachFailedException.class, () ->
        {
            try (BootstrapConnection connection = new BootstrapConnection(address, null, deadlineNs))
            {
                connection.hello("shm", TOKEN, SessionIdentity.NONE, Bootstrap.ALL_SHARDS);
            }
        });
    }

    private static void welcome(final MessageChannel channel, final int shards, final int messageLength)
        throws IOException
    {
        final int length = new WelcomeEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
            .protocolVersion(Bootstrap.VERSION)
            .features(0)
            .serverLife(-3)
            .tableId(4)
            .session(5)
            .secretHigh(6)
            .secretLow(7)
            .resumed((short)1)
            .shards(shards)
            .credits(8)
            .messageLength(messageLength)
            .maxValueLength(64 << 20)
            .leaseMs(10_000)
            .hugePages((short)0)
            .memory(1 << 30)
            .region(-8)
            .defaultTtlMs(9)
            .eviction(EvictionPolicy.DENSITY)
            .limit();
        channel.send(length, in(10));
    }

    private static void refuse(final MessageChannel channel, final RefusalCode code) throws IOException
    {
        channel.receive(in(10));
        channel.send(new RefusedEncoder()
            .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder())
            .code(code)
            .reason("a\nreason")
            .limit(), in(10));
    }

    @Test
    void shouldExchangeAllMessages() throws Exception
    {
        final CompletableFuture<String> seen = new CompletableFuture<>();
        play(channel ->
        {
            channel.receive(in(10));
            final HelloDecoder hello =
                new HelloDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
            final long resumed = hello.resumeSession();
            final String device = hello.device();
            final byte[] token = new byte[hello.tokenLength()];
            hello.getToken(token, 0, token.length);
            welcome(channel, 1, 8192);
            channel.receive(in(10));
            final List<Endpoint> endpoints = Endpoints.decode(
                new ConnectDecoder().wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()));
            seen.complete(device + resumed + new String(token, StandardCharsets.UTF_8) +
                endpoints.get(0).queuePairNumber());

            final ConnectedEncoder connected =
                new ConnectedEncoder().wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder());
            connected.directory(4096);
            Endpoints.encode(connected, endpoints);
            connected.segmentsCount(1).next().tableOffset(0).length(1L << 40).address(1L << 41).remoteKey(0xFFFF_FFFEL);
            channel.send(connected.limit(), in(10));
            channel.receive(in(10));
            channel.send(new ReadyEncoder()
                .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder()).limit(), in(10));
        });

        try (BootstrapConnection connection = new BootstrapConnection(address, null, in(10)))
        {
            final BootstrapConnection.Welcome welcome =
                connection.hello("shm", TOKEN, new SessionIdentity(-3, 5, 6, 7), Bootstrap.ALL_SHARDS);
            assertTrue(welcome.isResumed());
            assertEquals(-3, welcome.identity().serverLife());
            assertEquals(-8, welcome.memoryId());
            assertEquals("density", welcome.eviction());
            assertEquals(9, welcome.defaultTtlMs());
            assertEquals(8192, welcome.messageLength());

            final BootstrapConnection.Connected connected = connection.connect(List.of(ENDPOINT));
            assertEquals(7, connected.endpoints().get(0).queuePairNumber());
            assertArrayEquals(new byte[] {1, 2, 3}, connected.endpoints().get(0).deviceBytes());
            assertEquals(-2, connected.segments().at((1L << 40) - 1).remoteKey());
            assertEquals(4096, connected.segments().directory());
            connection.ready();
        }
        assertEquals("shm5sesame7", seen.get(10, TimeUnit.SECONDS));
    }

    @Test
    void shouldNotTakeAnotherSessionForTheOneToBeResumed() throws Exception
    {
        play(channel ->
        {
            channel.receive(in(10));
            welcome(channel, 2, 8192);
        });

        try (BootstrapConnection connection = new BootstrapConnection(address, null, in(10)))
        {
            final AttachFailedException failure = assertThrows(AttachFailedException.class, () ->
                connection.hello("shm", TOKEN, new SessionIdentity(-3, 8, 6, 7), Bootstrap.ALL_SHARDS));
            assertTrue(failure.getMessage().contains("resumed another session"), failure.getMessage());
        }
    }

    @Test
    void shouldNotAllocateWhateverAServerWelcomesItWith()
    {
        play(channel ->
        {
            channel.receive(in(10));
            welcome(channel, 64, 1 << 20);
        });
        final AttachFailedException failure = helloFails(in(10));

        assertEquals(AttachFailedException.Kind.PERMANENT, failure.kind());
        assertTrue(failure.getMessage().contains("too much memory"), failure.getMessage());
    }

    @Test
    void shouldNotListenToHeartbeatsForEver()
    {
        play(channel ->
        {
            channel.receive(in(10));
            try
            {
                while (true)
                {
                    final HeartbeatEncoder heartbeat = new HeartbeatEncoder()
                        .wrapAndApplyHeader(channel.outgoing(), 0, new MessageHeaderEncoder());
                    SessionTotals.NONE.write(heartbeat);
                    channel.send(heartbeat.limit(), in(10));
                }
            }
            catch (final IOException e)
            {
                // The client has heard enough.
            }
        });
        final AttachFailedException failure = helloFails(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300));

        assertEquals(AttachFailedException.Kind.TRANSIENT, failure.kind());
    }

    /** As a process that is stopped: the system takes the connection. */
    @Test
    @Timeout(120)
    void shouldNotWaitForTheAnswersOfAServerThatSaysNothing() throws Exception
    {
        try (BootstrapConnection connection = new BootstrapConnection(
            address, null, in(3600), System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200), null))
        {
            assertEquals(AttachFailedException.Kind.TRANSIENT, assertThrows(AttachFailedException.class, () ->
                connection.hello("shm", TOKEN, SessionIdentity.NONE, 0)).kind());
        }
    }

    @Test
    void shouldWaitForTheAnswersOfAServerThatHasSaidItsFirstWord() throws Exception
    {
        final CompletableFuture<Void> greeted = new CompletableFuture<>();
        play(channel ->
        {
            channel.greet();
            channel.flush();
            greeted.complete(null);
            channel.receive(in(10));
            welcome(channel, 2, 8192);
        });
        final long firstWordNs = in(1);
        try (BootstrapConnection connection = new BootstrapConnection(address, null, in(10), firstWordNs, null))
        {
            greeted.get(10, TimeUnit.SECONDS);
            while (System.nanoTime() - firstWordNs <= 0)
            {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertEquals(8192, connection.hello(
                "shm", TOKEN, new SessionIdentity(-3, 5, 6, 7), Bootstrap.ALL_SHARDS).messageLength());
        }
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception
    {
        listener.close();
        final AttachFailedException failure = helloFails(in(10));

        assertEquals(AttachFailedException.Kind.TRANSIENT, failure.kind());
        assertTrue(failure.getMessage().startsWith("nothing listens there"), failure.getMessage());
    }

    @Test
    void shouldTellAnotherProtocol()
    {
        play(channel -> channel.socket().write(
            ByteBuffer.wrap("SSH-2.0-OpenSSH_9.6\r\n".getBytes(StandardCharsets.US_ASCII))));
        final AttachFailedException failure = helloFails(in(10));

        assertEquals(AttachFailedException.Kind.PERMANENT, failure.kind());
        assertTrue(
            failure.getMessage().startsWith(address + " answers like SSH, not onesided; name"), failure.getMessage());
    }

    @Test
    void shouldTellThatADeviceListens()
    {
        play(channel -> channel.socket().write(
            ByteBuffer.wrap("MPA ID Rep Frame\0\0\0\0".getBytes(StandardCharsets.US_ASCII))));
        final AttachFailedException failure = helloFails(in(10));

        assertEquals(AttachFailedException.Kind.PERMANENT, failure.kind());
        assertTrue(failure.getMessage().contains("as devices tcp do on a port of their own"), failure.getMessage());
    }

    @Test
    void shouldSayWhenWhatListensHangsUp()
    {
        play(channel -> channel.receive(in(10)));
        final AttachFailedException failure = helloFails(in(10));

        assertTrue(failure.getMessage().contains("closed the connection"), failure.getMessage());
    }

    @Test
    void shouldTakeWhatGreetedAndResetsTheConnectionForABusyServer()
    {
        for (final boolean isGreeting : new boolean[]{true, false})
        {
            play(channel ->
            {
                if (isGreeting)
                {
                    channel.socket().write(MessageChannel.greeting());
                }
                channel.receive(in(10));
                channel.socket().setOption(StandardSocketOptions.SO_LINGER, 0);
            });
            assertEquals(isGreeting ? AttachFailedException.Kind.BUSY : AttachFailedException.Kind.CLOSED,
                helloFails(in(10)).kind());
            peer.join();
        }
    }

    @Test
    void shouldNotWaitBeyondTheDeadlineForAnAnswer()
    {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        play(channel -> done.orTimeout(20, TimeUnit.SECONDS).join());
        final AttachFailedException failure = helloFails(System.nanoTime() + 50_000_000);
        done.complete(null);

        assertEquals(AttachFailedException.Kind.TRANSIENT, failure.kind());
        assertTrue(failure.getMessage().contains("answers in time"), failure.getMessage());
    }

    @Test
    void shouldTellARefusedTokenWithoutShowingIt()
    {
        play(channel -> refuse(channel, RefusalCode.CREDENTIALS));
        final AttachFailedException failure = helloFails(in(10));

        assertEquals(AttachFailedException.Kind.CREDENTIALS, failure.kind());
        final StoreException thrown = failure.toStoreException(FailureContext.ofServer("host:1"));
        assertEquals(StoreAccessException.class, thrown.getClass());
        assertTrue(thrown.getMessage().endsWith("a reason: server=host:1"), thrown.getMessage());
        assertFalse(thrown.getMessage().contains("sesame"));
    }

    @Test
    void shouldTellWhatMayWorkLaterFromWhatWillNot()
    {
        play(channel -> refuse(channel, RefusalCode.CAPACITY));
        assertEquals(AttachFailedException.Kind.BUSY, helloFails(in(10)).kind());
        peer.join();

        play(channel -> refuse(channel, RefusalCode.VERSION));
        assertEquals(AttachFailedException.Kind.PERMANENT, helloFails(in(10)).kind());
    }

    @Test
    void shouldRejectAWelcomeOutOfRange()
    {
        play(channel ->
        {
            channel.receive(in(10));
            welcome(channel, 1, 100);
        });

        final AttachFailedException failure = helloFails(in(10));
        assertTrue(failure.getMessage().contains("messageLength=100"), failure.getMessage());
    }

    @Test
    void shouldTellAThreadThatIsInterrupted()
    {
        Thread.currentThread().interrupt();
        final AttachFailedException failure = helloFails(in(10));

        assertTrue(Thread.interrupted());
        assertEquals(AttachFailedException.Kind.INTERRUPTED, failure.kind());
    }
}
