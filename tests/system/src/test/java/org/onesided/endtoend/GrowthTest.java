package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;
import static org.onesided.endtoend.TestStore.randomBytes;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.types.ClientStatistics;
import org.onesided.server.ServerOptions;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.testing.TestSize;
import org.onesided.verbs.shm.MountedSharedMemory;

/** A table that starts small and grows while clients use it. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GrowthTest
{
    private static final int KEYS = 20_000;
    private static final int MAX_COLLISIONS = 5;
    private static final int LENGTH = 1_000;
    /** The thread that prepares memory may be late on a busy machine. */
    private static final long ROOM_WAIT_NS = TimeUnit.SECONDS.toNanos(15);

    private static ServerOptions options(final String device)
    {
        return TestStore.options().device(device.equals("tcp") ? "tcp:127.0.0.1:0" : device)
            .memory(64L << 20).memoryInitial(0).shards(2).roomWaitNs(ROOM_WAIT_NS);
    }

    private static byte[] value(final int number)
    {
        return randomBytes(LENGTH + number % 100, number);
    }

    static Stream<String> devices()
    {
        return TestSize.devices("shm", "tcp");
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldGrowUnderClientsFromBeforeAndAfter(final String device)
    {
        try (TestStore store = new TestStore(options(device));
            StoreClient writer = store.client();
            StoreClient before = store.client();
            StoreSession early = before.openSession())
        {
            final MemoryMetrics first = store.server().metrics().memory();
            assertTrue(first.committed() < 16 << 20, first.toString());
            for (int i = 0; i < KEYS; i++)
            {
                writer.put(bytes("key" + i), value(i));
                if (i % 100 == 0)
                {
                    assertArrayEquals(value(i), early.get(bytes("key" + i)));
                }
            }
            final MemoryMetrics grown = store.server().metrics().memory();
            assertTrue(grown.segments() > first.segments() + 20, grown.toString());
            assertTrue(grown.committed() > 20 << 20 && grown.committed() <= grown.limit(), grown.toString());
            assertEquals(64L << 20, grown.limit());
            assertTrue(grown.used() > 20 << 20 && grown.used() <= grown.committed(), grown.toString());
            assertEquals(0, grown.refusals());
            try (StoreSession late = before.openSession())
            {
                for (int i = 0; i < KEYS; i += 7)
                {
                    assertArrayEquals(value(i), late.get(bytes("key" + i)));
                    assertArrayEquals(value(i), early.get(bytes("key" + i)));
                }
                // The second lookup of a key that the mirror knows is one READ, in whichever segment the record is.
                final ClientStatistics then = late.clientStatistics();
                for (int i = 0; i < KEYS; i += 7)
                {
                    assertArrayEquals(value(i), late.get(bytes("key" + i)));
                }
                final ClientStatistics now = late.clientStatistics();
                final long lookups = (KEYS + 6) / 7;
                // A lookup takes three more if another key of its chain has the same fingerprint: a few in 10,000.
                assertTrue(now.reads() - then.reads() <= lookups + MAX_COLLISIONS * 3, now.toString());
                assertEquals(0, now.rpcGets());
            }
            assertEquals(0, before.clientStatistics().reconnects());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldGrowForALongValueAtOnce(final String device)
    {
        try (TestStore store = new TestStore(options(device).shards(1)); StoreClient client = store.client())
        {
            for (final int length : new int[] {300_000, 3 << 20, 20 << 20})
            {
                final byte[] value = randomBytes(length, length);
                client.put(bytes("long" + length), value);
                assertArrayEquals(value, client.get(bytes("long" + length)));
            }
            assertThrows(StoreFullException.class, () -> client.put(bytes("longest"), new byte[60 << 20]));
            assertArrayEquals(randomBytes(3 << 20, 3 << 20), client.get(bytes("long" + (3 << 20))));
        }
    }

    @Test
    void shouldGiveAllOfTheMemoryToOneShard()
    {
        try (TestStore store = new TestStore(options("shm")); StoreClient client = store.client())
        {
            // Keys of one shard only, by which of them takes the put.
            int put = 0;
            try
            {
                for (int i = 0; ; i++)
                {
                    final byte[] key = bytes("key" + i);
                    client.put(key, new byte[10_000]);
                    put++;
                    if (store.server().metrics().shards().get(1).table().records() > 0)
                    {
                        client.delete(key);
                        put--;
                    }
                }
            }
            catch (final StoreFullException e)
            {
                assertTrue(e.getMessage().contains("store is full"), e.getMessage());
            }
            final MemoryMetrics memory = store.server().metrics().memory();
            // A little is kept for the index.
            assertTrue(memory.limit() - memory.committed() < (64 << 10) + memory.limit() / 64, memory.toString());
            assertTrue(put * 10_040L > memory.limit() * 8 / 10, "puts=" + put + " " + memory);
        }
    }

    @Test
    void shouldServeReadersWhileItGrows() throws InterruptedException
    {
        try (TestStore store = new TestStore(options("shm")); StoreClient client = store.client())
        {
            client.put(bytes("always"), value(0));
            final AtomicBoolean isOver = new AtomicBoolean();
            final AtomicReference<Throwable> failure = new AtomicReference<>();
            final Thread reader = new Thread(() ->
            {
                try (StoreSession session = client.openSession())
                {
                    while (!isOver.get())
                    {
                        assertArrayEquals(value(0), session.get(bytes("always")));
                    }
                }
                catch (final Throwable e)
                {
                    failure.set(e);
                }
            }, "reader");
            reader.start();
            for (int i = 0; i < KEYS; i++)
            {
                client.put(bytes("key" + i), value(i));
            }
            isOver.set(true);
            reader.join();
            assertNull(failure.get());
        }
    }

    @Test
    void shouldGoOnWhenSharedMemoryIsFullAndGrowOnceThereIsMore(@TempDir final Path directory) throws Exception
    {
        try (MountedSharedMemory mounted = MountedSharedMemory.at(directory, "size=24m");
            TestStore store = new TestStore(options("shm"));
            StoreClient client = store.client())
        {
            int count = 0;
            StoreFullException full = null;
            while (full == null)
            {
                try
                {
                    client.put(bytes("key" + count), value(count));
                    count++;
                }
                catch (final StoreFullException e)
                {
                    full = e;
                }
            }
            assertTrue(full.getMessage().contains("system refuses more memory"), full.getMessage());
            final MemoryMetrics memory = store.server().metrics().memory();
            assertTrue(memory.refusals() > 0 && memory.committed() > 12 << 20, memory.toString());
            assertArrayEquals(value(count - 1), client.get(bytes("key" + (count - 1))));
            assertTrue(client.delete(bytes("key0")));
            client.put(bytes("key0"), value(0));

            mounted.remount("size=128m");
            while (store.server().metrics().memory().committed() == memory.committed())
            {
                Thread.sleep(10);
            }
            final int more = 2 * count;
            for (int i = count; i < more; i++)
            {
                client.put(bytes("key" + i), value(i));
            }
            for (int i = 0; i < more; i += 11)
            {
                assertArrayEquals(value(i), client.get(bytes("key" + i)));
            }
        }
    }
}
