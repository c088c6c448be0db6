package org.onesided.server.table;

import static org.onesided.protocol.table.BucketDescriptor.*;

import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.SplitPoint;

/**
 * Grows a shard's index as linear hashing does (Litwin, 1980): the buckets of a level are split one after the other, so
 * that the index is filled evenly at every size. The steps of a split are in the order that {@link BucketDescriptor}
 * demands for the sake of readers. No record moves, and all slot words stay what they are.
 *
 * <p>A split bucket keeps its slots until its memory is given back, and its place is never used for anything else. So a
 * reader that comes late finds out where to look, and a mirror's old lines still lead to records.
 */
final class BucketSplitter
{
    /**
     * Records for each bucket in use, overflow buckets included, beyond which another bucket is split. An index of this
     * fill takes 21.3 bytes for a record. One chain in 80 then has overflow buckets where a level has just been
     * finished, and one in 19 where half of it is split.
     */
    static final int RECORDS_PER_BUCKET = 3;

    private static final int MAX_KEYS = MAX_CHAIN_LENGTH * SLOT_COUNT;
    /** Bytes of keys that a step hashes, in some 10 microseconds; the last bucket of a step may exceed them. */
    private static final long MAX_KEY_BYTES = 32 << 10;
    /** If so large a part of the buckets should have been split already, that matters more than a short step. */
    private static final int LATE_PART = 8;

    private final ShardLayout layout;
    private final RecordMemory records;
    private final KeyHash keyHash;
    private final BucketMemory buckets;
    private final OverflowBuckets overflow;
    private final PartMemory memory;
    /** Slot words for the two buckets that a bucket is split into, and how many. */
    private final long[][] words = new long[2][MAX_KEYS];
    private final int[] counts = new int[2];
    /** States of these slots. */
    private final short[][] states = new short[2][MAX_KEYS];
    private long point = SplitPoint.START;
    /** Bytes of keys that the present step has hashed. */
    private long hashed;
    /** Keeps the compiler from removing the prefetches. */
    private long fetched;

    /**
     * @param memory of the buckets, overflow buckets not included.
     */
    BucketSplitter(
        final ShardLayout layout,
        final RecordMemory records,
        final KeyHash keyHash,
        final BucketMemory buckets,
        final OverflowBuckets overflow,
        final PartMemory memory)
    {
        this.layout = layout;
        this.records = records;
        this.keyHash = keyHash;
        this.buckets = buckets;
        this.overflow = overflow;
        this.memory = memory;
    }

    /** Buckets that so many records want, overflow buckets included. */
    static long wantedFor(final long recordCount)
    {
        return (recordCount - 1) / RECORDS_PER_BUCKET + 1;
    }

    /** How far splitting has come. */
    long point()
    {
        return point;
    }

    /** Buckets in use, overflow buckets not included. */
    long bucketCount()
    {
        final long first = layout.firstInUse(point);
        return layout.child(first) - first;
    }

    /**
     * Splits buckets while there are more records than the index is made for. Also asks for memory of overflow buckets,
     * ahead of need.
     *
     * @param recordCount of the shard.
     * @param maxBuckets  to split.
     * @return how many were split. None, although it is time, if memory is not there yet, or at the end of the last
     *         level.
     */
    int split(final long recordCount, final int maxBuckets)
    {
        overflow.prepareAhead();
        final long due = wantedFor(recordCount) - bucketCount() - overflow.used();
        final long maxBytes = due > bucketCount() / LATE_PART ? Long.MAX_VALUE : MAX_KEY_BYTES;
        return due <= 0 ? 0 : split((int)Math.min(maxBuckets, due), maxBytes);
    }

    /**
     * Splits buckets until there are enough.
     *
     * @param wantedCount buckets that there should be.
     * @param maxBuckets  to split.
     * @return how many were split. Fewer than wanted if memory is not there yet, or at the end of the last level.
     */
    int splitTo(final long wantedCount, final int maxBuckets)
    {
        final long missing = wantedCount - bucketCount();
        return missing <= 0 ? 0 : split((int)Math.min(maxBuckets, missing), Long.MAX_VALUE);
    }

    /** Whether the next bucket cannot be split, nor later: at the end of the last level, or of the memory. */
    boolean isAtEnd()
    {
        if (endOfNext() > allBytes())
        {
            return true;
        }
        // In this order, as memory may come in between.
        final boolean mayGrow = memory.growable() > 0 && !memory.isRefused();
        return !mayGrow && !hasRoom();
    }

    private int split(final int wanted, final long maxBytes)
    {
        if (!hasRoom())
        {
            return 0;
        }
        fetch(wanted);
        hashed = 0;
        int count = 0;
        while (count < wanted && hashed < maxBytes && hasRoom() && splitNext())
        {
            count++;
        }
        return count;
    }

