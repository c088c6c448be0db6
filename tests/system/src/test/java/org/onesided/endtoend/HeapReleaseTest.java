package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.server.ServerOptions;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.testing.TestSize;

/** Memory that records leave free goes back to the system, under sessions that go on. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeapReleaseTest
{
    private static final int KEYS = TestSize.of(24_000, 6_000);
    private static final int STABLE = 1_000;
    private static final int LENGTH = 1_000;
    private static final int SHARDS = 2;
    private static final int ROUNDS = TestSize.of(3, 2);
    private static final long MEMORY = 32 << 20;
    private static final long LEAST_SEGMENT = 64 << 10;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    /** Of puts, until memory has come: on a busy machine its thread may be late. Shorter than a client's deadline. */
    private static final long ROOM_WAIT_NS = TimeUnit.SECONDS.toNanos(15);

    private static ServerOptions options(final String device)
    {
        return TestStore.options().device(device.equals("tcp") ? "tcp:127.0.0.1:0" : device)
            .memory(MEMORY).memoryInitial(0).shards(SHARDS).memoryReleaseNs(TimeUnit.MILLISECONDS.toNanos(100))
            .roomWaitNs(ROOM_WAIT_NS);
    }

    private static byte[] key(final int number)
    {
        return bytes("key" + number);
    }

    private static byte[] value(final int number)
    {
        return TestStore.randomBytes(LENGTH, number);
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

    /** Deletes all but one of ten, spread over the whole heap. */
    private static void deleteMost(final StoreClient client)
    {
        for (int i = STABLE; i < KEYS; i++)
        {
            if (i % 10 != 0)
            {
                assertTrue(client.delete(key(i)));
            }
        }
    }

    private static void awaitCommitted(final TestStore store, final long most)
    {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        MemoryMetrics memory = store.server().metrics().memory();
        while (memory.committed() > most)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> store.server().metrics().memory().toString());
            LockSupport.parkNanos(1_000_000);
            memory = store.server().metrics().memory();
        }
    }

    private static void assertUnharmed(final TestStore store, final StoreClient... clients)
    {
        for (final StoreClient client : clients)
        {
            assertEquals(0, client.clientStatistics().reconnects());
        }
        assertEquals(0, store.server().metrics().sessions().cutOff());
    }

    private static void assertThere(final StoreSession session, final int step)
    {
        for (int i = 0; i < KEYS; i += step)
        {
            assertArrayEquals(value(i), session.get(key(i)));
        }
        assertNull(session.get(bytes("absent")));
    }

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldGiveMemoryBackAndTakeItAgain(final String device)
    {
        try (TestStore store = new TestStore(options(device));
            StoreClient writer = store.client();
            StoreClient other = store.client();
            StoreSession idle = other.openSession();
            StoreSession used = other.openSession())
        {
            put(writer, 0, KEYS);
            final long full = store.server().metrics().memory().committed();
            assertThere(used, 1);
            final byte[] long1 = TestStore.randomBytes(1 << 20, 1);
            writer.put(bytes("long"), long1);
            deleteMost(writer);
            awaitCommitted(store, full * 2 / 3);

            // What its mirror says of deleted keys leads to memory that is gone.
            for (int i = STABLE + 1; i < KEYS; i += 10)
            {
                assertNull(used.get(key(i)));
            }
            assertThere(used, 10);
            assertThere(idle, 10);
            assertArrayEquals(long1, idle.get(bytes("long")));
            put(writer, STABLE, KEYS);
            try (StoreSession late = other.openSession())
            {
                assertThere(late, 3);
            }
            assertThere(idle, 1);
            final long reads = idle.clientStatistics().reads();
            assertThere(idle, 1);
            assertEquals(KEYS, idle.clientStatistics().reads() - reads, 20);
            assertUnharmed(store, writer, other);
            final long released =
                used.statistics().stream().mapToLong((shard) -> shard.heapReleasedBytes()).sum();
            assertTrue(released > full / 4, "released=" + released + " full=" + full);
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldDoSoUnderReaders(final String device) throws InterruptedException
    {
        try (TestStore store = new TestStore(options(device));
            StoreClient writer = store.client();
            StoreClient reader = store.client())
        {
            put(writer, 0, STABLE);
            final ReaderThreads readers =
                new ReaderThreads(reader, STABLE, HeapReleaseTest::key, HeapReleaseTest::value);
            try
            {
                for (int round = 0; round < ROUNDS && !readers.haveFailed(); round++)
                {
                    for (int i = STABLE; i < KEYS; i += STABLE)
                    {
                        put(writer, i, i + STABLE);
                    }
                    final long full = store.server().metrics().memory().committed();
                    deleteMost(writer);
                    awaitCommitted(store, full * 2 / 3);
                }
            }
            finally
            {
                readers.stop();
            }
            assertUnharmed(store, writer, reader);
        }
    }

    /** A session that does not confirm holds back what goes to the system, but not what the shard needs. */
    @ParameterizedTest
    @MethodSource("devices")
    void shouldTakeBackWhatASessionHoldsUp(final String device)
    {
        try (TestStore store = new TestStore(options(device));
            StoreClient writer = store.client();
            StoreClient other = store.client();
            StoreClient blocked = store.client();
            StoreSession session = other.openSession())
        {
            put(writer, 0, KEYS);
            assertThere(session, 1);
            final MemoryMetrics before = store.server().metrics().memory();
            blocked.getAll(List.of(key(0), key(1)), (i, value) ->
            {
                if (i == 0)
                {
                    deleteMost(writer);
                    awaitRetired(store, before.retired() + LEAST_SEGMENT);
                    assertThere(session, 10);
                    put(writer, STABLE, KEYS);
                    assertThere(session, 1);
                }
            });
            final long reads = session.clientStatistics().reads();
            assertThere(session, 1);
            assertEquals(KEYS, session.clientStatistics().reads() - reads, 20);
            final MemoryMetrics after = store.server().metrics().memory();
            // What the index had retired before may be gone.
            assertTrue(after.committed() >= before.committed() - before.retired(), before + " " + after);
            assertUnharmed(store, writer, other, blocked);
        }
    }

    private static void awaitRetired(final TestStore store, final long least)
    {
        final long endNs = System.nanoTime() + PATIENCE_NS;
        while (store.server().metrics().memory().retired() < least)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> store.server().metrics().memory().toString());
            LockSupport.parkNanos(1_000_000);
        }
    }
}
