package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.micrometer.StoreClientMetrics;
import org.onesided.client.micrometer.StoreClientTimers;
import org.onesided.testing.ProjectFolder;

class StoreClientMetricsTest
{
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void shouldCountWhatAClientDoes()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            new StoreClientMetrics(client, List.of(Tag.of("store", "cities"))).bindTo(registry);
            client.put("Oslo", "709,037");
            client.get("Oslo");
            client.get("Oslo");
            client.get("Lima");
            client.delete("Oslo");

            assertEquals(2, counter("gets", "result", "hit"));
            assertEquals(1, counter("gets", "result", "miss"));
            assertEquals(1, counter("puts"));
            assertEquals("709,037".length(), counter("put.bytes"));
            assertEquals(1, counter("deletes"));
            assertEquals(0, counter("reconnects"));
            assertEquals(0, counter("lease.requests"));
            assertEquals(0, counter("lease.wait"));
            assertEquals(0, counter("lease.restarts"));
            assertEquals(client.clientStatistics().bucketReads(), counter("reads", "of", "bucket"));
            assertEquals(client.clientStatistics().recordReads(), counter("reads", "of", "record"));
            assertEquals(client.clientStatistics().bytesRead(), counter("read.bytes"));
            assertEquals(client.clientStatistics().mirrorHits(), counter("mirror.hits"));
            assertEquals(
                client.clientStatistics().readsPerGet(),
                registry.get("onesided.client.reads.per.get").gauge().value());
        }
    }

    @Test
    void shouldMeasureWhatIsWrapped()
    {
        final StoreClientTimers timers = new StoreClientTimers(registry, List.of(Tag.of("store", "cities")));
        final StoreClient closed;
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            closed = client;
            timers.put(() -> client.put("Oslo", "709,037"));
            assertEquals("709,037", timers.get(() -> client.get("Oslo")));
            assertNull(timers.get(() -> client.get("Lima")));
            assertTrue(timers.delete(() -> client.delete("Oslo")));
        }
        assertThrows(RuntimeException.class, () -> timers.put(() -> closed.put("Oslo", "")));

        assertEquals(2, timer("get", "done").count());
        assertEquals(0, timer("get", "failed").count());
        assertEquals(1, timer("put", "done").count());
        assertEquals(1, timer("put", "failed").count());
        assertEquals(1, timer("delete", "done").count());
        assertTrue(timer("get", "done").totalTime(TimeUnit.NANOSECONDS) > 0);
    }

    private Timer timer(final String operation, final String result)
    {
        return registry.get("onesided.client.operations")
            .tags("store", "cities", "operation", operation, "result", result).timer();
    }

    @Test
    void shouldListEachMeterInItsDocumentation() throws Exception
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            new StoreClientMetrics(client).bindTo(registry);
        }
        final String source = Files.readString(ProjectFolder.ROOT.resolve(
            "store-client/src/main/java/org/onesided/client/micrometer/StoreClientMetrics.java"));
        final Set<String> documented = Pattern.compile("\\* (onesided\\.client\\.[a-z.]+) ").matcher(source).results()
            .map(MatchResult::group).map((match) -> match.substring(2).strip())
            .collect(Collectors.toCollection(TreeSet::new));

        final Set<String> there = registry.getMeters().stream()
            .map(Meter::getId).map(Meter.Id::getName).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(documented, there);
    }

    private double counter(final String name, final String... tags)
    {
        return registry.get("onesided.client." + name).tag("store", "cities").tags(tags).functionCounter().count();
    }
}
