package org.onesided.endtoend.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.verbs.AsyncEvent;

/**
 * A server with several devices, one of which fails, is full, or finds no way to its clients.
 */
@Timeout(300)
class LostDeviceTest
{
    private static final String TCP = "tcp:127.0.0.1:0";
    /** How long a client keeps asking a full device for a session. */
    private static final Duration UNTIL_IT_IS_SURE = Duration.ofSeconds(2);

    private final ScriptedDevice serverDevice = ScriptedDevice.anew("server");
    private final ScriptedDevice clientDevice = ScriptedDevice.anew("client");

    @AfterEach
    void preferNothing()
    {
        ScriptedDevice.prefer(null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnOverTheOtherDevice(final boolean isCompletionQueue)
    {
        try (StoreServer server = server(4);
            StoreClient lost = client(server, "scripted:client");
            StoreClient tcp = client(server, "tcp"))
        {
            lost.put("key", "value");
            assertEquals("value", tcp.get("key"));
            if (isCompletionQueue)
            {
                serverDevice.failCompletionQueue(0);
            }
            else
            {
                serverDevice.raise(AsyncEvent.Type.DEVICE_FATAL, 0);
            }
            serverDevice.awaitAllHeard();
            awaitRefusal(lost);
            for (int i = 0; i < 100; i++)
            {
                tcp.put("key-" + i, "value-" + i);
                assertEquals("value-" + i, tcp.get("key-" + i));
            }
            assertTrue(server.isServing());
            assertNull(server.failure());
            final StoreConnectException refused =
                assertThrows(StoreConnectException.class, () -> client(server, "scripted:client").close());
            assertTrue(refused.getMessage().contains(
                "scripted:server has failed at the server, which goes on with tcp:127.0.0.1:"), refused.getMessage());
            ScriptedDevice.prefer(clientDevice);
            try (StoreClient auto = client(server, "auto"))
            {
                assertEquals("tcp", auto.server().device());
                assertEquals("value", auto.get("key"));
                assertEquals(0, auto.statistics().get(0).deviceSessions().get("scripted"));
            }
        }
    }

    @Test
    void shouldTakeTheNextDeviceWhereTheBestFindsNoWay()
    {
        ScriptedDevice.prefer(clientDevice);
        try (StoreServer server = server(4))
        {
            try (StoreClient first = client(server, "auto"))
            {
                assertEquals("scripted:client", first.server().device());
            }
            serverDevice.losePortSilently();
            serverDevice.awaitAllHeard();
            try (StoreClient second = client(server, "auto"))
            {
                assertEquals("tcp", second.server().device());
            }
            final StoreConnectException told =
                assertThrows(StoreConnectException.class, () -> client(server, "scripted:client").close());
            assertTrue(told.getMessage().contains("queue pairs could not be connected"), told.getMessage());
        }
    }

    @Test
    void shouldHoldEachDeviceToItsOwnRoom()
    {
        serverDevice.limitQueuePairs(2);
        try (StoreServer server = server(4);
            StoreClient first = client(server, "scripted:client", UNTIL_IT_IS_SURE);
            StoreSession second = first.openSession())
        {
            final StoreException full = assertThrows(StoreException.class, first::openSession);
            assertTrue(full.getMessage().contains("no room for another session"), full.getMessage());
            try (StoreClient tcp = client(server, "tcp", UNTIL_IT_IS_SURE);
                StoreSession fourth = tcp.openSession())
            {
                assertEquals(Map.of("scripted", 2, "tcp", 2), server.metrics().sessions().sessions());
                assertThrows(StoreException.class, tcp::openSession, "the server's own limit");
                assertNull(fourth.get("absent"));
            }
            assertNull(second.get("absent"));
        }
    }

    private static void awaitRefusal(final StoreClient client)
    {
        while (true)
        {
            try
            {
                // A READ may succeed until the client has heard that its session ended.
                client.get("key");
            }
            catch (final StoreException e)
            {
                assertTrue(e.getMessage().contains("failed"), e.getMessage());
                return;
            }
        }
    }

    private static StoreServer server(final int maxSessions)
    {
        return StoreServer.start(new ServerOptions().listenPort(0).memory(16 << 20).shards(1).maxSessions(maxSessions)
            .device("scripted:server," + TCP));
    }

    private static StoreClient client(final StoreServer server, final String device)
    {
        return client(server, device, Duration.ofSeconds(20));
    }

    private static StoreClient client(final StoreServer server, final String device, final Duration deadline)
    {
        return StoreClient.builder().server("127.0.0.1:" + server.address().getPort()).device(device)
            .deadline(deadline).build();
    }
}
