package org.onesided.endtoend.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.AsyncEvent;

/**
 * Asynchronous events end the sessions that they concern, with their reason, and those come back when they can.
 */
@Timeout(300)
class AsyncEventTest
{
    /** Only a hang meets it. */
    private static final long GUARD_NS = TimeUnit.SECONDS.toNanos(30);

    private final ScriptedDevice serverDevice = ScriptedDevice.anew("server");
    private final ScriptedDevice clientDevice = ScriptedDevice.anew("client");
    private final CountDownLatch failed = new CountDownLatch(1);
    private final StoreServer server = StoreServer.start(new ServerOptions()
        .listenPort(0).memory(16 << 20).shards(2).device("scripted:server").onFailure(failed::countDown));
    private final StoreClient client = client(Duration.ofSeconds(20));

    @AfterEach
    void close()
    {
        client.close();
        server.close();
        assertFalse(threads("device-events"));
    }

    @Test
    void shouldReconnectAfterTheServersQueuePairFailed()
    {
        client.put("key", "value");
        serverDevice.failAllQueuePairs();
        awaitReconnect();
        assertEquals("value", client.get("key"));
        assertNull(server.failure());
    }

    @Test
    void shouldReconnectAfterTheClientsQueuePairFailed()
    {
        client.put("key", "value");
        clientDevice.failAllQueuePairs();
        awaitReconnect();
        assertEquals("value", client.get("key"));
    }

    @Test
    void shouldEndNoSessionByAnEventOfAnEarlierQueuePair()
    {
        client.put("key", "value");
        clientDevice.failQueuePairsOfBefore();
        serverDevice.failQueuePairsOfBefore();
        clientDevice.awaitAllHeard();
        serverDevice.awaitAllHeard();
        for (int i = 0; i < 100; i++)
        {
            client.put("key", "value" + i);
        }
        assertEquals(0, client.clientStatistics().reconnects());
    }

    @Test
    void shouldServeOthersWhileOneClientsQueuePairIsBeingConnected() throws Exception
    {
        client.put("key", "value");
        final CountDownLatch release = serverDevice.holdConnection();
        try
        {
            final FutureTask<String> get = new FutureTask<>(() ->
            {
                try (StoreClient slow = client(Duration.ofSeconds(20)))
                {
                    return slow.get("key");
                }
            });
            new Thread(get, "slow-client").start();
            serverDevice.awaitHeld();
            try (StoreClient other = client(Duration.ofSeconds(20)))
            {
                assertEquals("value", other.get("key"));
            }
            client.put("key", "other value");
            assertFalse(get.isDone());
            release.countDown();
            assertEquals("other value", get.get());
        }
        finally
        {
            release.countDown();
        }
    }

    @Tag("full")
    @Test
    void shouldDestroyQueuePairsThatWereConnectedForAClientThatHasLeft() throws InterruptedException
    {
        client.put("key", "value");
        final CountDownLatch release = serverDevice.holdConnection();
        try
        {
            assertThrows(StoreException.class, () -> client(Duration.ofMillis(300)).close());
            serverDevice.awaitHeld();
            final Thread closer = new Thread(server::close, "closer");
            closer.start();
            while (threads("store-acceptor"))
            {
                Thread.onSpinWait();
            }
            release.countDown();
            closer.join();
        }
        finally
        {
            release.countDown();
        }
        assertEquals(0, serverDevice.openQueuePairs());
        assertFalse(threads("store-connector"));
    }

    @Test
    void shouldTellUsersWhyAQueuePairFailed()
    {
        try (StoreClient hasty = client(Duration.ofSeconds(HangGuard.seconds(2))))
        {
            hasty.put("key", "value");
            clientDevice.losePortSilently();
            clientDevice.failAllQueuePairs();
            assertFails(hasty, "event=QP_FATAL");
        }
    }

