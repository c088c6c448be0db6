package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.Version;
import org.onesided.client.types.WriteOutcome;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;
import org.onesided.testing.TestSize;

/**
 * Writes of the asynchronous views that would show if they took effect twice, while queue pairs are lost: each takes
 * effect once, and its end is that of its one evaluation.
 */
@Timeout(900)
class AsyncResendTest
{
    private static final int KEYS = 8;
    private static final int ROUNDS_AT_ONCE = 10;
    private static final int MOST_BURSTS = 2_000;
    private static final long RESENT = TestSize.of(20, 5);

    /** Remembers ends by correlation; a failure is an error here. */
    private static final class Told implements AsyncListener
    {
        private final Map<Long, Object> ends = new HashMap<>();

        private void tell(final long correlation, final Object end)
        {
            assertNull(ends.put(correlation, end), "told twice: " + correlation);
        }

        @Override
        public void onValue(final long correlation, final DirectBuffer value)
        {
            tell(correlation, value == null);
        }

        @Override
        public void onPut(final long correlation)
        {
            throw new AssertionError("told without a version");
        }

        @Override
        public void onPut(final long correlation, final MutableVersion version)
        {
            tell(correlation, version.toVersion());
        }

        @Override
        public void onConflict(final long correlation, final MutableVersion version)
        {
            tell(correlation, "conflict " + version);
        }

        @Override
        public void onDelete(final long correlation, final boolean wasPresent)
        {
            tell(correlation, wasPresent);
        }

        @Override
        public void onIncrement(final long correlation, final long number, final MutableVersion version)
        {
            tell(correlation, number);
        }

        @Override
        public void onAppend(final long correlation, final int length, final MutableVersion version)
        {
            tell(correlation, length);
        }

        @Override
        public void onTouch(final long correlation, final boolean wasPresent)
        {
            tell(correlation, wasPresent);
        }

        @Override
        public void onTtl(final long correlation, final TimeToLive ttl)
        {
            tell(correlation, ttl == null);
        }

        @Override
        public void onFailure(final long correlation, final StoreException failure)
        {
            throw new AssertionError("operation " + correlation, failure);
        }
    }

    private static ServerProcess server(final String device) throws Exception
    {
        return ServerProcess.start("--memory", "64m", "--shards", "2", "--metrics", "127.0.0.1:0",
            "--device", FaultyServer.listening("chaos:7/calm/lose=300/slow=30:" + device));
    }

    private static StoreClientBuilder client(final ServerProcess server, final String device)
    {
        return StoreClient.builder().server(server.address()).device("chaos:8/calm/lose=300:" + device)
            .deadline(Duration.ofSeconds(HangGuard.seconds(120)));
    }

    private static long resent(final ServerProcess server) throws Exception
    {
        return ScrapedMetric.sum(server.metricsAddress(), "onesided_resent_answers_total");
    }

    private static UnsafeBuffer key(final String kind, final int number)
    {
        return new UnsafeBuffer((kind + "-" + number).getBytes(StandardCharsets.US_ASCII));
    }

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldDoEachWriteOfASessionOnce(final String device) throws Exception
    {
        final Told told = new Told();
        try (ServerProcess server = server(device);
            StoreClient client = client(server, device).build();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            int rounds = 0;
            final List<StringBuilder> texts = new ArrayList<>();
            for (int k = 0; k < KEYS; k++)
            {
                texts.add(new StringBuilder());
            }
            for (int burst = 0; burst < MOST_BURSTS && resent(server) < RESENT; burst++)
            {
                told.ends.clear();
                for (int i = 0; i < ROUNDS_AT_ONCE; i++)
                {
                    for (int k = 0; k < KEYS; k++)
                    {
                        begin(async, k, rounds + i, 6L * (i * KEYS + k));
                    }
                }
                async.drain();
                for (int i = 0; i < ROUNDS_AT_ONCE; i++, rounds++)
                {
                    for (int k = 0; k < KEYS; k++)
                    {
                        texts.get(k).append((char)('a' + rounds % 26));
                        assertEnds(told, rounds, 6L * (i * KEYS + k));
                    }
                    if (texts.get(0).length() == 1000)
                    {
                        assertTexts(client, texts);
                    }
                }
            }
            final long resent = resent(server);
            System.out.println("session over " + device + ": rounds=" + rounds + " reconnects=" +
                session.clientStatistics().reconnects() + " resent=" + resent);
            // Otherwise no write was in danger of taking effect twice.
            assertTrue(resent >= RESENT, "resent=" + resent);
            for (int k = 0; k < KEYS; k++)
            {
                assertEquals(Integer.toString(rounds), client.get("number-" + k));
            }
            assertTexts(client, texts);
        }
    }

