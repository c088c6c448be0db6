package org.onesided.client.session;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongFunction;
import org.onesided.client.bootstrap.ServedShards;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SplitPoint;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;

/**
 * One epoch of a table in one memory: its seeds, its layout, how far its indexes are split, and the mirror of its
 * buckets. Sessions attached to the same share it; a session that attaches to another gets another, mirror and all.
 * Thread-safe.
 */
public final class Table
{
    private static final MemoryRange NO_MEMORY = new MemoryRange(0, 0);
    /** The mirror has 15 lines for buckets to one for overflow buckets; chains need no more, see the server. */
    private static final int PARTS = 16;
    private static final int BUCKET_PARTS = PARTS - 1;

    private final Superblock superblock;
    private final ServedShards served;
    private final int firstShard;
    private final int servedCount;
    private final long memoryId;
    private final KeyHash keyHash;
    private final RecordCheck recordCheck;
    private final ShardLayout[] shards;
    /** How far splitting has come, as far as it is known. */
    private final AtomicLongArray points;
    /** Of each shard, the first bucket that was in use when the table was attached to. */
    private final AtomicLongArray oldest;
    /** Of each shard, the first bucket that may be READ: the memory of those before it may be gone. */
    private final AtomicLongArray floors;
    private final DeviceMemory mirrorMemory;
    private final Mirror mirror;
    /** Lines of a sixteenth of the mirror, as a shift. */
    private final int partBits;
    private final AtomicInteger users = new AtomicInteger(1);

    /**
     * As the other, for sessions that are for all shards.
     *
     * @param memoryId names the memory that holds it.
     * @param reserve  gives memory of this process, zeroed, of a length in bytes; freed with the table.
     */
    Table(
        final Superblock superblock,
        final long memoryId,
        final long mirrorBytes,
        final LongFunction<DeviceMemory> reserve)
    {
        this(superblock, memoryId, ServedShards.all(superblock.shards().size()), mirrorBytes, reserve);
    }

