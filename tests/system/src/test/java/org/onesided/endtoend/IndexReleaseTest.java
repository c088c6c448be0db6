package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.server.ServerOptions;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.testing.TestSize;

/** The memory of split buckets goes back once no client READs them any more. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexReleaseTest
{
    private static final int KEYS = 60_000;
    /** One key of so many is looked up singly. */
    private static final int LOOKED_UP = TestSize.of(1, 7);
    private static final int RECORDS = TestSize.of(1_000_000, 100_000);
    /**
     * 21 are in use; the first segment is released late, and the last one made early. Of a small index, the smallest
     * segments are a larger part.
     */
    private static final double MOST_INDEX_BYTES = TestSize.of(35, 40);
    private static final int MANY = 50;
    private static final long LEASE_NS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final int SHARDS = 2;
    private static final long LEAST_SEGMENT = 64 << 10;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    /** Of puts, until memory has come: on a busy machine its thread may be late. Shorter than a client's deadline. */
    private static final long ROOM_WAIT_NS = TimeUnit.SECONDS.toNanos(15);

    private static ServerOptions options(final String device)
    {
        return TestStore.options().device(device.equals("tcp") ? "tcp:127.0.0.1:0" : device)
            .memory(64L << 20).memoryInitial(0).shards(SHARDS).roomWaitNs(ROOM_WAIT_NS);
    }

    private static byte[] key(final int number)
    {
        return bytes("key" + number);
    }

    private static byte[] value(final int number)
    {
        return bytes(String.format("%08d", number));
    }

    private static void put(final StoreClient client, final int begin, final int end)
    {
        final List<byte[]> keys = new ArrayList<>();
        final List<byte[]> values = new ArrayList<>();
        for (int i = begin; i < end; i++)
        {
            keys.add(key(i));
            values.add(value(i));
        }
        client.putAll(keys, values);
    }

    private static long indexInUse(final TestStore store)
    {
        return store.server().metrics().shards().stream()
            .mapToLong((shard) -> shard.table().buckets() * BucketDescriptor.LENGTH).sum();
    }

    /** Waits until only so much waits for clients as stays in segments that are in use at their ends. */
    private static MemoryMetrics awaitRelease(final TestStore store)
    {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        MemoryMetrics memory = store.server().metrics().memory();
        while (memory.retired() > indexInUse(store) / 4 + SHARDS * LEAST_SEGMENT || memory.released() == 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> store.server().metrics().memory().toString());
            LockSupport.parkNanos(1_000_000);
            memory = store.server().metrics().memory();
        }
        return memory;
    }

    private static void assertAllThere(final StoreSession session)
    {
        for (int i = 0; i < KEYS; i += LOOKED_UP)
        {
            assertArrayEquals(value(i), session.get(key(i)));
        }
        assertNull(session.get(bytes("absent")));
    }

    private static void assertUnharmed(final TestStore store, final StoreClient... clients)
    {
        for (final StoreClient client : clients)
        {
            assertEquals(0, client.clientStatistics().reconnects());
        }
        assertEquals(0, store.server().metrics().sessions().cutOff());
    }

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldGiveMemoryBackWhileSessionsAreIdle(final String device)
    {
        try (TestStore store = new TestStore(options(device));
            StoreClient writer = store.client();
            StoreClient other = store.client();
            StoreSession idle = other.openSession();
            StoreSession used = other.openSession())
        {
            final AsyncStore async = other.async();
            put(writer, 0, 1000);
            assertArrayEquals(value(1), used.get(key(1)));
            assertArrayEquals(value(2), async.get(key(2)).join());
            put(writer, 1000, KEYS);

            final MemoryMetrics memory = awaitRelease(store);
            assertTrue(memory.released() >= indexInUse(store) / 2, memory.toString());
            assertAllThere(idle);
            assertAllThere(used);
            assertArrayEquals(value(3), async.get(key(3)).join());
            try (StoreSession late = other.openSession())
            {
                assertAllThere(late);
            }
            assertUnharmed(store, writer, other);
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldGiveMemoryBackUnderReaders(final String device) throws InterruptedException
    {
        try (TestStore store = new TestStore(options(device));
            StoreClient writer = store.client();
            StoreClient reader = store.client())
        {
            put(writer, 0, 1000);
            final ReaderThreads readers =
                new ReaderThreads(reader, 1000, IndexReleaseTest::key, IndexReleaseTest::value);
            try
            {
                for (int i = 1000; i < KEYS && !readers.haveFailed(); i += 1000)
                {
                    put(writer, i, i + 1000);
                }
                awaitRelease(store);
            }
            finally
            {
                readers.stop();
            }
            assertUnharmed(store, writer, reader);
            assertTrue(store.server().metrics().memory().released() > 0);
        }
    }

    @Test
    void shouldWaitForNoneOfManySessions()
    {
        try (TestStore store = new TestStore(options("shm")); StoreClient writer = store.client();
            StoreClient other = store.client())
        {
            final List<StoreSession> sessions = new ArrayList<>();
            try
            {
                for (int i = 0; i < MANY; i++)
                {
                    sessions.add(other.openSession());
                }
                for (int i = 0; i < KEYS; i += 2_000)
                {
                    put(writer, i, i + 2_000);
                    // Every other session is idle all the time.
                    for (int k = 0; k < MANY; k += 2)
                    {
                        assertArrayEquals(value(i + k), sessions.get(k).get(key(i + k)));
                    }
                }
                awaitRelease(store);
                for (int i = 0; i < KEYS; i += 7)
                {
                    assertArrayEquals(value(i), sessions.get(i % MANY).get(key(i)));
                }
            }
            finally
            {
                sessions.forEach(StoreSession::close);
            }
            assertUnharmed(store, writer, other);
        }
    }

    @Test
    void shouldNotWaitForWhoIsToldOfAValue()
    {
        try (TestStore store = new TestStore(options("shm")); StoreClient writer = store.client();
            StoreClient other = store.client())
        {
            put(writer, 0, 1000);
            other.getAll(List.of(key(1), key(2)), (i, value) ->
            {
                if (i == 0)
                {
                    put(writer, 1000, KEYS);
                    assertTrue(awaitRelease(store).released() > 0);
                }
            });
            assertUnharmed(store, writer, other);
        }
    }

    /** Amid a chunk, the session cannot confirm. It loses its queue pairs then, and the scan goes on over others. */
    @Test
    void shouldGoOnWithAScanThatHeldMemoryBackForTooLong()
    {
        try (TestStore store = new TestStore(options("shm").leaseNs(LEASE_NS)); StoreClient writer = store.client();
            StoreClient other = store.client())
        {
            final int before = 6_000;
            put(writer, 0, before);
            final Set<String> seen = new HashSet<>();
            other.scan((key, value) ->
            {
                assertTrue(seen.add(key.getStringWithoutLengthUtf8(0, key.capacity())), "passed twice");
                if (seen.size() == 100)
                {
                    put(writer, before, KEYS);
                    awaitCutOff(store);
                }
            });
            for (int i = 0; i < before; i++)
            {
                assertTrue(seen.contains("key" + i), "left out");
            }
            assertTrue(awaitRelease(store).released() > 0);
            assertEquals(1, other.clientStatistics().reconnects());
            assertEquals(0, writer.clientStatistics().reconnects());
        }
    }

    private static void awaitCutOff(final TestStore store)
    {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        while (store.server().metrics().sessions().cutOff() == 0 || store.server().metrics().memory().released() == 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> store.server().metrics().toString());
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Index, split buckets and memory ahead of need included, for each record. */
    @Test
    void shouldHoldLittleMoreThanTheIndexInUse()
    {
        try (TestStore store = new TestStore(TestStore.options().memory(512L << 20).memoryInitial(0).shards(SHARDS)
            .roomWaitNs(ROOM_WAIT_NS));
            StoreClient client = store.client())
        {
            final long before = held(store);
            long most = 0;
            for (int i = 0; i < RECORDS; i += 5_000)
            {
                put(client, i, i + 5_000);
                most = i < RECORDS / 2 ? 0 : Math.max(most, (held(store) - before) / (i + 5_000));
            }
            awaitRelease(store);
            // Clients still confirm that they need no longer what was split last.
            final long endNs = System.nanoTime() + PATIENCE_NS;
            double bytes = (double)(held(store) - before) / RECORDS;
            while (bytes >= MOST_INDEX_BYTES && System.nanoTime() - endNs < 0)
            {
                LockSupport.parkNanos(1_000_000);
                bytes = (double)(held(store) - before) / RECORDS;
            }
            System.out.printf("index: %.1f bytes per record, %d at most meanwhile, %.1f in use%n", bytes, most,
                (double)indexInUse(store) / RECORDS);
            assertTrue(bytes < MOST_INDEX_BYTES, "bytes=" + bytes);
            assertUnharmed(store, client);
        }
    }

    private static long held(final TestStore store)
    {
        return store.server().metrics().memory().used() - store.server().metrics().shards().stream()
            .mapToLong((shard) -> shard.table().heapBytesUsed()).sum();
    }
}
