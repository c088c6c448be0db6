package org.onesided.server.memory;

/**
 * Gives the parts of a shard the segments that its share of the memory allows. Thread-safe.
 *
 * @param shares   of the memory.
 * @param pool     that the shard's segments come of.
 * @param refusals of the system.
 * @param onWanted wakes the growth thread.
 */
record ShareSource(MemoryShares shares, MemoryPool pool, GrowthRefusals refusals, Runnable onWanted)
    implements SegmentSource
{
    @Override
    public boolean isRefused()
    {
        return refusals.isRefused();
    }

    @Override
    public long left(final boolean isIndex)
    {
        return shares.left(pool, isIndex);
    }

    @Override
    public long ahead(final long usable, final boolean isIndex)
    {
        return shares.plan().ahead(usable, shares.ofAll(left(isIndex)), isIndex);
    }

    @Override
    public void wakeUp()
    {
        onWanted.run();
    }

    @Override
    public void onTaken(final long length)
    {
        if (shares.isDivided())
        {
            pool.take(length);
        }
    }

    @Override
    public void onGiven(final long length)
    {
        if (shares.isDivided())
        {
            pool.give(length);
        }
    }
}
