package org.onesided.client;

import org.onesided.protocol.table.BucketDescriptor;

/**
 * Where a sweep over all buckets of a table stands: shard by shard, overflow buckets behind the others, in chunks that
 * one READ brings. Not thread-safe.
 */
final class BucketSweep
{
    /** Buckets of the longest chunk. */
    static final int CHUNK_BUCKETS = 512;
    /** Length of the longest chunk in bytes. */
    static final int CHUNK_LENGTH = CHUNK_BUCKETS * BucketDescriptor.LENGTH;

    private final Table table;
    private int shard;
    private long index;

    BucketSweep(final Table table)
    {
        this.table = table;
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
        attachment.reads().reader().read(shard, table.bucketOffset(shard, index), length, space, 0);
        counters.increment(Counters.BUCKET_READS);
        counters.add(Counters.BYTES_READ, length);
    }

    void advance()
    {
        index += count();
        if (index == table.bucketCount(shard))
        {
            shard++;
            index = 0;
        }
    }
}
