package org.onesided.client.session;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;

/**
 * One epoch of one life of a table: its seeds, its layout, and the mirror of its buckets. Sessions attached to the
 * same share it; a session that attaches to another gets another, mirror and all. Thread-safe.
 */
public final class Table
{
    private static final MemoryRange NO_MEMORY = new MemoryRange(0, 0);

    private final Superblock superblock;
    private final KeyHash keyHash;
    private final RecordCheck recordCheck;
    private final ShardLayout[] shards;
    private final long[] firstNumbers;
    private final DeviceMemory mirrorMemory;
    private final Mirror mirror;
    private final AtomicInteger users = new AtomicInteger(1);

    /**
     * @param reserve gives memory of this process, zeroed, of a length in bytes; freed with the table.
     */
    Table(final Superblock superblock, final long mirrorBytes, final LongFunction<DeviceMemory> reserve)
    {
        this.superblock = superblock;
        keyHash = new KeyHash(superblock.hashSeed());
        recordCheck = new RecordCheck(superblock.checkSeed());
        shards = superblock.shards().toArray(ShardLayout[]::new);
        firstNumbers = new long[shards.length];
        long buckets = 0;
        for (int i = 0; i < shards.length; i++)
        {
            firstNumbers[i] = buckets;
            buckets += bucketCount(i);
        }
        final long mirrorLength = Mirror.length(mirrorBytes, buckets);
        mirrorMemory = mirrorLength == 0 ? null : reserve.apply(mirrorLength);
        mirror = new Mirror(mirrorMemory == null ? NO_MEMORY : mirrorMemory.range());
    }

    /** Counts one more user; whoever made the table is the first. */
    void retain()
    {
        users.incrementAndGet();
    }

    /** One user less; the last frees the mirror. */
    void release()
    {
        if (users.decrementAndGet() == 0 && mirrorMemory != null)
        {
            mirrorMemory.close();
        }
    }

    Superblock superblock()
    {
        return superblock;
    }

    /**
     * @return the tag of live buckets.
     */
    public long epoch()
    {
        return superblock.epoch();
    }

    /**
     * @return how many shards it has.
     */
    public int shardCount()
    {
        return shards.length;
    }

    /**
     * @param index of a shard.
     * @return its layout.
     */
    public ShardLayout shard(final int index)
    {
        return shards[index];
    }

    /**
     * @return the check of its records.
     */
    public RecordCheck recordCheck()
    {
        return recordCheck;
    }

    /**
     * @return the mirror of its buckets.
     */
    public Mirror mirror()
    {
        return mirror;
    }

    /**
     * @param keyAddress of a key.
     * @param keyLength  in bytes.
     * @return its hash.
     */
    public long hash(final long keyAddress, final int keyLength)
    {
        return keyHash.hash(keyAddress, keyLength);
    }

    /**
     * @param shard of the buckets.
     * @return how many it has, with the overflow buckets, which are behind the others.
     */
    public long bucketCount(final int shard)
    {
        return shards[shard].bucketCount() + shards[shard].overflowCount();
    }

    /**
     * @param shard of the bucket.
     * @param index in the shard, counted as in {@link #bucketCount}.
     * @return its table offset.
     */
    public long bucketOffset(final int shard, final long index)
    {
        final ShardLayout layout = shards[shard];
        return index < layout.bucketCount() ?
            layout.bucketOffset(index) : layout.overflowOffset(index - layout.bucketCount());
    }

    /**
     * The inverse of {@link #bucketOffset}.
     *
     * @param shard  of the bucket.
     * @param offset in the table.
     * @return index of the bucket in the shard; -1 if no bucket of the shard begins there.
     */
    public long bucketIndex(final int shard, final long offset)
    {
        final ShardLayout layout = shards[shard];
        if (offset % BucketDescriptor.LENGTH != 0)
        {
            return -1;
        }
        final long index = (offset - layout.buckets()) / BucketDescriptor.LENGTH;
        if (offset >= layout.buckets() && index < layout.bucketCount())
        {
            return index;
        }
        final long overflow = (offset - layout.overflow()) / BucketDescriptor.LENGTH;
        return offset >= layout.overflow() && overflow < layout.overflowCount() ?
            layout.bucketCount() + overflow : -1;
    }

    /**
     * @param overflow number of the overflow bucket that a header names as the next.
     * @param shard    of the chain.
     * @return its index; -1 if there is none, or none such.
     */
    public long overflowIndex(final int shard, final long overflow)
    {
        final ShardLayout layout = shards[shard];
        return overflow >= 0 && overflow < layout.overflowCount() ? layout.bucketCount() + overflow : -1;
    }

    /**
     * @param shard of the bucket.
     * @param index in the shard, counted as in {@link #bucketCount}.
     * @return its number in the mirror.
     */
    public long bucketNumber(final int shard, final long index)
    {
        return firstNumbers[shard] + index;
    }
}
