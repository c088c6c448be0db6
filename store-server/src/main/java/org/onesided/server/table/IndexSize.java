package org.onesided.server.table;

import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * How large a shard's index may become, so that its addresses suffice for the shortest records.
 *
 * @param firstBuckets  buckets to begin with.
 * @param levels        arrays of buckets, see {@link org.onesided.protocol.table.ShardLayout}.
 * @param overflowCount most overflow buckets.
 */
record IndexSize(int firstBuckets, int levels, long overflowCount)
{
    private static final long SHORTEST_RECORD =
        SlotWord.granules(RecordDescriptor.length(RecordDescriptor.MIN_KEY_LENGTH, 0)) * SlotWord.GRANULE;
    private static final long INDEX_OF_A_RECORD = BucketDescriptor.LENGTH / BucketSplitter.RECORDS_PER_BUCKET;
    private static final long MAX_OVERFLOW = 0xFFFF_FFFEL;

    /**
     * @param memory     of the shard in bytes, heap and index in use together.
     * @param leastFirst buckets to begin with, at least; there may be almost twice as many.
     */
    static IndexSize of(final long memory, final int leastFirst)
    {
        final long maxRecords = memory / (SHORTEST_RECORD + INDEX_OF_A_RECORD);
        final long maxBuckets = maxRecords / BucketSplitter.RECORDS_PER_BUCKET + 1;
        int levels = 1;
        while (maxBuckets >> levels >= leastFirst)
        {
            levels++;
        }
        final int first = (int)((maxBuckets - 1 >> levels - 1) + 1);
        // A chain has more keys than its overflow buckets have slots. A split takes new ones before it frees the old.
        final long overflowCount = Math.min(
            MAX_OVERFLOW, maxRecords / BucketDescriptor.SLOT_COUNT + 2 * BucketDescriptor.MAX_CHAIN_LENGTH);
        return new IndexSize(first, levels, overflowCount);
    }

    /** Bytes of all arrays of buckets. */
    long bucketsLength()
    {
        return (((long)firstBuckets << levels) - firstBuckets) * BucketDescriptor.LENGTH;
    }

    /** Bytes of all overflow buckets. */
    long overflowLength()
    {
        return overflowCount * BucketDescriptor.LENGTH;
    }
}
