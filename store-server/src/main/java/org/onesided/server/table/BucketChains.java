package org.onesided.server.table;

import static org.onesided.protocol.table.BucketDescriptor.*;

import org.agrona.UnsafeApi;
import org.agrona.collections.LongArrayList;
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
    private final long base;
    private final ShardLayout layout;
    private final long epoch;
    private final RecordMemory records;

    /** Overflow buckets from here on were never in a chain. */
    private long overflowBegun;
    private final LongArrayList overflowFree = new LongArrayList();
    /** Of the chain that was searched. */
    private long firstBucket;
    private long bucket;
    private int slot;
    private long lastBucket;
    private int chainLength;

    BucketChains(final long base, final ShardLayout layout, final long epoch, final RecordMemory records)
    {
        this.base = base;
        this.layout = layout;
        this.epoch = epoch;
        this.records = records;
    }

    /** Makes all buckets live and empty. */
    void format()
    {
        for (long i = 0; i < layout.bucketCount(); i++)
        {
            formatBucket(layout.bucketOffset(i));
        }
    }

    private void formatBucket(final long offset)
    {
        UnsafeApi.setMemory(base + offset + SLOTS_OFFSET, BucketDescriptor.LENGTH - SLOTS_OFFSET, (byte)0);
        headerOf(offset, header(LIVE, epoch, 0, -1));
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
                final long word = word(bucket, i);
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
        return UnsafeApi.getLong(base + layout.bucketOffset(KeyHash.bucket(hash, layout.bucketCount())));
    }

    /** The first slot word of a chain's first bucket that a key of the hash could have; else an empty one. */
    long firstCandidate(final long hash)
    {
        final long first = base + layout.bucketOffset(KeyHash.bucket(hash, layout.bucketCount()));
        final int fingerprint = KeyHash.fingerprint(hash);
        for (int i = 0; i < SLOT_COUNT; i++)
        {
            final long word = UnsafeApi.getLong(first + slotOffset(i));
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
                final long word = word(bucket, i);
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

    private void begin(final long hash)
    {
        firstBucket = layout.bucketOffset(KeyHash.bucket(hash, layout.bucketCount()));
        bucket = firstBucket;
        chainLength = 1;
    }

    private boolean toNextBucket()
    {
        final long next = overflow(headerOf(bucket));
        if (next < 0)
        {
            return false;
        }
        bucket = layout.overflowOffset(next);
        chainLength++;
        return true;
    }

    private long headerOf(final long offset)
    {
        return UnsafeApi.getLong(base + offset + HEADER_OFFSET);
    }

    /** Changes a header, after all that was written before. */
    private void headerOf(final long offset, final long header)
    {
        UnsafeApi.putLongRelease(null, base + offset + HEADER_OFFSET, header);
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
        return overflowUsed() < layout.overflowCount() ? Status.OK : Status.INDEX_FULL;
    }

    /** After a search that found nothing, and {@link #room}: makes an empty slot the current one. */
    void claim()
    {
        if (slot < 0)
        {
            final long number =
                overflowFree.isEmpty() ? overflowBegun++ : overflowFree.removeAt(overflowFree.size() - 1);
            bucket = layout.overflowOffset(number);
            slot = 0;
            formatBucket(bucket);
            headerOf(lastBucket, withOverflow(headerOf(lastBucket), number));
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
        return word(bucket, slot);
    }

    private long word(final long offset, final int index)
    {
        return UnsafeApi.getLong(base + offset + slotOffset(index));
    }

    /** Changes the current slot, after all that was written before. */
    void word(final long word)
    {
        word(bucket, slot, word);
    }

    private void word(final long offset, final int index, final long word)
    {
        UnsafeApi.putLongRelease(null, base + offset + slotOffset(index), word);
    }

    /** Mends the chain after the current slot, which stays the current one, became empty. */
    void mend()
    {
        long previous = -1;
        long last = firstBucket;
        for (long next = overflow(headerOf(last)); next >= 0; next = overflow(headerOf(last)))
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
            if (lastTaken(last) < 0)
            {
                dropLast(previous);
            }
        }
    }

    /** Moves a key of a later bucket into the current slot. */
    private void fillFrom(final long later)
    {
        final int taken = lastTaken(later);
        final boolean isBumped = bucket != firstBucket;
        if (taken >= 0 && (!isBumped || canBump()))
        {
            word(word(later, taken));
            if (isBumped)
            {
                bump();
            }
            word(later, taken, SlotWord.EMPTY);
        }
    }

    /** Takes the empty bucket that follows another out of the chain, which ends with that. */
    private void dropLast(final long previous)
    {
        if (canBump())
        {
            final long header = headerOf(previous);
            final long ended = withOverflow(header, -1);
            if (previous == firstBucket)
            {
                headerOf(previous, withTag(ended, tag(header) + 1));
            }
            else
            {
                headerOf(previous, ended);
                bump();
            }
            overflowFree.addLong(overflow(header));
        }
    }

    private boolean canBump()
    {
        return tag(headerOf(firstBucket)) < MAX_TAG;
    }

    /** Tells readers of the chain that what they saw of it may lack a key. */
    private void bump()
    {
        final long header = headerOf(firstBucket);
        headerOf(firstBucket, withTag(header, tag(header) + 1));
    }

    /** The last slot of a bucket that holds a key, or -1. */
    private int lastTaken(final long offset)
    {
        int i = SLOT_COUNT - 1;
        while (i >= 0 && word(offset, i) == SlotWord.EMPTY)
        {
            i--;
        }
        return i;
    }

    /** How many overflow buckets are in chains. */
    long overflowUsed()
    {
        return overflowBegun - overflowFree.size();
    }
}
