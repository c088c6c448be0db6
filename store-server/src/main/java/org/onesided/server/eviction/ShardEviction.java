package org.onesided.server.eviction;

import org.onesided.server.table.ShardTable;

/**
 * The eviction of one shard: takes what clients report of their lookups, and chooses the records that leave. Belongs to
 * the shard's thread, except {@link #accesses}.
 */
public final class ShardEviction
{
    private final AccessQueue accesses;
    private final SampledKeys sampledKeys;

    private ShardEviction(final AccessQueue accesses, final SampledKeys sampledKeys)
    {
        this.accesses = accesses;
        this.sampledKeys = sampledKeys;
    }

    /**
     * Lets records of a shard leave from here on when its memory is full.
     *
     * @param eviction says which.
     * @param table    of the shard.
     * @param seed     of the pseudo-random numbers that it takes, so that the same requests and reports have the same
     *                 effect.
     * @param isLogged whether records leave only when the shard's log says so.
     * @return what the shard has to do for that.
     */
    public static ShardEviction begin(
        final Eviction eviction, final ShardTable table, final long seed, final boolean isLogged)
    {
        if (eviction == Eviction.NONE)
        {
            return new ShardEviction(null, new SampledKeys());
        }
        final SampledKeys sampledKeys = new SampledKeys();
        final DensityPolicy policy = new DensityPolicy(table, seed, sampledKeys);
        if (isLogged)
        {
            table.evictions().beginChoosing(policy, seed);
        }
        else
        {
            table.evictions().begin(policy, seed);
        }
        return new ShardEviction(new AccessQueue(policy), sampledKeys);
    }

    /**
     * @return the queue of sampled lookups for this shard, or null if it evicts nothing. Safe to ask from any thread.
     */
    public AccessQueue accesses()
    {
        return accesses;
    }

    /**
     * @return of which keys clients are to report all lookups that find them. Safe to ask from any thread.
     */
    public SampledKeys sampledKeys()
    {
        return sampledKeys;
    }

    /**
     * Takes reported lookups, a bounded number.
     *
     * @return how much was done; 0 if there was nothing to do.
     */
    public int step()
    {
        return accesses != null && accesses.take() ? 1 : 0;
    }
}
