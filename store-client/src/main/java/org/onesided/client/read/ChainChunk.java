package org.onesided.client.read;

import org.agrona.UnsafeApi;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegionReader;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.SplitPoint;

/**
 * Neighbouring chains of a shard as they were READ: their first buckets by one READ, then the overflow buckets that
 * these lead to, and so on. Buckets are counted in the order in which they were READ, and their slots likewise.
 *
 * <p>A chain is <em>settled</em> if each key that is there all the time is in a slot of its first bucket, as it was
 * READ, and stays there. That is so if the bucket has no overflow bucket, and either never had one, or was READ a
 * second time with the same tag. Chains with overflow buckets are looked at again later, when their records were READ.
 * A split ends that: the keys are in two other chains from then on, and the old slots tell of no change any more.
 * Not thread-safe.
 *
 * <pre>
 *  space:  +---------------+---------------------------+----------------------------+
 *          | first buckets | overflow buckets          | first buckets, READ again  |
 *          +---------------+---------------------------+----------------------------+
 * </pre>
 */
final class ChainChunk
{
    /** Maximum number of buckets. */
    static final int MAX_BUCKETS = 2 * BucketSweep.CHUNK_BUCKETS;
    /** Maximum number of slots. */
    static final int MAX_SLOTS = MAX_BUCKETS * BucketDescriptor.SLOT_COUNT;
    /** Bytes of the space. */
    static final long SPACE_LENGTH = (long)MAX_BUCKETS * BucketDescriptor.LENGTH + BucketSweep.CHUNK_LENGTH;

    private static final long AGAIN_START = (long)MAX_BUCKETS * BucketDescriptor.LENGTH;

    private final Table table;
    private final RegisteredBuffer space;
    private final Counters counters;
    /** Index of each bucket in the shard, and the number of its chain. */
    private final long[] indexes = new long[MAX_BUCKETS];
    private final int[] chains = new int[MAX_BUCKETS];
    /** Chains that could not be READ completely. */
    private final boolean[] isCut = new boolean[BucketSweep.CHUNK_BUCKETS];
    private final boolean[] isSettled = new boolean[BucketSweep.CHUNK_BUCKETS];
    private int shard;
    private long first;
    /** Splitting has come to the level of these chains, and none of that is split. */
    private long levelPoint;
    private int chainCount;
    private int bucketCount;

    /**
     * @param space of {@link #SPACE_LENGTH} bytes or more.
     */
    ChainChunk(final Table table, final RegisteredBuffer space, final Counters counters)
    {
        this.table = table;
        this.space = space;
        this.counters = counters;
    }

    /**
     * READs chains.
     *
     * @param of     shard of the chains.
     * @param begins index in the shard of the first chain's first bucket.
     * @param count  of the chains, at most {@link BucketSweep#CHUNK_BUCKETS}, all of one level.
     */
    void read(final RegionReader reader, final int of, final long begins, final int count)
    {
        shard = of;
        first = begins;
        levelPoint = SplitPoint.of(table.shard(of).level(begins), 0);
        chainCount = count;
        bucketCount = count;
        for (int i = 0; i < count; i++)
        {
            indexes[i] = begins + i;
            chains[i] = i;
            isCut[i] = false;
        }
        readFirst(reader, 0);
        settle(reader);
        for (int from = 0, hop = 1; from < bucketCount; hop++)
        {
            final int end = bucketCount;
            for (int i = from; i < end; i++)
            {
                follow(reader, i, hop);
            }
            if (end < bucketCount)
            {
                reader.complete();
            }
            from = end;
        }
    }

    /** Settles chains of one bucket; those that once had another need a second READ for that. */
    private void settle(final RegionReader reader)
    {
        boolean isSettledByOne = true;
        for (int i = 0; i < chainCount; i++)
        {
            isSettled[i] = isLive(i) && BucketDescriptor.isSeenWhole(0, header(i));
            isSettledByOne &= isSettled[i] || BucketDescriptor.overflow(header(i)) >= 0;
        }
        if (!isSettledByOne)
        {
            readAgain(reader);
            for (int i = 0; i < chainCount; i++)
            {
                if (!isSettled[i] && BucketDescriptor.overflow(headerAgain(i)) < 0 && isWhole(i))
                {
                    isSettled[i] = true;
                    UnsafeApi.copyMemory(addressAgain(i), address(i), BucketDescriptor.LENGTH);
                }
            }
        }
    }

    private void readFirst(final RegionReader reader, final long start)
    {
        final long length = (long)chainCount * BucketDescriptor.LENGTH;
        reader.read(shard, table.bucketOffset(shard, first), length, space, start);
        count(length);
    }