    /** What is split is not used any more, now that the superblock says so. */
    void retire()
    {
        final long first = layout.firstInUse(point);
        buckets.forgetStatesBefore(layout.bucketOffset(first));
        memory.retire(first * BucketDescriptor.LENGTH);
    }

    /** Whether there is memory for two more buckets. */
    private boolean hasRoom()
    {
        final long all = allBytes();
        final long end = endOfNext();
        if (end > all)
        {
            return false;
        }
        final long ahead = Math.min(all, end + memory.ahead());
        if (memory.usable() < ahead)
        {
            memory.ensure(ahead);
        }
        return end <= memory.usable();
    }

    /** Bytes of all levels. */
    private long allBytes()
    {
        return layout.bucketCount() * BucketDescriptor.LENGTH;
    }

    /** Bytes up to the end of the buckets that the next one is split into. */
    private long endOfNext()
    {
        return (layout.child(layout.firstInUse(point)) + 2) * BucketDescriptor.LENGTH;
    }

    /** Looks at the next buckets and then at their records, so that the cache misses overlap. */
    private void fetch(final int count)
    {
        final long first = layout.firstInUse(point);
        long sum = 0;
        final long end = Math.min(first + count, layout.child(first));
        for (long index = first; index < end; index++)
        {
            final long offset = layout.bucketOffset(index);
            for (int i = 0; i < SLOT_COUNT; i++)
            {
                final long word = buckets.word(offset, i);
                if (word != SlotWord.EMPTY)
                {
                    sum += records.keyLength(records.offset(word));
                }
            }
        }
        fetched = sum;
    }

    private boolean splitNext()
    {
        final long index = layout.firstInUse(point);
        final long old = layout.bucketOffset(index);
        sort(old, (long)layout.firstBuckets() << SplitPoint.level(point) + 1);
        if (!overflow.has(overflowBuckets(counts[0]) + overflowBuckets(counts[1])))
        {
            return false;
        }
        final long child = layout.child(index);
        fill(layout.bucketOffset(child), 0);
        fill(layout.bucketOffset(child + 1), 1);
        final long header = buckets.header(old);
        buckets.header(old, BucketDescriptor.migrated(header));
        for (long next = BucketDescriptor.overflow(header); next >= 0;)
        {
            final long number = next;
            next = BucketDescriptor.overflow(buckets.header(layout.overflowOffset(number)));
            overflow.giveBack(number);
        }
        point = layout.pointBehind(index);
        return true;
    }

    /** Finds out which bucket of the next level each key of a chain belongs to. */
    private void sort(final long first, final long nextCount)
    {
        counts[0] = 0;
        counts[1] = 0;
        long bucket = first;
        while (true)
        {
            for (int i = 0; i < SLOT_COUNT; i++)
            {
                final long word = buckets.word(bucket, i);
                if (word != SlotWord.EMPTY)
                {
                    final long record = records.offset(word);
                    final int keyLength = records.keyLength(record);
                    hashed += keyLength;
                    final long hash = keyHash.hash(records.keyAddress(record), keyLength);
                    final int side = (int)KeyHash.bucket(hash, nextCount) & 1;
                    states[side][counts[side]] = buckets.state(bucket, i);
                    words[side][counts[side]++] = word;
                }
            }
            final long next = BucketDescriptor.overflow(buckets.header(bucket));
            if (next < 0)
            {
                return;
            }
            bucket = layout.overflowOffset(next);
        }
    }

    private static int overflowBuckets(final int keys)
    {
        return Math.max(0, keys - 1) / SLOT_COUNT;
    }

    /** Fills a chain from its end, so that no header leads to a bucket that is not filled. */
    private void fill(final long first, final int side)
    {
        final int count = counts[side];
        long next = -1;
        for (int begin = overflowBuckets(count) * SLOT_COUNT; begin > 0; begin -= SLOT_COUNT)
        {
            final long number = overflow.take();
            fillBucket(layout.overflowOffset(number), side, begin, next);
            next = number;
        }
        fillBucket(first, side, 0, next);
    }

    private void fillBucket(final long offset, final int side, final int begin, final long next)
    {
        for (int i = 0; i < SLOT_COUNT; i++)
        {
            final boolean isTaken = begin + i < counts[side];
            buckets.word(offset, i, isTaken ? words[side][begin + i] : SlotWord.EMPTY);
            if (isTaken)
            {
                buckets.state(offset, i, states[side][begin + i]);
            }
        }
        buckets.makeLive(offset, next);
    }
}
