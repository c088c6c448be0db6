package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.StoreClient;
import org.onesided.testing.TestSize;

/**
 * Clients that stand still (SIGSTOP) while their connections stay: one at work, and one in each phase.
 */
@Timeout(600)
class StoppedClientsTest
{
    private static final String SERVER_DEVICE = "chaos:1/calm/split=1/stall=1/stallUs=200000:";
    private static final String CLIENT_DEVICE = "chaos:3/calm:";

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    // A client that works must keep a short lease, for which its heartbeats must go out in time.
    @Tag("timing")
    @ParameterizedTest
    @MethodSource("devices")
    void shouldServeOthersAndReapTheStoppedOnesAfterTheirLease(final String wrapped) throws Exception
    {
        final String device = CLIENT_DEVICE + wrapped;
        try (FaultyServer server = new FaultyServer("--memory", "64m", "--device",
            FaultyServer.listening(SERVER_DEVICE + wrapped), "--lease", "6s", "--handshake-timeout", "60s", "--shards",
            "2");
            StoreClient healthy = server.friend(device))
        {
            try (StoreClient first = server.client(device).build())
            {
                first.put("healthy", "value");
            }
            awaitSessions(healthy, 1);
            final Holdings before = server.holdings();

            final List<String> halting = new ArrayList<>(List.of(server.address(), device));
            Arrays.stream(Phase.values()).map(Phase::name).forEach(halting::add);
            try (ClientProcess atWork = ClientProcess.start(
                WorkingClient.class, server.quickFlags(), List.of(server.address(), device));
                ClientProcess inPhases = ClientProcess.start(HaltingClient.class, server.quickFlags(), halting))
            {
                assertEquals("working", atWork.line());
                for (int i = 0; i < Phase.values().length; i++)
                {
                    final String line = inPhases.line();
                    assertTrue(line.startsWith("at "), line);
                }
                atWork.signal("STOP");
                inPhases.signal("STOP");
                // All the time until nobody else is there.
                FaultyServer.await(() -> "the stopped clients to be reaped: " + healthy.statistics(), () ->
                {
                    work(healthy);
                    return healthy.statistics().stream().allMatch((shard) -> shard.sessions() == 1);
                });
                final String more = "the server to have no more than before: ";
                FaultyServer.await(() -> more + server.holdings().since(before), () ->
                {
                    final Holdings now = server.holdings();
                    return now.handles() <= before.handles() && now.mappings() <= before.mappings();
                });
                assertEquals(0, healthy.clientStatistics().reconnects());

                atWork.signal("CONT");
                atWork.write("finish");
                final String line = atWork.line();
                assertTrue(line != null && line.startsWith("done "), line);
                assertEquals(0, atWork.end());
                inPhases.signal("KILL");
            }
            work(healthy);
        }
    }

    private static void work(final StoreClient client)
    {
        for (int i = 0; i < 20; i++)
        {
            client.put("healthy", "value " + i);
            assertEquals("value " + i, client.get("healthy"));
        }
    }

    private static void awaitSessions(final StoreClient client, final int count) throws InterruptedException
    {
        FaultyServer.await(() -> "sessions: " + client.statistics(),
            () -> client.statistics().stream().allMatch((shard) -> shard.sessions() == count));
    }
}
