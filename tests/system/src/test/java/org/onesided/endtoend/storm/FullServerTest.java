package org.onesided.endtoend.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.StoreOperations;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.endtoend.faults.ScrapedMetric;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.ServerProcess;

/**
 * A server that has no room left when a client that lost its connection comes back.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullServerTest
{
    private static final int REFUSALS = 4;
    private static final String KEY = "key";

    private ServerProcess server;
    private CuttingProxy proxy;

    @BeforeEach
    void start() throws Exception
    {
        server = ServerProcess.start("--memory", "64m", "--max-sessions", "1", "--metrics", "127.0.0.1:0");
        proxy = new CuttingProxy(Integer.parseInt(server.address().substring(server.address().lastIndexOf(':') + 1)));
    }

    @AfterEach
    void stop() throws Exception
    {
        proxy.close();
        server.close();
    }

    private static StoreClientBuilder builder(final String address)
    {
        return StoreClient.builder().server(address).device("shm").maxSessions(1).deadline(Duration.ofMinutes(4));
    }

    private long refused()
    {
        return ScrapedMetric.sum(server.metricsAddress(), "onesided_handshakes_refused_total");
    }

    /** Cuts the client's connection, and has another one take its session's place. */
    private StoreClient replace(final StoreClient client)
    {
        client.put(KEY, "value");
        assertEquals(1, proxy.cut());
        return builder(server.address()).build();
    }

    @Test
    void shouldLetAClientReconnectAsSoonAsThereIsRoomAgain() throws Exception
    {
        try (StoreClient client = builder(proxy.address()).build())
        {
            final FutureTask<String> lookup = new FutureTask<>(() -> client.get(KEY));
            try (StoreClient other = replace(client))
            {
                final long before = refused();
                final Thread thread = new Thread(lookup, "reconnecting");
                thread.setDaemon(true);
                thread.start();
                while (refused() < before + REFUSALS && !lookup.isDone())
                {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
                assertFalse(lookup.isDone());
                assertEquals("value", other.get(KEY));
            }
            assertEquals("value", lookup.get());
            assertEquals(1, client.clientStatistics().reconnects());
        }
    }

    @Tag("full")
    @Test
    void shouldNameTheLimitWhereThereIsNoRoomByTheDeadline()
    {
        try (StoreClient client = builder(proxy.address()).build();
            StoreClient other = replace(client))
        {
            final long before = refused();
            final StoreOperations brief = client.within(Duration.ofSeconds(2));
            String message;
            do
            {
                message = assertThrows(StoreDisconnectedException.class, () -> brief.get(KEY)).getMessage();
            }
            // A machine with much to do may leave no time for an answer.
            while (!message.contains("server has no room now: "));
            assertTrue(message.contains("did not come back in time: server has no room now: "), message);
            assertTrue(message.contains("max-sessions=1"), message);
            assertTrue(refused() > before);
            assertEquals("value", other.get(KEY));
        }
    }
}
