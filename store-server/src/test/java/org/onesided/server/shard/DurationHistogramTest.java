package org.onesided.server.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.codec.Status;

class DurationHistogramTest
{
    @Test
    void shouldCountEachDurationInTheBucketOfItsBound()
    {
        assertEquals(0, DurationHistogram.bucketOf(0));
        for (int bucket = 0; bucket < DurationHistogram.BUCKETS; bucket++)
        {
            final long bound = DurationHistogram.upperBoundNs(bucket);
            assertEquals(bucket, DurationHistogram.bucketOf(bound), "bound=" + bound);
            assertEquals(bucket, DurationHistogram.bucketOf(bound - 1), "bound=" + bound);
            if (bucket > 0)
            {
                assertEquals(bucket, DurationHistogram.bucketOf(DurationHistogram.upperBoundNs(bucket - 1) + 1));
            }
        }
        assertEquals(256, DurationHistogram.upperBoundNs(0));
        assertEquals(512, DurationHistogram.upperBoundNs(1));
    }

    @Test
    void shouldKeepCountersApart()
    {
        final ShardCounters counters = new ShardCounters(true);
        for (final RequestKind kind : RequestKind.values())
        {
            for (int i = 0; i <= kind.ordinal(); i++)
            {
                counters.executed(kind);
            }
            counters.took(kind, System.nanoTime() - 1_000_000_000_000L);
        }
        counters.refused(Status.STORE_FULL);
        counters.refused(Status.PULL_FAILED);
        counters.refused(Status.PULL_FAILED);
        counters.add(ShardCounters.PULL_BYTES, 7);

        assertEquals(
            "{PUT=1, PUT_LARGE=2, DELETE=3, INCREMENT=4, APPEND=5, TOUCH=6, TTL=7, GET=8, RELEASE=9, STAT=10, " +
                "SNAPSHOT=11, LEASE=12}",
            counters.requests().toString());
        assertEquals(
            "{STORE_FULL=1, CHAIN_FULL=0, INVALID=0, CONFLICT=0, BUSY=0, PULL_FAILED=2, INDEX_FULL=0, " +
                "GROWTH_REFUSED=0, NOT_A_NUMBER=0, OUT_OF_BOUNDS=0, VALUE_TOO_LONG=0, STORAGE_FAILED=0, READ_ONLY=0}",
            counters.refusals().toString());
        assertEquals(3, counters.allRefusals());
        assertEquals(7, counters.get(ShardCounters.PULL_BYTES));
        for (int counter = ShardCounters.RESENT; counter < ShardCounters.PULL_BYTES; counter++)
        {
            assertEquals(0, counters.get(counter), "counter=" + counter);
        }
        counters.times().forEach((kind, times) ->
        {
            assertEquals(DurationHistogram.BUCKETS, times.counts().size());
            assertEquals(List.of(1L), times.counts().stream().filter((count) -> count != 0).toList(), kind.name());
            assertEquals(1, times.counts().get(DurationHistogram.BUCKETS - 1));
            assertTrue(times.sumNs() >= 1_000_000_000_000L);
        });
    }

    @Test
    void shouldMeasureNothingUnasked()
    {
        final ShardCounters counters = new ShardCounters(false);
        counters.took(RequestKind.STAT, 0);

        assertEquals(Map.of(), counters.times());
    }
}
