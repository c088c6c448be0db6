package org.onesided.client.request;

import java.util.Arrays;

/**
 * The extent that each shard lent for a lookup which does not read it after all: it goes back before the next request
 * to the shard. Not thread-safe.
 */
public final class OwedExtents
{
    private final long[] extents;

    OwedExtents(final int shards)
    {
        extents = new long[shards];
    }

    /**
     * An extent is to be given back.
     *
     * @param shard  that lent it.
     * @param extent by its table offset, or 0 for none.
     */
    public void owe(final int shard, final long extent)
    {
        extents[shard] = extent;
    }

    /** The extent that a shard is owed, or 0. */
    long of(final int shard)
    {
        return extents[shard];
    }

    /** The server has other memory, in which another record may be at that place. */
    void forget()
    {
        Arrays.fill(extents, 0);
    }
}
