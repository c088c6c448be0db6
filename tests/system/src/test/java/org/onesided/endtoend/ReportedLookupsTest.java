package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.session.SessionMetrics;
import org.onesided.server.table.TableStatistics;
import org.onesided.testing.TestSize;

/** Clients report samples of their lookups to a server that evicts, and to no other. */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReportedLookupsTest
{
    private static final String VALUE = "v".repeat(2000);
    private static final long ENOUGH = 200;

    private static SessionMetrics metrics(final TestStore store)
    {
        return store.server().metrics().sessions();
    }

    private static void awaitReports(final TestStore store, final Runnable lookup)
    {
        final long before = metrics(store).sampled();
        while (metrics(store).sampled() < before + ENOUGH)
        {
            lookup.run();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldReportLookupsOfEveryKind(final String device)
    {
        try (TestStore store = new TestStore(TestStore.options().device(device).evict(Eviction.DENSITY));
            StoreClient client = store.client())
        {
            final List<String> keys = new ArrayList<>();
            for (int i = 0; i < 100; i++)
            {
                keys.add("key" + i);
                client.put(keys.get(i), VALUE);
            }
            final List<byte[]> bytes = keys.stream().map(TestStore::bytes).toList();
            awaitReports(store, () -> keys.forEach((key) -> assertEquals(VALUE, client.get(key))));
            awaitReports(store, () -> client.getAll(bytes, (index, value) -> assertNotNull(value)));
            awaitReports(store, () -> assertEquals(VALUE, client.async().get("key1").join()));
            awaitReports(store, () -> assertNull(client.get("absent")));
        }
    }

    @Test
    void shouldReportNothingToAServerThatEvictsNothing() throws InterruptedException
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            client.put("key", VALUE);
            final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
            while (System.nanoTime() - endNs < 0)
            {
                client.get("key");
            }
            // The statistics come with an answer of the server, so it has taken all that was sent before.
            assertTrue(client.reportedStatistics().gets() > 0);
            assertEquals(0, metrics(store).sampled() + metrics(store).unsampled());
        }
    }

    @Test
    void shouldEstimateWhatOtherMemoryWouldChange()
    {
        final SplittableRandom random = new SplittableRandom(1);
        try (TestStore store = new TestStore(
            TestStore.options().shards(1).memory(8 << 20).memoryInitial(8 << 20).evict(Eviction.DENSITY));
            StoreClient client = store.client())
        {
            TableStatistics table = table(store);
            while (table.hitsOf() < TestSize.of(300_000, 150_000))
            {
                for (int i = 0; i < 10_000; i++)
                {
                    // Some 4,000 of 20,000 records fit.
                    final String key = "key" + (int)(20_000 * Math.pow(random.nextDouble(), 2));
                    if (client.get(key) == null)
                    {
                        client.put(key, VALUE);
                    }
                }
                table = table(store);
            }
            assertTrue(table.evictedForHeap() > 0);
            assertTrue(table.hitsHalf() < table.hitsSame() && table.hitsSame() < table.hitsDouble(), "" + table);
            final double gained = (double)(table.hitsDouble() - table.hitsSame()) / table.hitsOf();
            assertTrue(gained > 0.05 && gained < 0.4, "gained=" + gained);
        }
    }

    private static TableStatistics table(final TestStore store)
    {
        return store.server().metrics().shards().get(0).table();
    }

    @Test
    void shouldGoOnReportingAfterAnIdleTime()
    {
        try (TestStore store = new TestStore(TestStore.options().evict(Eviction.DENSITY));
            StoreClient client = store.client())
        {
            client.put("key", VALUE);
            awaitReports(store, () -> client.get("key"));
            final long idle = metrics(store).sampled();
            assertTrue(client.reportedStatistics().gets() >= idle);
            awaitReports(store, () -> client.get("key"));
        }
    }
}
