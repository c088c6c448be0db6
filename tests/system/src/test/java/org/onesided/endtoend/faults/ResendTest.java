package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ShardStatistics;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.server.shard.ShardMetrics;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.HangGuard;
import org.onesided.testing.LoggedErrors;

/**
 * Clients at work whose queue pairs and bootstrap connections are lost again and again, while the server lives: each of
 * their writes takes effect once, and the store's counters show it.
 */
@Timeout(600)
class ResendTest
{
    private static final int WRITERS = 4;
    private static final int MOST_BETWEEN_CUTS = 200;
    private static final int MOST_ROUNDS_BETWEEN_CUTS = 10;
    private static final int MOST_PAIRS = 2000;
    private static final int LEAST_RECONNECTS = 60;
    private static final int LEAST_RESENT = 5;
    private static final String[] COUNTED = {"short", "long"};
    /** Longer than a message. */
    private static final String PADDING = " ".repeat(20_000);

    @RegisterExtension
    final LoggedErrors errors = new LoggedErrors();

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldDoEachWriteOnceWhateverIsLost(final String device) throws Exception
    {
        final ExecutorService executor = Executors.newCachedThreadPool();
        try (StoreServer server = StoreServer.start(new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(96L << 20).shards(2)
            .device(FaultyServer.listening("chaos:7/calm/lose=150/slow=30:" + device)));
            CuttingProxy proxy = new CuttingProxy(server.address().getPort());
            StoreClient client = StoreClient.builder()
                .server(proxy.address())
                .device("chaos:8/calm/lose=300:" + device)
                .deadline(Duration.ofSeconds(HangGuard.seconds(120)))
                .build())
        {
            final List<OwnedWriter> writers = new ArrayList<>();
            final List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++)
            {
                writers.add(new OwnedWriter(client, "writer-" + i, i));
            }
            writers.forEach((writer) -> futures.add(executor.submit(writer)));
            final Random random = new Random(1);
            final long[] nextCut = {0};
            FaultyServer.await(
                () -> "losses: " + client.clientStatistics() + " resent=" + resent(server),
                () ->
                {
                    final long done = writers.stream().mapToLong(OwnedWriter::succeeded).sum();
                    if (done >= nextCut[0])
                    {
                        proxy.cut();
                        nextCut[0] = done + random.nextInt(MOST_BETWEEN_CUTS);
                    }
                    return futures.stream().anyMatch(Future::isDone) ||
                        client.clientStatistics().reconnects() >= LEAST_RECONNECTS && resent(server) >= LEAST_RESENT;
                });
            writers.forEach(OwnedWriter::stop);
            for (final Future<?> future : futures)
            {
                future.get(HangGuard.seconds(180), TimeUnit.SECONDS);
            }

            final Map<String, String> found = new HashMap<>();
            client.scan((key, value) ->
                found.put(new String(bytes(key), StandardCharsets.US_ASCII), OwnedState.text(bytes(value))));
            writers.forEach((writer) -> writer.checkAll(found));
            assertEquals(0, writers.stream().mapToLong(OwnedWriter::unknown).sum(), "writes of unknown fate");
            assertEquals(0, writers.stream().mapToLong(OwnedWriter::unapplied).sum(), "writes that were not done");
            assertEquals(sum(writers, OwnedState::puts), FaultyServer.sum(client, ShardStatistics::puts), "puts");
            assertEquals(
                sum(writers, OwnedState::deletes), FaultyServer.sum(client, ShardStatistics::deletes), "deletes");
            System.out.println("resends over " + device + ": reconnects=" + client.clientStatistics().reconnects() +
                " resent=" + resent(server) + " puts=" + sum(writers, OwnedState::puts));
            assertTrue(server.metrics().sessions().resumed() > 0);
            writers.forEach(OwnedWriter::close);
        }
        finally
        {
            executor.shutdownNow();
        }
    }

    /** Updates evaluate a condition each: one that was evaluated twice would count an update twice, or not at all. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldEvaluateEachConditionOnceWhateverIsLost(final String device) throws Exception
    {
        final ExecutorService executor = Executors.newCachedThreadPool();
        final AtomicBoolean isStopped = new AtomicBoolean();
        final LongAdder[] updates = {new LongAdder(), new LongAdder()};
        try (StoreServer server = StoreServer.start(new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(96L << 20).shards(2)
            .device(FaultyServer.listening("chaos:9/calm/lose=150/slow=30:" + device)));
            CuttingProxy proxy = new CuttingProxy(server.address().getPort());
            StoreClient client = StoreClient.builder()
                .server(proxy.address())
                .device("chaos:10/calm/lose=300:" + device)
                .deadline(Duration.ofSeconds(HangGuard.seconds(120)))
                .build())
        {
            final List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++)
            {
                futures.add(executor.submit(() -> update(client, isStopped, updates)));
            }
            final Random random = new Random(2);
            final long[] nextCut = {0};
            FaultyServer.await(
                () -> "losses: " + client.clientStatistics() + " resent=" + resent(server),
                () ->
                {
                    final long done = updates[0].sum() + updates[1].sum();
                    if (done >= nextCut[0])
                    {
                        proxy.cut();
                        nextCut[0] = done + random.nextInt(MOST_BETWEEN_CUTS);
                    }
                    return futures.stream().anyMatch(Future::isDone) ||
                        client.clientStatistics().reconnects() >= LEAST_RECONNECTS && resent(server) >= LEAST_RESENT;
                });
            isStopped.set(true);
            for (final Future<?> future : futures)
            {
                future.get(HangGuard.seconds(180), TimeUnit.SECONDS);
            }
            for (int i = 0; i < updates.length; i++)
            {
                assertEquals(updates[i].sum(), Long.parseLong(client.get(COUNTED[i]).trim()), COUNTED[i]);
            }
            System.out.println("conditions over " + device + ": reconnects=" +
                client.clientStatistics().reconnects() + " resent=" + resent(server) + " updates=" +
                updates[0].sum() + "," + updates[1].sum());
        }
        finally
        {
            isStopped.set(true);
            executor.shutdownNow();
        }
    }

    /**
     * Many short pairs share a message each, which is sent again as a whole: each pair counts once, and the last of
     * those with one key stays.
     */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldDoEachPutOfABatchOnceWhateverIsLost(final String device) throws Exception
    {
        try (StoreServer server = StoreServer.start(new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(96L << 20).shards(2)
            .device(FaultyServer.listening("chaos:11/calm/lose=150/slow=30:" + device)));
            CuttingProxy proxy = new CuttingProxy(server.address().getPort());
            StoreClient client = StoreClient.builder()
                .server(proxy.address())
                .device("chaos:12/calm/lose=300:" + device)
                .deadline(Duration.ofSeconds(HangGuard.seconds(120)))
                .build();
            StoreSession session = client.openSession())
        {
            final Map<String, String> model = new HashMap<>();
            final AtomicLong rounds = new AtomicLong();
            final AtomicBoolean isStopped = new AtomicBoolean();
            final FutureTask<Long> writer = new FutureTask<>(() -> putBatches(session, model, rounds, isStopped));
            new Thread(writer).start();
            final Random random = new Random(3);
            final long[] nextCut = {0};
            try
            {
                FaultyServer.await(
                    () -> "losses: " + client.clientStatistics() + " resent=" + resent(server),
                    () ->
                    {
                        if (rounds.get() >= nextCut[0])
                        {
                            proxy.cut();
                            nextCut[0] = rounds.get() + random.nextInt(MOST_ROUNDS_BETWEEN_CUTS);
                        }
                        return writer.isDone() || resent(server) >= LEAST_RESENT &&
                            client.clientStatistics().reconnects() >= LEAST_RECONNECTS;
                    });
            }
            finally
            {
                isStopped.set(true);
            }
            final long puts = writer.get(HangGuard.seconds(180), TimeUnit.SECONDS);

            final Map<String, String> found = new HashMap<>();
            client.scan((key, value) -> found.put(text(key), text(value)));
            assertEquals(model, found);
            assertEquals(puts, FaultyServer.sum(client, ShardStatistics::puts), "puts");
            assertEquals(puts, session.clientStatistics().puts(), "puts that the client counts");
            System.out.println("batches over " + device + ": reconnects=" + client.clientStatistics().reconnects() +
                " resent=" + resent(server) + " puts=" + puts);
        }
    }

    /** Puts batches of short pairs, some with the same key, until it is stopped; returns how many pairs. */
    private static long putBatches(
        final StoreSession session,
        final Map<String, String> model,
        final AtomicLong rounds,
        final AtomicBoolean isStopped)
    {
        final Random random = new Random(4);
        long puts = 0;
        while (!isStopped.get())
        {
            final List<byte[]> keys = new ArrayList<>();
            final List<byte[]> values = new ArrayList<>();
            for (int i = random.nextInt(MOST_PAIRS); i >= 0; i--)
            {
                final String key = "key-" + random.nextInt(MOST_PAIRS);
                final String value = "value-" + puts++;
                keys.add(key.getBytes(StandardCharsets.US_ASCII));
                values.add(value.getBytes(StandardCharsets.US_ASCII));
                model.put(key, value);
            }
            session.putAll(keys, values);
            rounds.incrementAndGet();
        }
        return puts;
    }

    private static String text(final DirectBuffer buffer)
    {
        return new String(bytes(buffer), StandardCharsets.US_ASCII);
    }

    /** Counts in a short value, and in one that the server pulls. */
    private static void update(final StoreClient client, final AtomicBoolean isStopped, final LongAdder[] updates)
    {
        for (int i = 0; !isStopped.get(); i = 1 - i)
        {
            final String padding = i == 0 ? "" : PADDING;
            client.update(COUNTED[i], value ->
                (value == null ? 1 : Long.parseLong(value.trim()) + 1) + padding);
            updates[i].increment();
        }
    }

    private static long resent(final StoreServer server)
    {
        return server.metrics().shards().stream().mapToLong(ShardMetrics::resent).sum();
    }

    private static long sum(final List<OwnedWriter> writers, final ToLongFunction<OwnedState> number)
    {
        return writers.stream().map(OwnedWriter::state).mapToLong(number).sum();
    }

    private static byte[] bytes(final DirectBuffer buffer)
    {
        final byte[] bytes = new byte[buffer.capacity()];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
