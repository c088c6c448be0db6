package org.onesided.server.table;

import static org.onesided.protocol.table.BucketDescriptor.*;

import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * A shard's buckets and overflow buckets. A search leaves behind where it ended: the key's slot, or the first empty
 * one of its chain.
 *
 * <p>A chain mends itself at each delete: a key of its last bucket fills the empty slot, and a last bucket that is
 * empty leaves. So a chain has no more buckets than its keys need, and nobody can hold overflow buckets without filling
 * them. Only a chain whose tag has come to its maximum keeps its empty slots and buckets. The steps of a move and of a
 * leave are in the order that {@link BucketDescriptor} demands for the sake of readers.
 */
final class BucketChains
{
    private final ShardLayout layout;
    private final RecordMemory records;
    private final BucketMemory buckets;
    private final OverflowBuckets overflow;
    private final BucketSplitter splitter;
    /** Of the chain that was searched. */
    private long firstBucket;
    private long bucket;
    private int slot;
    private long lastBucket;
    private int chainLength;

    /**
     * @param buckets  that the chains consist of.
     * @param overflow which of them are free.
     * @param splitter knows which bucket a chain begins with.
     */
    BucketChains(
        final ShardLayout layout,
        final RecordMemory records,
        final BucketMemory buckets,
        final OverflowBuckets overflow,
        final BucketSplitter splitter)
    {
        this.layout = layout;
        this.records = records;
        this.buckets = buckets;
        this.overflow = overflow;
        this.splitter = splitter;
    }

    /** Makes the buckets of the first level live and empty. */
    void format()
    {
        for (long i = 0; i < layout.firstBuckets(); i++)
        {
            buckets.format(layout.bucketOffset(i));
        }
    }

    /**
     * Whether a record has the key. If so its slot is the current one; else the first empty slot of its chain, if any.
     */
    boolean find(final long hash, final long key, final int keyLength)
    {
        final int fingerprint = KeyHash.fingerprint(hash);
        begin(hash);
        long emptyBucket = -1;
        int emptySlot = -1;
        do
        {
            for (int i = 0; i < SLOT_COUNT; i++)
            {
                final long word = buckets.word(bucket, i);
                if (word == SlotWord.EMPTY)
                {
                    if (emptySlot < 0)
                    {
                        emptyBucket = bucket;
                        emptySlot = i;
                    }
                }
                else if (SlotWord.fingerprint(word) == fingerprint &&
                    records.hasKey(records.offset(word), key, keyLength))
                {
                    slot = i;
                    return true;
                }
            }
        }
        while (toNextBucket());
        lastBucket = bucket;
        bucket = emptyBucket;
        slot = emptySlot;
        return false;
    }

    /** Looks at the first bucket of a chain. */
    long fetch(final long hash)
    {
        return buckets.header(firstBucket(hash));
    }

    private long firstBucket(final long hash)
    {
        return layout.bucketOffset(layout.bucket(hash, splitter.point()));
    }

    /** The first slot word of a chain's first bucket that a key of the hash could have; else an empty one. */
    long firstCandidate(final long hash)
    {
        final long first = firstBucket(hash);
        final int fingerprint = KeyHash.fingerprint(hash);
        for (int i = 0; i < SLOT_COUNT; i++)
        {
            final long word = buckets.word(first, i);
            if (word != SlotWord.EMPTY && SlotWord.fingerprint(word) == fingerprint)
            {
                return word;
            }
        }
        return SlotWord.EMPTY;
    }

    /** Makes the slot of the record at {@code tableOffset}, which is there, the current one. */
    void findRecord(final long hash, final long tableOffset)
    {
        begin(hash);
        do
        {
            for (int i = 0; i < SLOT_COUNT; i++)
            {
                final long word = buckets.word(bucket, i);
                if (word != SlotWord.EMPTY && records.offset(word) == tableOffset)
                {
                    slot = i;
                    return;
                }
            }
        }
        while (toNextBucket());
        throw new IllegalStateException("no slot holds the record: tableOffset=" + tableOffset);
    }

    /** Begins to visit the records of a chain, for {@link #next}. */
    void visit(final long hash)
    {
        begin(hash);
        slot = -1;
    }

    /** Makes the next slot that holds a record the current one; says whether there is one. */
    boolean next()
    {
        do
        {
            while (++slot < SLOT_COUNT)
            {
                if (word() != SlotWord.EMPTY)
                {
                    return true;
                }
            }
            slot = -1;
        }
        while (toNextBucket());
        return false;
    }

