package org.onesided.tools.kvctl.stats;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;

/**
 * The share of lookups that found their key, since the server's start, and what it would be with other memory.
 *
 * @param now         with the memory that there is; empty without lookups.
 * @param withHalf    with half of it; empty where the server estimates nothing.
 * @param withDouble  with twice of it.
 */
record HitRatios(OptionalDouble now, OptionalDouble withHalf, OptionalDouble withDouble)
{
    /**
     * The estimates are differences to an estimate for the present memory: so their common error cancels.
     *
     * @param shards   of the server.
     * @param reported by all clients.
     */
    static HitRatios of(final List<ShardStatistics> shards, final ClientStatistics reported)
    {
        if (reported.gets() == 0)
        {
            return new HitRatios(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
        }
        final double now = 1 - (double)reported.misses() / reported.gets();
        return new HitRatios(
            OptionalDouble.of(now),
            other(shards, now, ShardStatistics::hitsHalf),
            other(shards, now, ShardStatistics::hitsDouble));
    }

    private static OptionalDouble other(
        final List<ShardStatistics> shards, final double now, final ToLongFunction<ShardStatistics> hits)
    {
        final long of = shards.stream().mapToLong(ShardStatistics::hitsOf).sum();
        final long more = shards.stream().mapToLong((shard) -> hits.applyAsLong(shard) - shard.hitsSame()).sum();
        return of == 0 ? OptionalDouble.empty() :
            OptionalDouble.of(Math.max(0, Math.min(1, now + (double)more / of)));
    }
}
