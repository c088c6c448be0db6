package org.onesided.client.read;

import org.agrona.UnsafeApi;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;

/**
 * Fills the mirror, as far as it has room: shard by shard, the buckets in use, then the overflow buckets that they lead
 * to, in chunks that one READ brings. Buckets that are split meanwhile are behind those in use, so the sweep comes to
 * the new ones, too. Not thread-safe.
 */
final class BucketSweep
{
    /** Buckets of the longest chunk. */
    static final int CHUNK_BUCKETS = 512;
    /** Length of the longest chunk in bytes. */
    static final int CHUNK_LENGTH = CHUNK_BUCKETS * BucketDescriptor.LENGTH;

    private final Table table;
    /** Buckets of a shard that have lines in the mirror. */
    private final long share;
    private int shard;
    private long index;
    /** Where the shard's sweep began. */
    private long begin;
    /** Overflow buckets of the shard that the sweep has heard of, all of lower numbers included. */
    private long overflowCount;

    BucketSweep(final Table table)
    {
        this.table = table;
        shard = table.firstShard();
        share = table.mirrorCapacity() / (table.endShard() - table.firstShard());
        if (share == 0)
        {
            shard = table.endShard();
        }
        else
        {
            beginShard();
        }
    }

    private void beginShard()
    {
        begin = table.firstInUse(shard);
        index = begin;
        overflowCount = 0;
    }

    boolean isDone()
    {
        return shard == table.endShard();
    }

    /**
     * READs the next chunk, and lets the mirror have it. Passes over what was split meanwhile.
     *
     * @param space of {@link #CHUNK_LENGTH} bytes or more.
     * @return buckets that the mirror took.
     */
    int step(final Attachment attachment, final RegisteredBuffer space, final Counters counters)
    {
        if (!isOverflow(index) && index < table.firstInUse(shard))
        {
            index = table.firstInUse(shard);
            advance();
            return 0;
        }
        final int count = (int)Math.min(CHUNK_BUCKETS, end() - index);
        final long length = (long)count * BucketDescriptor.LENGTH;
        attachment.reader().read(shard, table.bucketOffset(shard, index), length, space, 0);
        counters.increment(Counters.BUCKET_READS);
        counters.add(Counters.BYTES_READ, length);
        int taken = 0;
        for (int i = 0; i < count; i++)
        {
            taken += take(
                index + i, space.addressOf((long)i * BucketDescriptor.LENGTH, BucketDescriptor.LENGTH)) ? 1 : 0;
        }
        index += count;
        advance();
        return taken;
    }

    private boolean take(final long bucket, final long address)
    {
        final long header = UnsafeApi.getLong(address);
        if (BucketDescriptor.isLive(header, table.epoch()))
        {
            overflowCount = Math.max(overflowCount, BucketDescriptor.overflow(header) + 1);
            table.mirror().refresh(table.bucketNumber(shard, bucket), address);
            return true;
        }
        if (BucketDescriptor.isMigrated(header, table.epoch()) && !isOverflow(bucket))
        {
            table.learnSplit(shard, bucket);
        }
        return false;
    }

    private boolean isOverflow(final long bucket)
    {
        return bucket >= table.shard(shard).bucketCount();
    }

    /** Where the buckets end that are like the next one, and in one array with it. */
    private long end()
    {
        final ShardLayout layout = table.shard(shard);
        if (isOverflow(index))
        {
            final long most = Math.min(layout.overflowCount(), share);
            return layout.bucketCount() + Math.min(overflowCount, most);
        }
        final long inUse = Math.min(layout.child(table.firstInUse(shard)), begin + share);
        return Math.min(inUse, layout.firstIndex(layout.level(index) + 1));
    }

    private void advance()
    {
        final long buckets = table.shard(shard).bucketCount();
        if (!isOverflow(index) && index >= end())
        {
            index = buckets;
        }
        if (isOverflow(index) && index >= end())
        {
            shard++;
            if (!isDone())
            {
                beginShard();
            }
        }
    }
}