    @Test
    void shouldEndSessionsWhenTheServersPortGoesDownAndTakeThemWhenItIsUp()
    {
        try (StoreClient hasty = client(Duration.ofSeconds(HangGuard.seconds(2))))
        {
            hasty.put("key", "value");
            serverDevice.portDown();
            // Depending on what comes first: that it went down, or that nothing can be connected.
            assertFails(hasty, "device=scripted:server");
            final StoreConnectException refused =
                assertThrows(StoreConnectException.class, () -> client(Duration.ofSeconds(20)).close());
            assertTrue(refused.getMessage().contains("port1=DOWN"), refused.getMessage());
            serverDevice.portUp();
            assertEquals("value", client.get("key"));
            assertEquals("value", hasty.get("key"));
        }
    }

    @Test
    void shouldFailWhileTheClientsPortIsDownAndGoOnWhenItIsUp()
    {
        try (StoreClient hasty = client(Duration.ofSeconds(HangGuard.seconds(2))))
        {
            hasty.put("key", "value");
            clientDevice.portDown();
            assertFails(hasty, "port down: port=1 device=scripted:client", "port1=DOWN");
            clientDevice.portUp();
            assertEquals("value", hasty.get("key"));
        }
    }

    @Test
    void shouldStopTheServerWhenACompletionQueueFails() throws InterruptedException
    {
        client.put("key", "value");
        serverDevice.failCompletionQueue(1);
        assertTrue(failed.await(30, TimeUnit.SECONDS));
        assertTrue(server.failure().getMessage().contains("event=CQ_ERR"), server.failure().getMessage());
        awaitEndOfServer();
    }

    @Test
    void shouldReconnectAfterTheClientsCompletionQueueFailed()
    {
        client.put("key", "value");
        clientDevice.failCompletionQueue(0);
        awaitReconnect();
        assertEquals("value", client.get("key"));
    }

    @Test
    void shouldStopTheServerWhenItsDeviceFails() throws InterruptedException
    {
        try (StoreClient hasty = client(Duration.ofSeconds(HangGuard.seconds(2))))
        {
            hasty.put("key", "value");
            serverDevice.raise(AsyncEvent.Type.DEVICE_FATAL, 0);
            assertTrue(failed.await(30, TimeUnit.SECONDS));
            assertEquals(
                "device failed: event=DEVICE_FATAL device=scripted:server", server.failure().getMessage());
            awaitEndOfServer();
            assertFails(hasty, "device failed: event=DEVICE_FATAL device=scripted:server");
        }
    }

    @Test
    void shouldFailAtOnceAfterTheClientsDeviceFailed()
    {
        client.put("key", "value");
        clientDevice.raise(AsyncEvent.Type.DEVICE_FATAL, 0);
        assertFails(client, "device failed: event=DEVICE_FATAL device=scripted:client", "start anew");
        try (StoreClient other = client(Duration.ofSeconds(20)))
        {
            assertEquals("value", other.get("key"));
        }
    }

    private void awaitReconnect()
    {
        final long endNs = System.nanoTime() + GUARD_NS;
        while (client.clientStatistics().reconnects() == 0)
        {
            client.get("absent");
            assertTrue(System.nanoTime() - endNs < 0, "never reconnected");
        }
    }

    private static void awaitEndOfServer()
    {
        final long endNs = System.nanoTime() + GUARD_NS;
        while (threads("store-"))
        {
            Thread.onSpinWait();
            assertTrue(System.nanoTime() - endNs < 0, "server never ended");
        }
    }

    /** The event is underway: an operation or two may be faster, or find its effects before they are told. */
    private static void assertFails(final StoreClient client, final String... parts)
    {
        final long endNs = System.nanoTime() + GUARD_NS;
        String message = "";
        while (!Stream.of(parts).allMatch(message::contains))
        {
            assertTrue(System.nanoTime() - endNs < 0, message);
            try
            {
                client.get("absent");
            }
            catch (final StoreException e)
            {
                message = e.getMessage();
            }
        }
    }

    private static boolean threads(final String part)
    {
        return Thread.getAllStackTraces().keySet().stream().anyMatch((thread) -> thread.getName().contains(part));
    }

    private StoreClient client(final Duration deadline)
    {
        return StoreClient.builder()
            .server("127.0.0.1:" + server.address().getPort())
            .device("scripted:client")
            .deadline(deadline)
            .build();
    }
}
