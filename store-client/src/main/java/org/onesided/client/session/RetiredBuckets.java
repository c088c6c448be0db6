package org.onesided.client.session;

/**
 * Buckets whose memory the server is about to give back, as it announced: of each shard, those that are split at a
 * point. Immutable.
 */
final class RetiredBuckets
{
    private final long epoch;
    private final long[] splitPoints;

    /**
     * @param epoch       of the release.
     * @param splitPoints of the shards, in their order; none if nothing was announced yet.
     */
    RetiredBuckets(final long epoch, final long... splitPoints)
    {
        this.epoch = epoch;
        this.splitPoints = splitPoints.clone();
    }

    long epoch()
    {
        return epoch;
    }

    /** Whether a table has such shards and buckets. */
    boolean fits(final Table table)
    {
        boolean fits = splitPoints.length == table.shardCount();
        for (int i = 0; i < splitPoints.length && fits; i++)
        {
            fits = table.shard(i).isReachable(splitPoints[i]);
        }
        return fits;
    }

    /** Lets a table know, so that no lookup begins with such a bucket any more. */
    void applyTo(final Table table)
    {
        for (int i = 0; i < splitPoints.length; i++)
        {
            table.retire(i, splitPoints[i]);
        }
    }
}
