package org.onesided.client.read;

import org.onesided.client.session.Attachment;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;

/**
 * Where a sweep over the buckets of a table stands: shard by shard, overflow buckets behind the others if it takes them
 * in, in chunks that one READ brings. Not thread-safe.
 */
final class BucketSweep
{
    /** Buckets of the longest chunk. */
    static final int CHUNK_BUCKETS = 512;
    /** Length of the longest chunk in bytes. */
    static final int CHUNK_LENGTH = CHUNK_BUCKETS * BucketDescriptor.LENGTH;

    private final Table table;
    private final boolean takesOverflow;
    private int shard;
    private long index;

    private BucketSweep(final Table table, final boolean takesOverflow)
    {
        this.table = table;
        this.takesOverflow = takesOverflow;
    }

    /** Over all buckets. */
    static BucketSweep overAll(final Table table)
    {
        return new BucketSweep(table, true);
    }

    /** Over the first buckets of all chains. */
    static BucketSweep overChains(final Table table)
    {
        return new BucketSweep(table, false);
    }

    boolean isDone()
    {
        return shard == table.shardCount();
    }

    int shard()
    {
        return shard;
    }

    /** Index in the shard of the chunk's first bucket. */
    long index()
    {
        return index;
    }

    /** Buckets of this chunk; they are neighbours in the region. */
    int count()
    {
        final long buckets = table.shard(shard).bucketCount();
        final long end = index < buckets ? buckets : table.bucketCount(shard);
        return (int)Math.min(CHUNK_BUCKETS, end - index);
    }

    void read(final Attachment attachment, final RegisteredBuffer space, final Counters counters)
    {
        final long length = (long)count() * BucketDescriptor.LENGTH;
        attachment.reader().read(shard, table.bucketOffset(shard, index), length, space, 0);
        counters.increment(Counters.BUCKET_READS);
        counters.add(Counters.BYTES_READ, length);
    }

    void advance()
    {
        index += count();
        if (index == (takesOverflow ? table.bucketCount(shard) : table.shard(shard).bucketCount()))
        {
            shard++;
            index = 0;
        }
    }
}
