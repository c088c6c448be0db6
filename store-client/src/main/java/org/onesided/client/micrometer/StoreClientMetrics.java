package org.onesided.client.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.ToLongFunction;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ClientStatistics;
import org.onesided.waiting.LostWakeUps;

/**
 * Binds the counters of a {@link StoreClient} to a registry of Micrometer. They are read when the registry asks for
 * them, so operations cost what they cost without. The registry does not keep the client from being collected.
 *
 * <pre>
 * onesided.client.gets            {result=hit|miss}   lookups
 * onesided.client.reads           {of=bucket|record}  READs of the server's memory
 * onesided.client.reads.per.get                       on average, since the client was made
 * onesided.client.read.bytes                          bytes that READs brought
 * onesided.client.read.retries                        READs done again
 * onesided.client.mirror.hits                         lookups that needed no READ of a bucket
 * onesided.client.forward.hits                        those of them whose record had moved
 * onesided.client.gets.by.request                     lookups that had to ask the server
 * onesided.client.puts                                puts
 * onesided.client.put.bytes                           bytes of values put
 * onesided.client.deletes                             deletes
 * onesided.client.reconnects                          connections made after the first
 * onesided.client.lease.requests                      requests for leases, on a cluster
 * onesided.client.lease.wait                          seconds that lookups waited for a lease
 * onesided.client.lease.restarts                      lookups begun again because a lease ended
 * onesided.client.lost.wakeups                        sleeps until their cap though there was work: bugs, to be
 *                                                     reported; of all clients in the process
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class StoreClientMetrics implements MeterBinder
{
    private static final String PREFIX = "onesided.client.";
    private static final double NS_PER_S = 1e9;

    private final StoreClient client;
    private final Tags tags;

    /**
     * Without tags beyond those above.
     *
     * @param client to measure.
     */
    public StoreClientMetrics(final StoreClient client)
    {
        this(client, List.of());
    }

    /**
     * @param client to measure.
     * @param tags   of all its meters, to tell several clients apart.
     */
    public StoreClientMetrics(final StoreClient client, final Iterable<Tag> tags)
    {
        this.client = client;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(final MeterRegistry registry)
    {
        counter(registry, "gets", "lookups", ClientStatistics::hits, "result", "hit");
        counter(registry, "gets", "lookups", ClientStatistics::misses, "result", "miss");
        counter(registry, "reads", "READs of the server's memory", ClientStatistics::bucketReads, "of", "bucket");
        counter(registry, "reads", "READs of the server's memory", ClientStatistics::recordReads, "of", "record");
        Gauge.builder(PREFIX + "reads.per.get", client, (each) -> each.clientStatistics().readsPerGet())
            .description("READs that a lookup took on average")
            .tags(tags)
            .register(registry);
        bytes(registry, "read.bytes", "bytes that READs brought", ClientStatistics::bytesRead);
        counter(registry, "read.retries", "READs done again", ClientStatistics::retries);
        counter(registry, "mirror.hits", "lookups that needed no READ of a bucket", ClientStatistics::mirrorHits);
        counter(registry, "forward.hits", "mirror hits whose record had moved", ClientStatistics::forwardHits);
        counter(registry, "gets.by.request", "lookups that had to ask the server", ClientStatistics::rpcGets);
        counter(registry, "puts", "puts", ClientStatistics::puts);
        bytes(registry, "put.bytes", "bytes of values put", ClientStatistics::bytesPut);
        counter(registry, "deletes", "deletes", ClientStatistics::deletes);
        counter(registry, "reconnects", "connections made after the first", ClientStatistics::reconnects);
        counter(registry, "lease.requests", "requests for leases", ClientStatistics::leaseRequests);
        FunctionCounter
            .builder(PREFIX + "lease.wait", client, (each) -> each.clientStatistics().leaseWaitNs() / NS_PER_S)
            .description("time that lookups waited for a lease")
            .baseUnit("seconds")
            .tags(tags)
            .register(registry);
        counter(registry, "lease.restarts", "lookups begun again because a lease ended",
            ClientStatistics::leaseRestarts);
        counter(registry, "lost.wakeups", "sleeps until their cap though there was work, of all clients in the process",
            (statistics) -> LostWakeUps.total());
    }

    private void bytes(
        final MeterRegistry registry,
        final String name,
        final String description,
        final ToLongFunction<ClientStatistics> value)
    {
        builder(name, description, value).baseUnit("bytes").register(registry);
    }

    private void counter(
        final MeterRegistry registry,
        final String name,
        final String description,
        final ToLongFunction<ClientStatistics> value,
        final String... ownTags)
    {
        builder(name, description, value).tags(ownTags).register(registry);
    }

    private FunctionCounter.Builder<StoreClient> builder(
        final String name, final String description, final ToLongFunction<ClientStatistics> value)
    {
        return FunctionCounter
            .builder(PREFIX + name, client, (each) -> value.applyAsLong(each.clientStatistics()))
            .description(description)
            .tags(tags);
    }
}
