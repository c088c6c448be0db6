package org.onesided.server.eviction;

/**
 * The eviction of one shard: takes what clients report of their lookups. Belongs to the shard's thread, except
 * {@link #accesses}.
 */
public final class ShardEviction implements AccessListener
{
    private final AccessQueue accesses;

    private ShardEviction(final boolean isActive)
    {
        accesses = isActive ? new AccessQueue(this) : null;
    }

    /**
     * @param eviction of the table.
     * @return that of one shard.
     */
    public static ShardEviction of(final Eviction eviction)
    {
        return new ShardEviction(eviction != Eviction.NONE);
    }

    /**
     * @return the queue of sampled lookups for this shard, or null if it evicts nothing. Safe to ask from any thread.
     */
    public AccessQueue accesses()
    {
        return accesses;
    }

    /**
     * Goes on with what there is to do, a bounded amount.
     *
     * @return how much was done; 0 if there was nothing to do.
     */
    public int step()
    {
        return accesses != null && accesses.take() ? 1 : 0;
    }

    @Override
    public void onAccess(final long key, final boolean isFound, final int sampling)
    {
    }
}
