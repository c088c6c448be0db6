package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.types.ShardStatistics;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.server.ServerException;
import org.onesided.server.StoreServer;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * One server, several devices: each client uses the best that it shares with the server, or the one that it was told.
 */
@Timeout(300)
class SeveralDevicesTest
{
    private static final String TCP = "tcp:127.0.0.1:0";
    private static final String IPV6_LOOPBACK = "::1";
    private static final int LARGE = 3 << 20;

    @Test
    void shouldServeClientsOverEachDeviceAtOnce()
    {
        try (TestStore store = new TestStore(TestStore.options().device("shm," + TCP));
            StoreClient shm = client(store, "shm");
            StoreClient tcp = client(store, "tcp");
            StoreClient auto = client(store, "auto");
            StoreClient ordered = client(store, "ibv,tcp,shm"))
        {
            final String device = store.server().device();
            assertTrue(device.matches("shm,tcp:127\\.0\\.0\\.1:[1-9][0-9]*"), device);
            assertEquals("shm", shm.server().device());
            assertEquals("tcp", tcp.server().device());
            assertEquals("shm", auto.server().device());
            assertEquals("tcp", ordered.server().device());
            for (int i = 0; i < 100; i++)
            {
                shm.put("shm-" + i, "s" + i);
                tcp.put("tcp-" + i, "t" + i);
                assertEquals("s" + i, tcp.get("shm-" + i));
                assertEquals("t" + i, shm.get("tcp-" + i));
                assertTrue(i % 2 == 0 || tcp.delete("shm-" + i));
                assertEquals(i % 2 == 0 ? "s" + i : null, shm.get("shm-" + i));
            }
            for (final StoreClient each : new StoreClient[]{shm, tcp})
            {
                final byte[] large = TestStore.randomBytes(LARGE, each.hashCode());
                each.put(TestStore.bytes("large"), large);
                assertArrayEquals(large, shm.get(TestStore.bytes("large")));
                assertArrayEquals(large, tcp.get(TestStore.bytes("large")));
            }
        }
    }

    @Test
    void shouldCountSessionsByDevice()
    {
        try (TestStore store = new TestStore(TestStore.options().device(TCP + ",shm"));
            StoreClient tcp = client(store, "tcp");
            StoreSession second = tcp.openSession();
            StoreClient auto = client(store, "auto"))
        {
            assertNull(second.get("absent"));
            for (final ShardStatistics shard : auto.statistics())
            {
                assertEquals(Map.of("tcp", 2L, "shm", 1L), shard.deviceSessions());
                assertEquals(3, shard.sessions());
            }
            assertEquals(Map.of("tcp", 2, "shm", 1), store.server().metrics().sessions().sessions());
            store.server().metrics().shards().forEach((shard) ->
                assertEquals(Map.of("tcp", 2L, "shm", 1L), shard.connections()));
        }
    }

    /** With no spinning the shard sleeps before each request. One that nobody wakes looks once a second. */
    @Test
    void shouldBeWokenByEachDevice()
    {
        try (TestStore store = new TestStore(TestStore.options().shards(1).spinNs(0).device("shm," + TCP));
            StoreClient shm = client(store, "shm");
            StoreClient tcp = client(store, "tcp"))
        {
            for (int i = 0; i < 400; i++)
            {
                shm.put("key", "s" + i);
                tcp.put("key", "t" + i);
                assertEquals("t" + i, shm.get("key"));
            }
        }
    }

    @Test
    void shouldServeOverTcpAloneWhereverTheBootstrapFoundTheServer()
    {
        try (TestStore store = new TestStore(TestStore.options().device("tcp"));
            StoreClient auto = client(store, "auto"))
        {
            final String device = store.server().device();
            assertTrue(device.matches("tcp:127\\.0\\.0\\.1:[1-9][0-9]*"), device);
            assertEquals("tcp", auto.server().device());
            auto.put("key", "value");
            assertEquals("value", auto.get("key"));
            final StoreConnectException none =
                assertThrows(StoreConnectException.class, () -> client(store, "shm").close());
            assertTrue(none.getMessage().contains("offers " + device + ", not the client's shm"), none.getMessage());
        }
    }