    /** Compares the appended texts, and begins them anew. */
    private static void assertTexts(final StoreClient client, final List<StringBuilder> texts)
    {
        for (int k = 0; k < KEYS; k++)
        {
            assertEquals(texts.get(k).toString(), client.get("text-" + k) == null ? "" : client.get("text-" + k));
            client.delete("text-" + k);
            texts.get(k).setLength(0);
        }
    }

    /** Six operations of keys that nobody else has, so that their ends are known. */
    private static void begin(final AsyncSession async, final int k, final int round, final long id)
    {
        final UnsafeBuffer number = key("number", k);
        final UnsafeBuffer text = key("text", k);
        final UnsafeBuffer flip = key("flip", k);
        final UnsafeBuffer letter = new UnsafeBuffer(new byte[] {(byte)('a' + round % 26)});
        while (!async.increment(number, 0, number.capacity(), 1, 0, Expiry.KEEP, id))
        {
            async.poll();
        }
        while (!async.append(text, 0, text.capacity(), letter, 0, 1, Expiry.KEEP, id + 1))
        {
            async.poll();
        }
        // Evaluated anew, it would meet what it has put.
        while (!async.put(flip, 0, flip.capacity(), letter, 0, 1, PutOptions.ifAbsent(), id + 2))
        {
            async.poll();
        }
        while (!async.touch(flip, 0, flip.capacity(), Expiry.after(Duration.ofHours(1)), id + 3))
        {
            async.poll();
        }
        while (!async.delete(flip, 0, flip.capacity(), id + 4))
        {
            async.poll();
        }
        while (!async.ttl(number, 0, number.capacity(), id + 5))
        {
            async.poll();
        }
    }

    private static void assertEnds(final Told told, final int round, final long id)
    {
        assertEquals(round + 1L, told.ends.get(id));
        assertTrue((int)told.ends.get(id + 1) > 0);
        assertTrue(told.ends.get(id + 2) instanceof Version, "round " + round + ": " + told.ends.get(id + 2));
        assertEquals(true, told.ends.get(id + 3));
        assertEquals(true, told.ends.get(id + 4));
        assertTrue(told.ends.get(id + 5) instanceof Boolean);
    }

    static Stream<String> devicesOfFutures()
    {
        return TestSize.devices("tcp", "shm");
    }

    @ParameterizedTest
    @MethodSource("devicesOfFutures")
    void shouldDoEachWriteOfFuturesOnce(final String device) throws Exception
    {
        try (ServerProcess server = server(device); StoreClient client = client(server, device).build())
        {
            final AsyncStore async = client.async();
            int rounds = 0;
            while (rounds < MOST_BURSTS && resent(server) < RESENT)
            {
                final List<CompletableFuture<Long>> numbers = new ArrayList<>();
                final List<CompletableFuture<WriteOutcome>> flips = new ArrayList<>();
                for (int k = 0; k < KEYS; k++)
                {
                    final String flip = "flip-" + k;
                    numbers.add(async.increment("number-" + k, 1));
                    flips.add(async.putIfAbsent(flip, "1")
                        .thenCompose(outcome -> outcome.applied() ?
                            async.deleteIfVersion(flip, outcome.version()) :
                            CompletableFuture.completedFuture(outcome)));
                }
                final CompletableFuture<String> exchanged = async.getAndPut("last", "value-" + rounds);
                for (int k = 0; k < KEYS; k++)
                {
                    assertEquals(rounds + 1L, ended(numbers.get(k)));
                    assertEquals(new WriteOutcome(true, null), ended(flips.get(k)));
                }
                assertEquals(rounds == 0 ? null : "value-" + (rounds - 1), ended(exchanged));
                rounds++;
            }
            final long resent = resent(server);
            System.out.println("futures over " + device + ": rounds=" + rounds + " reconnects=" +
                client.clientStatistics().reconnects() + " resent=" + resent);
            assertTrue(resent >= RESENT, "resent=" + resent);
            for (int k = 0; k < KEYS; k++)
            {
                assertEquals(Integer.toString(rounds), client.get("number-" + k));
            }
        }
    }

    private static <T> T ended(final CompletableFuture<T> future) throws Exception
    {
        return future.get(HangGuard.seconds(300), TimeUnit.SECONDS);
    }
}
