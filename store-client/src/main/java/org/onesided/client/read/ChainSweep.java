package org.onesided.client.read;

import org.onesided.client.session.Table;
import org.onesided.protocol.table.ShardLayout;

/**
 * Where a sweep over all chains of a table stands: shard by shard, and in the order of the hashes of their keys, in
 * chunks of neighbours. Splitting a bucket keeps that order, so a part of a shard that the sweep has left behind stays
 * behind, however the index grows meanwhile. Not thread-safe.
 */
final class ChainSweep
{
    private final Table table;
    private int shard;
    /** Where this chunk begins and where it ends, in buckets of the last level. */
    private long position;
    private long end;
    /** The end of all chunks of the shard so far. */
    private long furthest;
    private long index;
    private int count;

    ChainSweep(final Table table)
    {
        this.table = table;
        shard = table.firstShard();
    }

    boolean isDone()
    {
        return shard == table.endShard();
    }

    int shard()
    {
        return shard;
    }

    /** Index in the shard of the first bucket of the chunk's first chain. */
    long index()
    {
        return index;
    }

    /** Chains of this chunk; their first buckets are neighbours in the region. */
    int count()
    {
        return count;
    }

    /**
     * Leaves the chunk behind.
     *
     * @return whether no chunk so far has come further than this one: a chunk that was given up may have.
     */
    boolean advance()
    {
        position = end;
        final boolean isFurthest = position == furthest;
        final ShardLayout layout = table.shard(shard);
        if (position == (long)layout.firstBuckets() << layout.levels() - 1)
        {
            shard++;
            position = 0;
            furthest = 0;
        }
        return isFurthest;
    }

    /**
     * Chooses the next chunk, as far as splitting has come: the chains from the position on, in the one array that they
     * are in now. To be called before the chunk is READ, also for another time: buckets that are split may be gone.
     */
    void choose()
    {
        if (isDone())
        {
            return;
        }
        final ShardLayout layout = table.shard(shard);
        final long firstInUse = table.firstInUse(shard);
        int level = layout.level(firstInUse);
        final long split = firstInUse - layout.firstIndex(level);
        long last = (long)layout.firstBuckets() << level;
        if (position >> layout.levels() - 1 - level < split)
        {
            level++;
            last = 2 * split;
        }
        final int shift = layout.levels() - 1 - level;
        final long bucket = position >> shift;
        index = layout.firstIndex(level) + bucket;
        count = (int)Math.min(BucketSweep.CHUNK_BUCKETS, last - bucket);
        end = bucket + count << shift;
        furthest = Math.max(furthest, end);
    }
}
