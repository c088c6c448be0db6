package org.onesided.endtoend.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ClientStatistics;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.testing.TestSize;

/** A table over the device {@code ibv} that starts small: each segment is a memory region of its own. */
@Tag("rdma")
@Timeout(600)
class RdmaGrowthTest
{
    private static final int ROUNDS = TestSize.of(2, 1);
    private static final int KEYS = 3_000;
    /** Those of the memory that is given back. */
    private static final int LEAVING = TestSize.of(KEYS, KEYS / 2);
    private static final int LENGTH = 2_000;
    private static final long ROOM_WAIT_NS = TimeUnit.SECONDS.toNanos(30);
    /** A key takes three more if another one of its chain has the same fingerprint, which some runs have. */
    private static final int READS_OF_COLLISIONS = 5 * 3;

    @Test
    void shouldGrowUnderClientsFromBeforeAndAfter()
    {
        final ServerOptions options = new ServerOptions().listenHost("127.0.0.1").listenPort(0).device("ibv")
            .memory(16 << 20).memoryInitial(0).shards(2).roomWaitNs(ROOM_WAIT_NS);
        try (StoreServer server = StoreServer.start(options);
            StoreClient client = StoreClient.builder().server("127.0.0.1:" + server.address().getPort())
                .device("ibv").deadline(Duration.ofSeconds(120)).build();
            StoreSession early = client.openSession())
        {
            final MemoryMetrics first = server.metrics().memory();
            for (int i = 0; i < KEYS; i++)
            {
                client.put(key(i), value(i));
            }
            final byte[] large = new byte[3 << 20];
            new Random(1).nextBytes(large);
            client.put(key(-1), large);
            final MemoryMetrics grown = server.metrics().memory();
            assertTrue(grown.segments() > first.segments() + 10, first + " " + grown);
            assertTrue(grown.committed() <= grown.limit() && grown.committed() > 9 << 20, grown.toString());
            assertEquals(0, grown.refusals());
            try (StoreSession late = client.openSession())
            {
                for (int i = 0; i < KEYS; i += 3)
                {
                    assertArrayEquals(value(i), early.get(key(i)));
                    assertArrayEquals(value(i), late.get(key(i)));
                }
                assertArrayEquals(large, early.get(key(-1)));
                final ClientStatistics before = late.clientStatistics();
                for (int i = 0; i < KEYS; i += 3)
                {
                    assertArrayEquals(value(i), late.get(key(i)));
                }
                final long reads = late.clientStatistics().reads() - before.reads();
                assertTrue(reads >= KEYS / 3 && reads <= KEYS / 3 + READS_OF_COLLISIONS, "reads=" + reads);
                assertEquals(0, late.clientStatistics().reconnects() + early.clientStatistics().reconnects());
            }
        }
    }

    /** A READ of a segment that is deregistered would end the queue pair. */
    @Test
    void shouldGiveMemoryBackUnderClients() throws InterruptedException
    {
        final ServerOptions options = new ServerOptions().listenHost("127.0.0.1").listenPort(0).device("ibv")
            .memory(16 << 20).memoryInitial(0).shards(2).roomWaitNs(ROOM_WAIT_NS)
            .memoryReleaseNs(TimeUnit.MILLISECONDS.toNanos(100));
        try (StoreServer server = StoreServer.start(options);
            StoreClient client = StoreClient.builder().server("127.0.0.1:" + server.address().getPort())
                .device("ibv").deadline(Duration.ofSeconds(120)).build();
            StoreSession session = client.openSession())
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                for (int i = 0; i < LEAVING; i++)
                {
                    client.put(key(i), value(i));
                }
                for (int i = 0; i < LEAVING; i++)
                {
                    assertArrayEquals(value(i), session.get(key(i)));
                }
                final MemoryMetrics full = server.metrics().memory();
                for (int i = 0; i < LEAVING; i++)
                {
                    assertTrue(i % 10 == 0 || client.delete(key(i)));
                }
                final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
                while (server.metrics().memory().committed() > full.committed() / 2)
                {
                    assertTrue(System.nanoTime() - endNs < 0, () -> full + " " + server.metrics().memory());
                    Thread.sleep(1);
                }
                // What the mirror says of deleted keys leads to memory that is gone.
                for (int i = 0; i < LEAVING; i++)
                {
                    assertArrayEquals(i % 10 == 0 ? value(i) : null, session.get(key(i)));
                }
            }
            assertEquals(0, session.clientStatistics().reconnects());
            assertEquals(0, server.metrics().sessions().cutOff());
        }
    }

    private static byte[] key(final int number)
    {
        return ("key" + number).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(final int number)
    {
        final byte[] value = new byte[LENGTH];
        new Random(number).nextBytes(value);
        return value;
    }
}
