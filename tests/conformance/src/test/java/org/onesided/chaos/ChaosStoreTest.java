package org.onesided.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.testing.HangGuard;
import org.onesided.testing.LoggedErrors;

/**
 * A store whose device does all that verbs may do, on both sides.
 */
@Timeout(300)
class ChaosStoreTest
{
    private static final String DEVICES_PROPERTY = "onesided.chaos.device";
    private static final int OPERATIONS = Integer.getInteger("onesided.chaos.operations", 600);
    private static final int THREADS = 3;

    @RegisterExtension
    final LoggedErrors errors = new LoggedErrors();

    @ParameterizedTest
    @ValueSource(longs = 1)
    void shouldGiveRightAnswersOnly(final long seed) throws Exception
    {
        final String wrapped = System.getProperty(DEVICES_PROPERTY, "shm");
        final String serverDevice = "chaos:" + seed + "/lose=500:" + wrapped;
        final String clientDevice = "chaos:" + (seed + 100) + "/lose=500/replay=3/stall=6:" + wrapped;
        final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try (StoreServer server = StoreServer.start(new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(64L << 20).shards(2).device(serverDevice));
            StoreClient client = StoreClient.builder()
                .server("127.0.0.1:" + server.address().getPort())
                .device(clientDevice)
                .deadline(Duration.ofSeconds(HangGuard.seconds(60)))
                .build())
        {
            final OwnedKeys keys = new OwnedKeys(THREADS, 8);
            final List<OwnedKeys.Owner> owners = new ArrayList<>();
            final List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < THREADS; i++)
            {
                final OwnedKeys.Owner owner = keys.new Owner(client, i, seed);
                owners.add(owner);
                futures.add(executor.submit(() -> owner.work(OPERATIONS)));
            }
            for (final Future<?> future : futures)
            {
                future.get(HangGuard.seconds(240), TimeUnit.SECONDS);
            }
            owners.forEach(OwnedKeys.Owner::expectAll);

            final ClientStatistics statistics = client.clientStatistics();
            final Faults ofServer = ChaosDevice.faults(serverDevice);
            final Faults ofClient = ChaosDevice.faults(clientDevice);
            System.out.println("chaos: seed=" + seed + " operations=" + THREADS * OPERATIONS + " " + statistics +
                " server=" + ofServer + " client=" + ofClient);
            assertEquals(
                owners.stream().mapToLong(OwnedKeys.Owner::puts).sum(),
                client.statistics().stream().mapToLong(ShardStatistics::puts).sum(),
                "puts that took effect, once each");
            assertTrue(ofClient.count(Faults.Kind.MIXED) > 0, ofClient::toString);
            assertTrue(statistics.retries() > 0, statistics::toString);
            assertTrue(statistics.reconnects() > 0, statistics::toString);
            assertTrue(ofServer.count(Faults.Kind.LOSE) > 0, ofServer::toString);
            assertTrue(ofServer.count(Faults.Kind.SLOW) > 0, ofServer::toString);
            assertTrue(ofClient.count(Faults.Kind.OVERTAKE) > 0, ofClient::toString);
        }
        finally
        {
            executor.shutdownNow();
        }
    }
}
