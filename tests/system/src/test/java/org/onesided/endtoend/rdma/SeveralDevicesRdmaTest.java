package org.onesided.endtoend.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;

/**
 * A server with all three devices: one region, registered with a card, too, and one thread per shard that sleeps for
 * all.
 */
@Tag("rdma")
@Timeout(600)
class SeveralDevicesRdmaTest
{
    private static final String OTHERS = "shm,tcp:127.0.0.1:0";
    /** Waits for an acknowledgement for 4 s, eight times: the machine below may have much else to do. */
    private static final ConnectionOptions PATIENT =
        ConnectionOptions.defaults(Access.REMOTE_READ).timeout(20, 7);

    @Test
    void shouldServeOverRdmaSharedMemoryAndTcpAtOnce()
    {
        final Duration patience = Duration.ofSeconds(HangGuard.seconds(60));
        try (StoreServer server = StoreServer.start(new ServerOptions().listenPort(0).memory(16 << 20).shards(1)
            .spinNs(0).handshakeTimeoutNs(patience.toNanos()).connection(PATIENT).device("ibv," + OTHERS));
            StoreClient auto = client(server, "auto", patience);
            StoreClient shm = client(server, "shm", patience);
            StoreClient tcp = client(server, "tcp", patience))
        {
            final String card = server.device().substring(0, server.device().indexOf(','));
            assertTrue(server.device().matches(card + ",shm,tcp:127\\.0\\.0\\.1:[1-9][0-9]*"), server.device());
            assertTrue(auto.server().device().startsWith("ibv:"), auto.server().device());
            final String large = "x".repeat(300_000);
            final StoreClient[] all = {auto, shm, tcp};
            for (int i = 0; i < 20; i++)
            {
                for (final StoreClient writer : all)
                {
                    writer.put("key", "value-" + i);
                    for (final StoreClient reader : all)
                    {
                        assertEquals("value-" + i, reader.get("key"));
                    }
                }
            }
            for (final StoreClient each : all)
            {
                each.put("large", large);
                assertEquals(large, each.get("large"));
                assertTrue(each.delete("large"));
            }
            assertEquals(Map.of("ibv", 1L, "shm", 1L, "tcp", 1L),
                auto.statistics().get(0).deviceSessions());
        }
    }

    private static StoreClient client(final StoreServer server, final String device, final Duration deadline)
    {
        return StoreClient.builder().server("127.0.0.1:" + server.address().getPort()).device(device)
            .connection(PATIENT).deadline(deadline).build();
    }
}
