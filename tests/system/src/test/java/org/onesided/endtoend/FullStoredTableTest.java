package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.server.ServerOptions;
import org.onesided.server.data.DataOptions;
import org.onesided.server.log.SyncMode;
import org.onesided.testing.HangGuard;
import org.onesided.testing.TestSize;

/** A store on disk that is full starts again with as much memory. */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullStoredTableTest
{
    private static final long MEMORY = TestSize.of(16 << 20, 8 << 20);
    private static final String KEY = "key";
    private static final int LONG = 100_000;
    private static final int SHORT = 8;
    /** Of memory, with its part of the index, at most. */
    private static final int SHORT_RECORD = 100;
    /** Long entries: with interval, each is forced to the disk, and a segment of the log waits for all of its own. */
    private static final int BATCH = 1000;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    @TempDir
    private Path folder;

    private ServerOptions options()
    {
        return TestStore.options().shards(1).memory(MEMORY).memoryInitial(4 << 20).roomWaitNs(0)
            .data(DataOptions.in(folder.resolve("data")).sync(SyncMode.INTERVAL).snapshotLog(16 << 20));
    }

    private static StoreClient client(final TestStore store)
    {
        return store.clientBuilder().deadline(Duration.ofSeconds(HangGuard.seconds(240))).build();
    }

    private static byte[] value(final int i, final int length)
    {
        return TestStore.randomBytes(i % 100 == 0 ? 4 * length : length, i);
    }

    /** The index gives memory back while it grows, which is slower than reading a table back. */
    @ParameterizedTest
    @ValueSource(ints = {16, 1000})
    void shouldReadBackAFullTable(final int length)
    {
        final ServerOptions options = options();
        int count = 0;
        try (TestStore store = new TestStore(options); StoreClient client = client(store))
        {
            boolean isFull = false;
            while (!isFull)
            {
                try
                {
                    putBatch(client, count, length);
                    count += BATCH;
                }
                catch (final StoreBatchException e)
                {
                    isFull = true;
                }
            }
            client.snapshot();
            awaitSnapshot(store);
        }
        try (TestStore store = new TestStore(options.listenPort(0)); StoreClient client = client(store))
        {
            for (int i = 0; i < count; i += 100)
            {
                assertArrayEquals(value(i, length), client.get(TestStore.bytes(KEY + i)));
            }
        }
    }

    /** What is written must have a place in the index, which needs much more for short values than for long ones. */
    @Test
    void shouldTakeShortValuesInPlaceOfLongOnes()
    {
        final ServerOptions options = options().roomWaitNs(TimeUnit.SECONDS.toNanos(1));
        int count = 0;
        try (TestStore store = new TestStore(options); StoreClient client = client(store))
        {
            final int longs = fillWithLongValues(client);
            for (int i = 0; i < longs; i++)
            {
                client.delete(TestStore.bytes("long" + i));
            }
            boolean isFull = false;
            while (!isFull)
            {
                try
                {
                    putBatch(client, count, SHORT);
                    count += BATCH;
                }
                catch (final StoreBatchException e)
                {
                    assertInstanceOf(StoreFullException.class, e.getCause());
                    isFull = true;
                }
            }
            // Long values left the index less than a thirtieth of that.
            assertTrue(count > MEMORY / 2 / SHORT_RECORD, "count=" + count);
            check(client, count);
        }
        try (TestStore store = new TestStore(options.listenPort(0)); StoreClient client = client(store))
        {
            check(client, count);
        }
    }

    private static int fillWithLongValues(final StoreClient client)
    {
        for (int i = 0; ; i++)
        {
            try
            {
                client.put(TestStore.bytes("long" + i), TestStore.randomBytes(LONG, i));
            }
            catch (final StoreFullException e)
            {
                assertTrue(i > MEMORY / 2 / LONG, "values=" + i);
                return i;
            }
        }
    }

    private static void check(final StoreClient client, final int count)
    {
        for (int i = 0; i < count; i += 100)
        {
            assertArrayEquals(value(i, SHORT), client.get(TestStore.bytes(KEY + i)));
        }
    }

    private static void putBatch(final StoreClient client, final int from, final int length)
    {
        final List<byte[]> keys = new ArrayList<>();
        final List<byte[]> values = new ArrayList<>();
        for (int i = from; i < from + BATCH; i++)
        {
            keys.add(TestStore.bytes(KEY + i));
            values.add(value(i, length));
        }
        client.putAll(keys, values);
    }

    private static void awaitSnapshot(final TestStore store)
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(60));
        while (store.server().metrics().shards().get(0).durability().snapshotIndex() <= 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, "no snapshot is written");
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