    /** Whether a chain has an empty slot. */
    boolean hasEmptySlot(final long hash)
    {
        begin(hash);
        do
        {
            for (int i = 0; i < SLOT_COUNT; i++)
            {
                if (buckets.word(bucket, i) == SlotWord.EMPTY)
                {
                    return true;
                }
            }
        }
        while (toNextBucket());
        return false;
    }

    private void begin(final long hash)
    {
        firstBucket = firstBucket(hash);
        bucket = firstBucket;
        chainLength = 1;
    }

    private boolean toNextBucket()
    {
        final long next = overflow(buckets.header(bucket));
        if (next < 0)
        {
            return false;
        }
        bucket = layout.overflowOffset(next);
        chainLength++;
        return true;
    }

    /** After a search that found nothing: whether there is a slot for the key, or could be. */
    Status room()
    {
        if (slot >= 0)
        {
            return Status.OK;
        }
        if (chainLength >= MAX_CHAIN_LENGTH)
        {
            return Status.CHAIN_FULL;
        }
        return overflow.room();
    }

    /** After a search that found nothing, and {@link #room}: makes an empty slot the current one. */
    void claim()
    {
        if (slot < 0)
        {
            final long number = overflow.take();
            bucket = layout.overflowOffset(number);
            slot = 0;
            buckets.format(bucket);
            buckets.header(lastBucket, withOverflow(buckets.header(lastBucket), number));
        }
    }

    long bucketOffset()
    {
        return bucket;
    }

    int slotIndex()
    {
        return slot;
    }

    /** The current slot's word. */
    long word()
    {
        return buckets.word(bucket, slot);
    }

    /** Changes the current slot, after all that was written before. */
    void word(final long word)
    {
        buckets.word(bucket, slot, word);
    }

    /** State of the record in the current slot. */
    short state()
    {
        return buckets.state(bucket, slot);
    }

    /** Changes it. */
    void state(final short state)
    {
        buckets.state(bucket, slot, state);
    }

    /** Makes a slot the current one, whose chain begins with a bucket at a table offset. */
    void select(final long first, final long of, final int index)
    {
        firstBucket = first;
        bucket = of;
        slot = index;
    }

    /** Makes the slot of the first record the current one whose key may have a hash; whether there is one. */
    boolean findFingerprint(final long hash)
    {
        final int fingerprint = KeyHash.fingerprint(hash);
        begin(hash);
        do
        {
            for (int i = 0; i < SLOT_COUNT; i++)
            {
                final long word = buckets.word(bucket, i);
                if (word != SlotWord.EMPTY && SlotWord.fingerprint(word) == fingerprint)
                {
                    slot = i;
                    return true;
                }
            }
        }
        while (toNextBucket());
        return false;
    }

    /** Mends the chain after the current slot, which stays the current one, became empty. */
    void mend()
    {
        long previous = -1;
        long last = firstBucket;
        for (long next = overflow(buckets.header(last)); next >= 0; next = overflow(buckets.header(last)))
        {
            previous = last;
            last = layout.overflowOffset(next);
        }
        if (previous >= 0)
        {
            if (bucket != last)
            {
                fillFrom(last);
            }
            if (buckets.lastTaken(last) < 0)
            {
                dropLast(previous);
            }
        }
    }

    /** Moves a key of a later bucket into the current slot. */
    private void fillFrom(final long later)
    {
        final int taken = buckets.lastTaken(later);
        final boolean isBumped = bucket != firstBucket;
        if (taken >= 0 && (!isBumped || canBump()))
        {
            word(buckets.word(later, taken));
            state(buckets.state(later, taken));
            if (isBumped)
            {
                bump();
            }
            buckets.word(later, taken, SlotWord.EMPTY);
        }
    }

    /** Takes the empty bucket that follows another out of the chain, which ends with that. */
    private void dropLast(final long previous)
    {
        if (canBump())
        {
            final long header = buckets.header(previous);
            final long ended = withOverflow(header, -1);
            if (previous == firstBucket)
            {
                buckets.header(previous, withTag(ended, tag(header) + 1));
            }
            else
            {
                buckets.header(previous, ended);
                bump();
            }
            overflow.giveBack(overflow(header));
        }
    }

    private boolean canBump()
    {
        return tag(buckets.header(firstBucket)) < MAX_TAG;
    }

    /** Tells readers of the chain that what they saw of it may lack a key. */
    private void bump()
    {
        final long header = buckets.header(firstBucket);
        buckets.header(firstBucket, withTag(header, tag(header) + 1));
    }
}