    /**
     * @param memoryId names the memory that holds it.
     * @param served   the shards that are read.
     * @param reserve  gives memory of this process, zeroed, of a length in bytes; freed with the table.
     */
    Table(
        final Superblock superblock,
        final long memoryId,
        final ServedShards served,
        final long mirrorBytes,
        final LongFunction<DeviceMemory> reserve)
    {
        this.superblock = superblock;
        this.served = served;
        firstShard = served.first();
        servedCount = served.count();
        this.memoryId = memoryId;
        keyHash = new KeyHash(superblock.hashSeed());
        recordCheck = new RecordCheck(superblock.checkSeed());
        shards = superblock.shards().toArray(ShardLayout[]::new);
        points = new AtomicLongArray(shards.length);
        oldest = new AtomicLongArray(shards.length);
        floors = new AtomicLongArray(shards.length);
        long buckets = 0;
        for (int i = 0; i < shards.length; i++)
        {
            oldest.set(i, Long.MAX_VALUE);
            buckets = Math.max(buckets, shards[i].bucketCount());
        }
        buckets = buckets * servedCount / BUCKET_PARTS * PARTS + PARTS;
        final long mirrorLength = Mirror.length(mirrorBytes, buckets);
        mirrorMemory = mirrorLength == 0 ? null : reserve.apply(mirrorLength);
        mirror = new Mirror(mirrorMemory == null ? NO_MEMORY : mirrorMemory.range());
        partBits = Long.numberOfTrailingZeros(Math.max(PARTS, mirror.capacity()) / PARTS);
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

    /** Names the memory that holds the table. */
    long memoryId()
    {
        return memoryId;
    }

    /**
     * @return names the table.
     */
    public long id()
    {
        return superblock.tableId();
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
     * @return the first shard that is read; those that are read are neighbours.
     */
    public int firstShard()
    {
        return firstShard;
    }

    /**
     * @return the shard behind the last that is read.
     */
    public int endShard()
    {
        return served.end();
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
     * @param keyAddress raw address of the key.
     * @param keyLength  in bytes.
     * @return the shard that the key belongs to.
     */
    public int shardOf(final long keyAddress, final int keyLength)
    {
        return KeyHash.shard(hash(keyAddress, keyLength), shards.length);
    }

    /**
     * Takes over how far the splitting of the shards' indexes had come when a superblock was READ.
     *
     * @param superblock raw address of its bytes.
     */
    void learnSplitPoints(final long superblock)
    {
        for (int i = 0; i < shards.length; i++)
        {
            final long point = Superblock.splitPoint(superblock, i);
            advance(i, shards[i].isReachable(point) ? point : SplitPoint.START);
        }
    }

    /**
     * Takes over that a bucket is split, as its header says.
     *
     * @param shard of the bucket.
     * @param index of the bucket, not of an overflow bucket.
     */
    public void learnSplit(final int shard, final long index)
    {
        final long point = shards[shard].pointBehind(index);
        if (shards[shard].isReachable(point))
        {
            advance(shard, point);
        }
    }

    /**
     * Takes over that a bucket is in use, as the server says.
     *
     * @param shard of the bucket.
     * @param index in the shard, counted as in {@link #bucketIndex}.
     */
    public void learnUse(final int shard, final long index)
    {
        final ShardLayout layout = shards[shard];
        final long parent = layout.parent(index);
        if (index < layout.bucketCount() && parent >= layout.firstInUse(points.getOpaque(shard)))
        {
            learnSplit(shard, parent);
        }
    }

    /**
     * Takes over that the buckets which are split at a point must not be READ any more.
     *
     * @param shard of the buckets.
     * @param point of the shard; {@link ShardLayout#isReachable}.
     */
    void retire(final int shard, final long point)
    {
        advance(shard, point);
        floors.accumulateAndGet(shard, shards[shard].firstInUse(point), Math::max);
    }

    /** What is split may be gone, where a session attaches: it is not told of what was retired before. */
    void retireSplit()
    {
        for (int i = 0; i < shards.length; i++)
        {
            retire(i, points.getOpaque(i));
        }
    }

    /**
     * @param shard of the bucket.
     * @param index of the bucket, not of an overflow bucket.
     * @return whether it may be READ, as far as is known: the memory of a retired one may be gone.
     */
    public boolean isReadable(final int shard, final long index)
    {
        return index >= floors.getOpaque(shard);
    }

    private void advance(final int shard, final long point)
    {
        final long known = points.getAndAccumulate(shard, point, Math::max);
        if (oldest.getOpaque(shard) == Long.MAX_VALUE)
        {
            oldest.compareAndSet(shard, Long.MAX_VALUE, shards[shard].firstInUse(Math.max(point, known)));
        }
    }

    /**
     * Where a key's chain begins, as far as it is known. The bucket is live, or was split since.
     *
     * @param shard of the key.
     * @param hash  of the key.
     * @return index of the bucket.
     */
    public long firstBucket(final int shard, final long hash)
    {
        return shards[shard].bucket(hash, points.getOpaque(shard));
    }

    /**
     * @param shard of the table.
     * @return the first bucket in use, as far as it is known. {@link ShardLayout#child} of it is where those in use
     *         end.
     */
    public long firstInUse(final int shard)
    {
        return shards[shard].firstInUse(points.getOpaque(shard));
    }

    /**
     * @param shard of the table.
     * @return the first bucket that may have a line in the mirror, though it may be split since.
     */
    public long oldestBucket(final int shard)
    {
        return oldest.getOpaque(shard);
    }

    /**
     * @param shard of the bucket.
     * @param index in the shard, counted as in {@link #bucketIndex}.
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
     * @return index of the bucket in the shard, those of overflow buckets behind all others; -1 if no bucket of the
     *         shard begins there.
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
     * A bucket's number in the mirror. The buckets in use are neighbours, and so are their numbers, those of all shards
     * taken in turn: so they have a line each as long as there are as many lines, wherever splitting has come to. Lines
     * of split buckets stay until those in use need them.
     *
     * <pre>
     *  number:  +---------------------+----------+---------------------+----------+----
     *           | 15/16 of the lines  | 1/16     | 15/16 of the lines  | 1/16     | ...
     *           +---------------------+----------+---------------------+----------+----
     *  of:       buckets               overflow   buckets               overflow
     * </pre>
     *
     * @param shard of the bucket.
     * @param index in the shard, counted as in {@link #bucketIndex}.
     * @return its number in the mirror.
     */
    public long bucketNumber(final int shard, final long index)
    {
        final long buckets = shards[shard].bucketCount();
        if (index < buckets)
        {
            final long place = index * servedCount + shard - firstShard;
            return place + ((place >> partBits) / BUCKET_PARTS << partBits);
        }
        final long place = (index - buckets) * servedCount + shard - firstShard;
        return place + ((place >> partBits) * BUCKET_PARTS + BUCKET_PARTS << partBits);
    }

    /**
     * @return how many buckets the mirror has lines for, overflow buckets not included.
     */
    public long mirrorCapacity()
    {
        return mirror.capacity() / PARTS * BUCKET_PARTS;
    }
}
