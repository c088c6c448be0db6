package org.onesided.client.session;

/**
 * Memory that the server is about to give back, as it announced: of each shard, the buckets that are split at a point;
 * and segments. Immutable.
 */
final class RetiredMemory
{
    private final long epoch;
    private final long removal;
    private final long[] splitPoints;

    /**
     * @param epoch       of the release.
     * @param removal     the last epoch with which segments go.
     * @param splitPoints of the shards, in their order; none if nothing was announced yet.
     */
    RetiredMemory(final long epoch, final long removal, final long... splitPoints)
    {
        this.epoch = epoch;
        this.removal = removal;
        this.splitPoints = splitPoints.clone();
    }

    long epoch()
    {
        return epoch;
    }

    /** Whether a table has such shards and buckets. */
    boolean fits(final Table table)
    {
        boolean fits = splitPoints.length == table.shardCount() && removal >= 0 && removal <= epoch;
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

    /** Whether segments go that whoever knows of another one may know. */
    boolean removesSegmentsSince(final RetiredMemory known)
    {
        return removal > known.epoch;
    }
}
