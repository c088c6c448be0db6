package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.StoreClient;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;
import org.onesided.testing.TestSize;

/**
 * Many clients increment one key while their queue pairs and connections are lost and the server is stopped for
 * moments: each increment takes effect once, and each client is told its own.
 */
@Timeout(1800)
class CounterContentionTest
{
    private static final String KEY = "visits";
    private static final int CLIENTS = 64;
    private static final int INCREMENTS =
        Integer.getInteger("onesided.counter.increments", TestSize.of(1_000_000, 25_600));
    private static final int DISTURBANCES = TestSize.of(200, 16);
    private static final long STOP_NS = TimeUnit.MILLISECONDS.toNanos(50);

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldCountEachIncrementOnce(final String device) throws Exception
    {
        final int each = INCREMENTS / CLIENTS;
        final LongAdder done = new LongAdder();
        final List<StoreClient> clients = new ArrayList<>();
        final ExecutorService executor = Executors.newFixedThreadPool(CLIENTS);
        try (ServerProcess server = ServerProcess.start(
                "--memory", "64m", "--metrics", "127.0.0.1:0",
                "--device", FaultyServer.listening("chaos:7/calm/lose=500/slow=30:" + device));
            CuttingProxy proxy = new CuttingProxy(
                Integer.parseInt(server.address().substring(server.address().lastIndexOf(':') + 1))))
        {
            final List<Future<long[]>> futures = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++)
            {
                final StoreClient client = StoreClient.builder().server(proxy.address())
                    .device("chaos:8/calm/lose=1000:" + device)
                    .deadline(Duration.ofSeconds(HangGuard.seconds(120))).maxSessions(1).build();
                clients.add(client);
                futures.add(executor.submit(() -> count(client, each, done)));
            }
            disturb(server, proxy, done, futures);

            final BitSet told = new BitSet();
            for (final Future<long[]> future : futures)
            {
                long last = 0;
                for (final long number : future.get(HangGuard.seconds(900), TimeUnit.SECONDS))
                {
                    assertTrue(number > last, "a client's number did not grow: " + last + " " + number);
                    last = number;
                    told.set((int)number);
                }
            }
            assertEquals(CLIENTS * each, told.cardinality());
            assertEquals(CLIENTS * each, told.length() - 1);
            assertEquals(Integer.toString(CLIENTS * each), clients.get(0).get(KEY));
            final long reconnects =
                clients.stream().mapToLong(client -> client.clientStatistics().reconnects()).sum();
            System.out.println("counter over " + device + ": increments=" + CLIENTS * each + " reconnects=" +
                reconnects);
            assertTrue(reconnects > CLIENTS / 4, "reconnects=" + reconnects);
            // Otherwise no increment was in danger of taking effect twice.
            final long resent = ScrapedMetric.sum(server.metricsAddress(), "onesided_resent_answers_total");
            assertTrue(resent > 0, "resent=" + resent);
        }
        finally
        {
            executor.shutdownNow();
            CloseHelper.closeAll(clients);
        }
    }

    private static long[] count(final StoreClient client, final int each, final LongAdder done)
    {
        final long[] numbers = new long[each];
        for (int i = 0; i < each; i++)
        {
            numbers[i] = client.increment(KEY, 1);
            done.increment();
        }
        return numbers;
    }

    /** Cuts and stops in turn, each time after some more increments. */
    private static void disturb(
        final ServerProcess server, final CuttingProxy proxy, final LongAdder done, final List<Future<long[]>> futures)
    {
        final Random random = new Random(1);
        final int between = INCREMENTS / DISTURBANCES;
        for (int i = 0; i < DISTURBANCES; i++)
        {
            final long next = (long)i * between + random.nextInt(between);
            while (done.sum() < next && !futures.stream().allMatch(Future::isDone))
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            if (i % 2 == 0)
            {
                proxy.cut();
            }
            else
            {
                server.freeze();
                LockSupport.parkNanos(STOP_NS);
                server.thaw();
            }
        }
    }
}
