package org.onesided.server.table;

import org.onesided.protocol.table.Superblock;

/**
 * Grows a shard's index, and tells readers in the superblock how far that has come. Belongs to the shard's thread.
 */
final class IndexGrowth
{
    private final long region;
    private final int shard;
    private final BucketSplitter splitter;

    /**
     * @param region raw address of the superblock.
     * @param shard  number of the shard.
     */
    IndexGrowth(final long region, final int shard, final BucketSplitter splitter)
    {
        this.region = region;
        this.shard = shard;
        this.splitter = splitter;
    }

    /** As {@link BucketSplitter#split}. */
    int grow(final long recordCount, final int maxBuckets)
    {
        return published(splitter.split(recordCount, maxBuckets));
    }

    /** As {@link BucketSplitter#splitTo}. */
    int growTo(final long bucketCount, final int maxBuckets)
    {
        return published(splitter.splitTo(bucketCount, maxBuckets));
    }

    private int published(final int count)
    {
        if (count > 0)
        {
            publish();
            splitter.retire();
        }
        return count;
    }

    void publish()
    {
        Superblock.splitPoint(region, shard, splitter.point());
    }
}
