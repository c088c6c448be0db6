package org.onesided.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.codec.ConnectEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.ReadyEncoder;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.CompletionStatus;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileHandshakeTest
{
    private final List<AutoCloseable> opened = new ArrayList<>();
    private StoreServer server;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
        server.close();
    }

    @Test
    void shouldRefuseAnotherProtocol() throws IOException
    {
        start(new ServerOptions());
        final TestBootstrap stranger = stranger();
        stranger.channel().socket().write(ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII)));
        assertEquals(RefusalCode.PROTOCOL, stranger.refusal().code());
        assertClosed(stranger);
        assertServes();
    }

    @Test
    void shouldRefuseRandomBytes() throws IOException
    {
        start(new ServerOptions());
        final Random random = new Random(7);
        for (int i = 0; i < 50; i++)
        {
            final byte[] garbage = new byte[8 + random.nextInt(5000)];
            random.nextBytes(garbage);
            final TestBootstrap stranger = stranger();
            stranger.channel().socket().write(ByteBuffer.wrap(garbage));
            assertEquals(RefusalCode.PROTOCOL, stranger.refusal().code());
        }
        assertServes();
    }

    @Test
    void shouldRefuseAHelloThatIsTooLongBeforeItArrives() throws IOException
    {
        start(new ServerOptions());
        final TestBootstrap stranger = stranger();
        stranger.channel().outgoing();
        stranger.channel().commit(Bootstrap.MAX_HELLO_LENGTH + 1);
        stranger.channel().flush();
        assertEquals(RefusalCode.PROTOCOL, stranger.refusal().code());
    }

    @Test
    void shouldRefuseAnotherVersion() throws IOException
    {
        start(new ServerOptions());
        final TestBootstrap stranger = stranger();
        stranger.sendHello(Bootstrap.VERSION + 1, "shm", "", null);
        final TestBootstrap.Refusal refusal = stranger.refusal();
        assertEquals(RefusalCode.VERSION, refusal.code());
        assertTrue(refusal.reason().contains("version " + Bootstrap.VERSION), refusal.reason());
        assertClosed(stranger);
    }

    @Test
    void shouldRefuseAnotherDevice() throws IOException
    {
        start(new ServerOptions());
        final TestBootstrap stranger = stranger();
        stranger.sendHello(Bootstrap.VERSION, "ibv", "", null);
        final TestBootstrap.Refusal refusal = stranger.refusal();
        assertEquals(RefusalCode.DEVICE, refusal.code());
        assertTrue(refusal.reason().contains("shm"), refusal.reason());
    }

    @Test
    void shouldRefuseEveryTokenButItsOwn() throws IOException
    {
        start(new ServerOptions().token(Token.of("secret")));
        for (final String token : new String[]{"", "secre", "secrets", "SECRET"})
        {
            final TestBootstrap stranger = stranger();
            stranger.sendHello(Bootstrap.VERSION, "shm", token, null);
            assertEquals(RefusalCode.CREDENTIALS, stranger.refusal().code());
        }
        final TestBootstrap friend = stranger();
        assertEquals(1, friend.hello(Bootstrap.VERSION, "shm", "secret", null).shards());
    }

    @Test
    void shouldCheckTheTokenBeforeItTellsItsDevice() throws IOException
    {
        start(new ServerOptions().token(Token.of("secret")));
        final TestBootstrap stranger = stranger();
        stranger.sendHello(Bootstrap.VERSION, "other", "wrong", null);
        assertEquals(RefusalCode.CREDENTIALS, stranger.refusal().code());
    }

    @Test
    void shouldRefuseMessagesOutOfOrder() throws IOException
    {
        start(new ServerOptions());
        final MessageHeaderEncoder header = new MessageHeaderEncoder();
        final TestBootstrap early = stranger();
        early.channel().send(
            new ReadyEncoder().wrapAndApplyHeader(early.channel().outgoing(), 0, header).limit(), deadline());
        assertEquals(RefusalCode.PROTOCOL, early.refusal().code());

        final TestBootstrap twice = stranger();
        twice.hello(null);
        twice.sendHello(Bootstrap.VERSION, "shm", "", null);
        assertEquals(RefusalCode.PROTOCOL, twice.refusal().code());

        final TestBootstrap heartbeat = stranger();
        heartbeat.heartbeat();
        assertEquals(RefusalCode.PROTOCOL, heartbeat.refusal().code());
    }

    @Test
    void shouldRefuseAWrongNumberOfEndpoints() throws IOException
    {
        start(new ServerOptions());
        final TestBootstrap stranger = stranger();
        stranger.hello(null);
        final ConnectEncoder connect = new ConnectEncoder().wrapAndApplyHeader(
            stranger.channel().outgoing(), 0, new MessageHeaderEncoder());
        connect.endpointsCount(0);
        stranger.channel().send(connect.limit(), deadline());
        assertEquals(RefusalCode.PROTOCOL, stranger.refusal().code());
        awaitSessions(0);
    }

    @Test
    void shouldRefuseEndpointsThatLeadNowhere() throws IOException
    {
        start(new ServerOptions());
        final TestBootstrap stranger = stranger();
        stranger.hello(null);
        stranger.connectToNowhere();
        assertEquals(RefusalCode.INTERNAL, stranger.refusal().code());
        awaitSessions(0);
        assertServes();
    }

    @Test
    void shouldServeOthersWhileManyKeepSilent() throws IOException
    {
        start(new ServerOptions().maxHandshakes(8));
        for (int i = 0; i < 40; i++)
        {
            final TestBootstrap silent = stranger();
            if (i % 2 == 0)
            {
                silent.channel().socket().write(ByteBuffer.wrap(new byte[]{40, 0}));
            }
        }
        assertServes();
    }

    @Test
    void shouldServeOthersWhileManyStopAfterTheirHello() throws IOException
    {
        start(new ServerOptions().maxHandshakes(4).handshakeTimeoutNs(TimeUnit.SECONDS.toNanos(4)));
        final List<TestBootstrap> stalled = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            stalled.add(stranger());
            stalled.get(i).hello(null);
        }
        assertServes();
        final TestBootstrap.Refusal refusal = stalled.get(0).refusal();
        assertEquals(RefusalCode.CAPACITY, refusal.code());
        // It gave way before its own deadline.
        assertTrue(refusal.reason().contains("max-handshakes=4"), refusal.reason());
    }

    @Test
    void shouldCutAHandshakeThatTakesTooLong() throws IOException
    {
        // Long enough for a hello on a busy machine.
        start(new ServerOptions().handshakeTimeoutNs(TimeUnit.SECONDS.toNanos(1)));
        final TestBootstrap silent = stranger();
        final TestBootstrap half = stranger();
        half.hello(null);
        assertEquals(RefusalCode.CAPACITY, silent.refusal().code());
        assertEquals(RefusalCode.CAPACITY, half.refusal().code());
        awaitSessions(0);
        assertServesInTheEnd();
    }

    @Test
    void shouldCutAClientThatDripsItsHello() throws IOException
    {
        start(new ServerOptions().handshakeTimeoutNs(TimeUnit.MILLISECONDS.toNanos(300)));
        final TestBootstrap slow = stranger();
        final SocketChannel socket = slow.channel().socket();
        final ByteBuffer header = ByteBuffer.wrap(new byte[]{(byte)200, 0, 0, 0, 0x31, 0x53, 0x4B, 0x56});
        socket.write(header);
        assertThrows(IOException.class, () ->
        {
            while (slow.channel().poll() == 0)
            {
                socket.write(ByteBuffer.wrap(new byte[1]));
                TimeUnit.MILLISECONDS.sleep(10);
            }
            throw new IOException("refused: " + slow.refusal());
        });
        assertServesInTheEnd();
    }

    @Test
    void shouldForgetClientsThatLeaveAmidTheHandshake() throws IOException
    {
        start(new ServerOptions());
        for (int i = 0; i < 20; i++)
        {
            try (TestBootstrap quitter = new TestBootstrap(server.address()))
            {
                if (i % 2 == 0)
                {
                    quitter.hello(null);
                }
            }
        }
        awaitSessions(0);
        assertServes();
    }

    @Test
    void shouldRefuseMoreSessionsThanItHasRoomFor() throws IOException
    {
        start(new ServerOptions().maxSessions(2));
        final TestClient first = opened(TestClient.connected(server));
        opened(TestClient.connected(server));
        final TestBootstrap third = stranger();
        third.sendHello(Bootstrap.VERSION, "shm", "", null);
        assertEquals(RefusalCode.CAPACITY, third.refusal().code());

        first.bootstrap().sayGoodbye();
        awaitSessions(1);
        assertServes();
    }

    @Test
    void shouldGiveTheOldestOrphansPlaceToANewSession() throws IOException
    {
        start(new ServerOptions().maxSessions(2).leaseNs(TimeUnit.MINUTES.toNanos(5)));
        final TestClient staying = opened(TestClient.connected(server));
        final TestClient lost = TestClient.connected(server);
        lost.close();
        while (staying.stat(0).sessions() != 1)
        {
            Thread.yield();
        }
        TestClient next = null;
        while (next == null)
        {
            try
            {
                next = opened(TestClient.connected(server));
            }
            catch (final IOException e)
            {
                // The shard has ended the lost one, but the acceptor may not have heard of it.
                assertTrue(e.getMessage().contains("CAPACITY"), e.getMessage());
            }
        }
        assertEquals(Status.OK, next.put("key", new byte[1]).status());
        assertEquals(Status.OK, staying.put("key", new byte[1]).status());
        assertEquals(2, server.sessionCount());
    }

    @Test
    void shouldEndASessionThatBreaksTheProtocolOnItsLifeLine() throws IOException
    {
        start(new ServerOptions());
        final TestClient client = opened(TestClient.connected(server));
        client.bootstrap().channel().socket().write(ByteBuffer.wrap("no frame at all".getBytes(US_ASCII)));
        assertTrue(client.bootstrap().goodbye().contains("another protocol"));
        final TestClient other = opened(TestClient.connected(server));
        while (other.stat(0).sessions() != 1)
        {
            Thread.yield();
        }
        client.post(0, 1);
        assertEquals(CompletionStatus.RETRY_EXC_ERR, client.awaitFailure());
        assertServes();
    }

    private void assertServes() throws IOException
    {
        try (TestClient client = TestClient.connected(server))
        {
            assertEquals(Status.OK, client.put("served", new byte[]{1}).status());
            assertFalse(client.welcome().isResumed());
            client.bootstrap().sayGoodbye();
        }
    }

    /** On a busy machine the short time may be too short for friends, too. */
    private void assertServesInTheEnd()
    {
        boolean isServed = false;
        while (!isServed)
        {
            try
            {
                assertServes();
                isServed = true;
            }
            catch (final IOException e)
            {
                // Cut, at whatever step it was.
                Thread.yield();
            }
        }
    }

    private static void assertClosed(final TestBootstrap stranger)
    {
        assertThrows(EOFException.class, () -> stranger.channel().receive(deadline()));
    }

    private void awaitSessions(final int count)
    {
        while (server.sessionCount() != count)
        {
            Thread.yield();
        }
    }

    private TestBootstrap stranger() throws IOException
    {
        return opened(new TestBootstrap(server.address()));
    }

    private void start(final ServerOptions options)
    {
        server = StoreServer.start(options.listenPort(0).memory(16 << 20));
    }

    private static long deadline()
    {
        return TestBootstrap.deadline();
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }
}
