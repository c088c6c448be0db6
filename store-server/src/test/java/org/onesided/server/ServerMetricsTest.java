package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.DurationHistogram;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.shard.ShardMetrics;
import org.onesided.verbs.MemoryRegion;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerMetricsTest
{
    private static final byte[] VALUE = "value".getBytes(UTF_8);

    private StoreServer server;
    private TestClient client;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(client, server);
    }

    @Test
    void shouldCountRequestsByKindAndRefusalsByReason() throws IOException
    {
        start(new ServerOptions().memory(16 << 20).measuresTimes(true));
        final long id = client.nextId(0);
        client.sendPut(0, id, "key", VALUE);
        client.answer();
        client.sendPut(0, id, "key", VALUE);
        client.answer();
        client.put("key", VALUE);
        client.get("key");
        client.stat(0);
        final MemoryRegion large = client.lend(new byte[1 << 20]);
        client.sendPutLarge(0, client.nextId(0), "large", large.range().address(), 1 << 20, large.remoteKey());
        assertEquals(Status.OK, TestClient.write(client.answer()).status());
        client.sendPutLarge(0, client.nextId(0), "larger", large.range().address(), 32 << 20, large.remoteKey());
        assertEquals(Status.STORE_FULL, TestClient.write(client.answer()).status());

        final ShardMetrics metrics = awaitShard((now) -> now.refusals().get(Status.STORE_FULL) == 1);
        assertEquals(
            Map.of(RequestKind.PUT, 2L, RequestKind.PUT_LARGE, 2L, RequestKind.GET, 1L, RequestKind.STAT, 1L),
            metrics.requests().entrySet().stream().filter((kind) -> kind.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        assertEquals(1, metrics.resent());
        assertEquals(1 << 20, metrics.bytesPulled());
        assertEquals(Map.of("shm", 1L), metrics.connections());
        assertEquals(0, metrics.pulls());
        assertEquals(0, metrics.pullBytes());
        assertEquals(0, metrics.waiting());
        assertEquals(2, metrics.table().records());
        assertTrue(metrics.completions() >= 7 && metrics.polls() <= metrics.completions());
        assertTrue(metrics.bytesReceived() > 4 * VALUE.length && metrics.bytesSent() > VALUE.length);
        metrics.requests().forEach((kind, count) -> assertEquals(count, count(metrics.times().get(kind)), kind.name()));
    }

    @Test
    void shouldCountAPullThatFailsAndWhatItCosts() throws IOException
    {
        start(new ServerOptions());
        client.sendPutLarge(0, 1, "large", 0, 1 << 20, 12345);

        final ShardMetrics metrics = awaitShard(
            // Before the shard has taken the connection, it has none either.
            (now) -> now.connectionsLost() == 1 && now.connections().get("shm") == 0 && now.pulls() == 0 &&
                now.pullBytes() == 0);
        assertEquals(1, metrics.pullFailures());
        assertEquals(0, metrics.bytesPulled());
        assertEquals(Map.of(), metrics.times());
    }

    @Test
    void shouldCountWhatBecomesOfSessions() throws IOException
    {
        start(new ServerOptions());
        try (TestClient resumed = TestClient.connected(server, client.welcome()))
        {
            assertTrue(resumed.welcome().isResumed());
            final long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
            while (server.metrics().sessions().resumed() == 0)
            {
                assertTrue(System.nanoTime() - endNs < 0, "nothing was resumed");
                Thread.yield();
            }
            assertEquals(1, server.metrics().sessions().opened());
            assertEquals(Map.of("shm", 1), server.metrics().sessions().sessions());
            assertEquals(1, server.metrics().sessions().sessionCount());
            assertEquals(0, server.metrics().sessions().expired());
        }
    }

    @Tag("full")
    @Test
    void shouldGoRoundEvenWhileAShardSleeps() throws IOException
    {
        start(new ServerOptions().spinNs(0));
        final long before = server.metrics().shards().get(0).rounds();
        // Each sleep adds two rounds at most, so some of these are of later ones.
        awaitShard((now) -> now.rounds() >= before + 4);
    }

    private void start(final ServerOptions options) throws IOException
    {
        server = StoreServer.start(options.listenPort(0).shards(1));
        client = TestClient.connected(server);
    }

    /** The shard counts when it answers, perhaps a moment after the answer is there. */
    private ShardMetrics awaitShard(final Predicate<ShardMetrics> condition)
    {
        final long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
        while (true)
        {
            final ShardMetrics metrics = server.metrics().shards().get(0);
            if (condition.test(metrics))
            {
                return metrics;
            }
            assertTrue(System.nanoTime() - endNs < 0, metrics.toString());
            Thread.yield();
        }
    }

    private static long count(final DurationHistogram times)
    {
        return times.counts().stream().mapToLong(Long::longValue).sum();
    }
}