    @Test
    void shouldOpenAllThatAreNamedOrNone() throws Exception
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final String name = "tcp:127.0.0.1:" + taken.getLocalPort();
            final VerbsException refused = assertThrows(
                VerbsException.class, () -> StoreServer.start(TestStore.options().device("shm," + name)).close());
            assertTrue(refused.getMessage().contains(name), refused.getMessage());
            assertTrue(refused.getMessage().contains("of_devices=shm," + name), refused.getMessage());
            assertEquals(Errno.EADDRINUSE, refused.errno(), refused.getMessage());
        }
    }

    @Test
    void shouldTellThatTheServersPortIsItsOwnDevices() throws Exception
    {
        final int port = FreePorts.take();
        final String device = "tcp:127.0.0.1:" + port;
        final ServerException refused = assertThrows(ServerException.class,
            () -> StoreServer.start(TestStore.options().listenPort(port).device(device)).close());
        assertTrue(refused.getMessage().startsWith("cannot listen, the server's own device has this port, give it " +
            "another: address=127.0.0.1:" + port + " device=" + device), refused.getMessage());
    }

    @Test
    void shouldListenBeyondThisMachineWithATokenOnly()
    {
        final IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
            () -> StoreServer.start(TestStore.options().device("shm,tcp:0.0.0.0:0")).close());
        assertTrue(refused.getMessage().startsWith("without a token a device listens on this machine only: "),
            refused.getMessage());
        assertTrue(refused.getMessage().endsWith("device=tcp:0.0.0.0:0"), refused.getMessage());
    }

    @Test
    void shouldBeFoundWhereTheBootstrapWasIfItListensEverywhere()
    {
        try (TestStore store = new TestStore(
                TestStore.options().device("tcp:0.0.0.0:0").token(Token.of("secret")));
            StoreClient client = store.clientBuilder().device("tcp").token(TestStore.bytes("secret")).build())
        {
            client.put("key", "value");
            assertEquals("value", client.get("key"));
        }
    }

    @Test
    void shouldTakeIpv4OnlyAtTheAddressThatStandsForAllOfIt() throws Exception
    {
        assumeTrue(hasIpv6(), "no IPv6 here");
        try (TestStore store = new TestStore(TestStore.options()
            .listenHost("0.0.0.0").device("tcp:0.0.0.0:0").token(Token.of("secret"))))
        {
            final String device = store.server().device();
            assertThrows(ConnectException.class,
                () -> new Socket(IPV6_LOOPBACK, store.server().address().getPort()).close());
            assertThrows(ConnectException.class, () ->
                new Socket(IPV6_LOOPBACK, Integer.parseInt(device.substring(device.lastIndexOf(':') + 1))).close());
        }
    }

    @Test
    void shouldTellClientsThatReachTheServerWhyTheyDoNotReachItsDevice() throws Exception
    {
        assumeTrue(hasIpv6(), "no IPv6 here");
        try (TestStore store = new TestStore(TestStore.options()
            .listenHost(IPV6_LOOPBACK).device("tcp:0.0.0.0:0").token(Token.of("secret"))))
        {
            final String device = store.server().device();
            final StoreConnectException unreachable = assertThrows(StoreConnectException.class,
                () -> StoreClient.builder().server("[::1]:" + store.server().address().getPort()).device("tcp")
                    .token(TestStore.bytes("secret")).deadline(Duration.ofSeconds(HangGuard.seconds(20))).build()
                    .close());
            final String expected = "connected, but READs fail: queue pair failed, peer's device tcp cannot be " +
                "reached, open its port there and on the way: address=[0:0:0:0:0:0:0:1]" +
                device.substring(device.lastIndexOf(':')) + " cause=\"";
            assertTrue(unreachable.getMessage().contains(expected), unreachable.getMessage());
        }
    }

    @Test
    void shouldTellWhyTheDeviceIsNotReachedThoughTheDeadlineIsShort() throws Exception
    {
        assumeTrue(hasIpv6(), "no IPv6 here");
        try (TestStore store = new TestStore(TestStore.options()
                .listenHost(IPV6_LOOPBACK).device("tcp:0.0.0.0:0").token(Token.of("secret")));
            ServerSocket mute = new ServerSocket())
        {
            final String device = store.server().device();
            final int port = Integer.parseInt(device.substring(device.lastIndexOf(':') + 1));
            mute.bind(new InetSocketAddress(IPV6_LOOPBACK, port));
            final String expected = "deadline passed, peer's device tcp was reached and did not take the connection: " +
                "address=[0:0:0:0:0:0:0:1]:" + port + " cause=\"no answer\"";
            final long endNs = System.nanoTime() + HangGuard.nanos(60);
            String message = "";
            while (!message.contains(expected))
            {
                final String last = message;
                // A machine with much to do may have no time left for the READs.
                assertTrue(System.nanoTime() - endNs < 0, () -> last);
                message = assertThrows(StoreConnectException.class,
                    () -> StoreClient.builder().server("[::1]:" + store.server().address().getPort()).device("tcp")
                        .token(TestStore.bytes("secret")).deadline(Duration.ofSeconds(2)).build().close())
                    .getMessage();
            }
        }
    }

    private static boolean hasIpv6()
    {
        try (ServerSocket any = new ServerSocket())
        {
            any.bind(new InetSocketAddress(IPV6_LOOPBACK, 0));
            return true;
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    private static StoreClient client(final TestStore store, final String device)
    {
        return store.clientBuilder().device(device).build();
    }
}