    /** Adds the bucket that follows another. */
    private void follow(final RegionReader reader, final int bucket, final int hop)
    {
        final long overflow = BucketDescriptor.overflow(header(bucket));
        if (!isLive(bucket))
        {
            isCut[chains[bucket]] = true;
        }
        else if (overflow >= 0)
        {
            final long index = table.overflowIndex(shard, overflow);
            if (index < 0 || hop == BucketDescriptor.MAX_CHAIN_LENGTH || bucketCount == MAX_BUCKETS)
            {
                isCut[chains[bucket]] = true;
                return;
            }
            indexes[bucketCount] = index;
            chains[bucketCount] = chains[bucket];
            enqueue(reader, bucketCount, space, place(bucketCount));
            bucketCount++;
        }
    }

    /** Adds a READ of a bucket as it is now. */
    void enqueue(final RegionReader reader, final int bucket, final RegisteredBuffer target, final long targetOffset)
    {
        reader.enqueue(shard, tableOffset(bucket), BucketDescriptor.LENGTH, target, targetOffset);
        count(BucketDescriptor.LENGTH);
    }

    private void count(final long length)
    {
        counters.increment(Counters.BUCKET_READS);
        counters.add(Counters.BYTES_READ, length);
    }

    /** READs the first buckets again. */
    void readAgain(final RegionReader reader)
    {
        readFirst(reader, AGAIN_START);
    }

    /**
     * Whether each key that was in a chain all the time is in one of its slots as they were READ at first, or of those
     * of the first bucket as they were READ again, by the rules of {@link BucketDescriptor}.
     */
    boolean isWhole(final int chain)
    {
        final long again = headerAgain(chain);
        return !isCut[chain] && BucketDescriptor.isLive(again, table.epoch()) &&
            BucketDescriptor.isSeenWhole(header(chain), again);
    }

    private long headerAgain(final int chain)
    {
        return UnsafeApi.getLong(addressAgain(chain) + BucketDescriptor.HEADER_OFFSET);
    }

    /** Whether all chains are settled. */
    boolean isSettled()
    {
        for (int i = 0; i < chainCount; i++)
        {
            if (!isSettled[i])
            {
                return false;
            }
        }
        return true;
    }

    boolean isSettled(final int chain)
    {
        return isSettled[chain];
    }

    /** Whether an overflow bucket of a chain, as it was READ, has a slot with a fingerprint. */
    boolean hasBehind(final int chain, final int fingerprint)
    {
        for (int slot = chainCount * BucketDescriptor.SLOT_COUNT; slot < slotCount(); slot++)
        {
            final long word = word(slot);
            if (chains[bucketOf(slot)] == chain && word != SlotWord.EMPTY && SlotWord.fingerprint(word) == fingerprint)
            {
                return true;
            }
        }
        return false;
    }

    /** A slot of a first bucket, READ again. */
    long wordAgain(final int slot)
    {
        return UnsafeApi.getLong(addressAgain(bucketOf(slot)) + slotOffset(slot));
    }

    private long addressAgain(final int chain)
    {
        return space.addressOf(AGAIN_START + (long)chain * BucketDescriptor.LENGTH, BucketDescriptor.LENGTH);
    }

    int shard()
    {
        return shard;
    }

    int chainCount()
    {
        return chainCount;
    }

    int slotCount()
    {
        return bucketCount * BucketDescriptor.SLOT_COUNT;
    }

    static int bucketOf(final int slot)
    {
        return slot / BucketDescriptor.SLOT_COUNT;
    }

    /** Offset of a slot in its bucket. */
    static int slotOffset(final int slot)
    {
        return BucketDescriptor.slotOffset(slot % BucketDescriptor.SLOT_COUNT);
    }

    boolean isFirst(final int bucket)
    {
        return bucket < chainCount;
    }

    /** Index in the shard of the first bucket of a bucket's chain. */
    long chainIndex(final int bucket)
    {
        return first + chains[bucket];
    }

    /** Where a bucket is in the table. */
    long tableOffset(final int bucket)
    {
        return table.bucketOffset(shard, indexes[bucket]);
    }

    /** Raw address of a bucket as it was READ. */
    long address(final int bucket)
    {
        return space.addressOf(place(bucket), BucketDescriptor.LENGTH);
    }

    /** Whether a chain was split when it was READ, so that its keys are in two others. */
    boolean isSplit(final int chain)
    {
        return BucketDescriptor.isMigrated(header(chain), table.epoch());
    }

    /** Whether a key's chain, at the level of these, is that of a bucket. */
    boolean isOfChain(final int bucket, final long hash)
    {
        return table.shard(shard).bucket(hash, levelPoint) == chainIndex(bucket);
    }

    boolean isLive(final int bucket)
    {
        return BucketDescriptor.isLive(header(bucket), table.epoch());
    }

    long word(final int slot)
    {
        return UnsafeApi.getLong(address(bucketOf(slot)) + slotOffset(slot));
    }

    private long header(final int bucket)
    {
        return UnsafeApi.getLong(address(bucket) + BucketDescriptor.HEADER_OFFSET);
    }

    private static long place(final int bucket)
    {
        return (long)bucket * BucketDescriptor.LENGTH;
    }
}
