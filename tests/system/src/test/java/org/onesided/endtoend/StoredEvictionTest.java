package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.server.ServerOptions;
import org.onesided.server.data.DataOptions;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.log.SyncMode;
import org.onesided.server.shard.ShardMetrics;
import org.onesided.testing.HangGuard;
import org.onesided.testing.TestSize;

/** A full server that evicts from a store on disk takes every put, and has the same keys after a restart. */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoredEvictionTest
{
    /** What a quick check divides memory and puts by. */
    private static final int PART = TestSize.of(1, 2);
    private static final long MEMORY = (16 << 20) / PART;
    private static final String KEY = "key";
    /** Long entries: with interval, each is forced to the disk, and a segment of the log waits for all of its own. */
    private static final int BATCH = 1000;
    /** Of memory, with its part of the index, at most. */
    private static final int SHORT_RECORD = 100;

    @TempDir
    private Path folder;

    private ServerOptions options(final SyncMode sync)
    {
        return TestStore.options().shards(1).memory(MEMORY).memoryInitial(4 << 20).evict(Eviction.DENSITY)
            .roomWaitNs(TimeUnit.SECONDS.toNanos(60))
            .data(DataOptions.in(folder.resolve("data")).sync(sync).snapshotLog(16 << 20));
    }

    private static StoreClient client(final TestStore store)
    {
        return store.clientBuilder().deadline(Duration.ofSeconds(HangGuard.seconds(240))).build();
    }

    private static long evicted(final TestStore store)
    {
        return store.server().metrics().shards().stream().map(ShardMetrics::table)
            .mapToLong((table) -> table.evictedForHeap() + table.evictedForIndex()).sum();
    }

    private static byte[] value(final int i, final int length)
    {
        return TestStore.randomBytes(i % 100 == 0 ? 4 * length : length, i);
    }

    private static Set<Integer> present(final StoreClient client, final int count, final int length)
    {
        final Set<Integer> present = new HashSet<>();
        for (int i = 0; i < count; i++)
        {
            final byte[] found = client.get(TestStore.bytes(KEY + i));
            if (found != null)
            {
                assertArrayEquals(value(i, length), found);
                present.add(i);
            }
        }
        return present;
    }

    static Stream<Arguments> puts()
    {
        // The test below has short values, too.
        return TestSize.first(1, List.of(
            Arguments.of(SyncMode.ALWAYS, 1000, 20_000), Arguments.of(SyncMode.INTERVAL, 8, 300_000),
            Arguments.of(SyncMode.INTERVAL, 100_000, 1000)));
    }

    @ParameterizedTest
    @MethodSource("puts")
    void shouldTakeFarMoreThanFitsAndHaveTheSameAfterARestart(
        final SyncMode sync, final int length, final int puts)
    {
        final int count = Math.max(BATCH, puts / PART);
        final Set<Integer> before;
        try (TestStore store = new TestStore(options(sync)); StoreClient client = client(store))
        {
            for (int i = 0; i < count; i += BATCH)
            {
                putBatch(client, i, length);
            }
            assertTrue(evicted(store) > count / 5, "evicted=" + evicted(store));
            before = present(client, count, length);
            assertEquals(count, before.size() + evicted(store));
        }
        try (TestStore store = new TestStore(options(sync)); StoreClient client = client(store))
        {
            assertEquals(before, present(client, count, length));
            client.put(TestStore.bytes("new"), value(1, 10 * length));
            assertArrayEquals(value(1, 10 * length), client.get(TestStore.bytes("new")));
        }
        try (TestStore store = new TestStore(options(sync).evict(Eviction.NONE)); StoreClient client = client(store))
        {
            final Set<Integer> after = present(client, count, length);
            assertTrue(before.containsAll(after));
            assertTrue(after.size() > before.size() / 2, "before=" + before.size() + " after=" + after.size());
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

    /** The heap has taken all memory for a few long values, so the index gets none for many short ones. */
    @Test
    void shouldTakeShortValuesInPlaceOfLongOnes()
    {
        final int count = 200_000 / PART;
        final Set<Integer> before;
        try (TestStore store = new TestStore(options(SyncMode.INTERVAL)); StoreClient client = client(store))
        {
            for (int i = 0; i < 200 / PART; i++)
            {
                client.put(TestStore.bytes("long" + i), TestStore.randomBytes(200_000, i));
            }
            for (int i = 0; i < count; i += BATCH)
            {
                putBatch(client, i, 8);
            }
            before = present(client, count, 8);
            // The heap gave the index what it could do without.
            assertTrue(before.size() > MEMORY / 2 / SHORT_RECORD, "records=" + before.size());
        }
        try (TestStore store = new TestStore(options(SyncMode.INTERVAL)); StoreClient client = client(store))
        {
            assertEquals(before, present(client, count, 8));
        }
    }

    @Test
    void shouldRefuseAValueThatCannotFit()
    {
        try (TestStore store = new TestStore(options(SyncMode.INTERVAL)); StoreClient client = client(store))
        {
            client.put(KEY, "value");
            assertThrows(StoreFullException.class, () -> client.put(TestStore.bytes("long"), new byte[17 << 20]));
            assertEquals("value", client.get(KEY));
            assertEquals(0, evicted(store));
        }
    }
}
