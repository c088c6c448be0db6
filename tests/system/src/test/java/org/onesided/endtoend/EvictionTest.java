package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.shard.ShardMetrics;
import org.onesided.testing.TestSize;

/** A full server that evicts takes every put, of any length, and gives back what it has. */
@Timeout(value = 900, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EvictionTest
{
    /** What a quick check divides memory and puts by. */
    private static final int PART = TestSize.of(1, 2);
    private static final int MEMORY = (16 << 20) / PART;

    private static TestStore store(final String device, final int shards)
    {
        return new TestStore(TestStore.options().device(device).shards(shards).memory(MEMORY).memoryInitial(4 << 20)
            .evict(Eviction.DENSITY).roomWaitNs(TimeUnit.SECONDS.toNanos(60)));
    }

    private static long evicted(final TestStore store)
    {
        return store.server().metrics().shards().stream().map(ShardMetrics::table)
            .mapToLong((table) -> table.evictedForHeap() + table.evictedForIndex()).sum();
    }

    private static long records(final TestStore store)
    {
        return store.server().metrics().shards().stream().mapToLong((shard) -> shard.table().records()).sum();
    }

    private static int present(final StoreClient client, final int count, final IntFunction<byte[]> value)
    {
        int present = 0;
        for (int i = 0; i < count; i++)
        {
            final byte[] found = client.get(TestStore.bytes("key" + i));
            if (found != null)
            {
                assertArrayEquals(value.apply(i), found);
                present++;
            }
        }
        return present;
    }

    static Stream<Arguments> puts()
    {
        return TestSize.first(3, List.of(
            Arguments.of("shm", 1, 100, 200_000), Arguments.of("tcp", 1, 1000, 30_000),
            Arguments.of("shm", 2, 20_000, 3000), Arguments.of("shm", 4, 8, 600_000),
            Arguments.of("shm", 1, 200_000, 300)));
    }

    @ParameterizedTest
    @MethodSource("puts")
    void shouldTakeEveryPut(final String device, final int shards, final int length, final int puts)
    {
        final int count = puts / PART;
        final IntFunction<byte[]> value = (i) -> TestStore.randomBytes(length, i);
        try (TestStore store = store(device, shards); StoreClient client = store.client())
        {
            for (int i = 0; i < count; i++)
            {
                client.put(TestStore.bytes("key" + i), value.apply(i));
            }
            // Records may leave until there is some room for the next puts.
            final long before = records(store);
            final int present = present(client, count, value);
            final long after = records(store);
            assertTrue(before >= present && present >= after, before + " " + present + " " + after);
            assertTrue(count - before > count / 10, "records=" + before);
            assertEquals(count, after + evicted(store));
            assertTrue(store.server().metrics().memory().committed() > MEMORY * 0.97,
                "committed=" + store.server().metrics().memory().committed());
        }
    }

    @Test
    void shouldLetManyShortValuesLeaveForALongOne()
    {
        try (TestStore store = store("shm", 1); StoreClient client = store.client())
        {
            for (int i = 0; i < 150_000 / PART; i++)
            {
                client.put("key" + i, "a short value");
            }
            for (int i = 0; i < 20; i++)
            {
                final byte[] value = TestStore.randomBytes(1 << 20, i);
                client.put(TestStore.bytes("long" + i), value);
                assertArrayEquals(value, client.get(TestStore.bytes("long" + i)));
                client.put("key" + i, "a short value");
            }
            final byte[] longer = TestStore.randomBytes(MEMORY / 2, 1);
            client.put(TestStore.bytes("longer"), longer);
            assertArrayEquals(longer, client.get(TestStore.bytes("longer")));
        }
    }

    @Test
    void shouldRefuseAValueThatCannotFit()
    {
        try (TestStore store = store("shm", 1); StoreClient client = store.client())
        {
            client.put("key", "value");
            assertThrows(StoreFullException.class, () -> client.put(TestStore.bytes("long"), new byte[17 << 20]));
            assertEquals("value", client.get("key"));
            assertEquals(0, evicted(store));
        }
    }
}
