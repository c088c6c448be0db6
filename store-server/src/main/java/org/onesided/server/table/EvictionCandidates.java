package org.onesided.server.table;

import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * Some live records of a shard, of which one may leave the table. Records of a chain come together. A record that is
 * lent to a reader is among them, but may not leave; nor may one whose removal is decided already. Belongs to the
 * shard's thread.
 */
public final class EvictionCandidates
{
    /** Maximum of {@link Evictor#candidatesWanted}. */
    public static final int MAX_WANTED = 64;

    private static final int CAPACITY =
        MAX_WANTED + BucketDescriptor.MAX_CHAIN_LENGTH * BucketDescriptor.SLOT_COUNT;

    private final ShardLayout layout;
    private final BucketMemory buckets;
    private final RecordMemory records;
    private final HeapSpace heap;
    private final KeyHash keyHash;
    private LeavingRecords leaving = LeavingRecords.NONE;
    private final long[] words = new long[CAPACITY];
    private final long[] firsts = new long[CAPACITY];
    private final long[] places = new long[CAPACITY];
    private final int[] slots = new int[CAPACITY];
    private int count;

    EvictionCandidates(
        final ShardLayout layout,
        final BucketMemory buckets,
        final RecordMemory records,
        final HeapSpace heap,
        final KeyHash keyHash)
    {
        this.keyHash = keyHash;
        this.layout = layout;
        this.buckets = buckets;
        this.records = records;
        this.heap = heap;
    }

    /** Says which records are to leave already. */
    void leaving(final LeavingRecords records)
    {
        leaving = records;
    }

    void clear()
    {
        count = 0;
    }

    /** Adds the records of the chain that begins with the bucket at a table offset. */
    void addChain(final long first)
    {
        long bucket = first;
        while (bucket >= 0)
        {
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                final long word = buckets.word(bucket, i);
                if (word != SlotWord.EMPTY)
                {
                    words[count] = word;
                    firsts[count] = first;
                    places[count] = bucket;
                    slots[count] = i;
                    count++;
                }
            }
            final long next = BucketDescriptor.overflow(buckets.header(bucket));
            bucket = next < 0 ? -1 : layout.overflowOffset(next);
        }
    }

    /**
     * @return how many there are.
     */
    public int count()
    {
        return count;
    }

    /**
     * @param i index of a candidate.
     * @return its state, as the evictor gave it.
     */
    public short state(final int i)
    {
        return buckets.state(places[i], slots[i]);
    }

    /**
     * @param i index of a candidate.
     * @return bytes that its record takes in the heap, as its slot has them.
     */
    public long length(final int i)
    {
        return length(words[i]);
    }

    /** Bytes of the record of a slot word. */
    long length(final long word)
    {
        return SlotWord.isLong(word) ? granules(word) * SlotWord.GRANULE : SlotWord.length(word);
    }

    /** Granules of the record of a slot word. */
    long granules(final long word)
    {
        return SlotWord.granules(records.length(records.offset(word)));
    }

    /**
     * @param i index of a candidate.
     * @return whether it may leave.
     */
    public boolean mayLeave(final int i)
    {
        return !heap.isLent(records.offset(words[i])) &&
            (leaving == LeavingRecords.NONE || !leaving.contains(hash(i)));
    }

    /** Hash of a candidate's key. */
    long hash(final int i)
    {
        final long offset = records.offset(words[i]);
        return keyHash.hash(records.keyAddress(offset), records.keyLength(offset));
    }

    /** Version of a candidate. */
    long version(final int i)
    {
        return records.version(records.offset(words[i]));
    }

    /** Whether there is one that may leave. */
    boolean isAnyFree()
    {
        for (int i = 0; i < count; i++)
        {
            if (mayLeave(i))
            {
                return true;
            }
        }
        return false;
    }

    /** Granules of a candidate's record. */
    long granules(final int i)
    {
        return granules(words[i]);
    }

    /** Makes a candidate's slot the current one of the chains. */
    void select(final int i, final BucketChains chains)
    {
        chains.select(firsts[i], places[i], slots[i]);
    }
}
