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
 * one of its chain. Within an epoch a key never leaves its slot, and an overflow bucket leaves its chain only while it
 * is empty and the last one, for another chain to take it. So whoever reads a chain bucket by bucket, however slowly,
 * meets every key that was there all the time: its bucket stayed in the chain, and so did those before it.
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
        UnsafeApi.putLongRelease(null, base + offset + HEADER_OFFSET, header(LIVE, epoch, -1));
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
                final long word = UnsafeApi.getLong(base + bucket + slotOffset(i));
                if (word == SlotWord.EMPTY)
                {
                    if (emptySlot < 0)
                    {
                        emptyBucket = bucket;
                        emptySlot = i;
                    }
                }
                else if (SlotWord.fingerprint(word) == fingerprint &&
                    records.hasKey(SlotWord.tableOffset(word), key, keyLength))
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
                final long word = UnsafeApi.getLong(base + bucket + slotOffset(i));
                if (word != SlotWord.EMPTY && SlotWord.tableOffset(word) == tableOffset)
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
        bucket = layout.bucketOffset(KeyHash.bucket(hash, layout.bucketCount()));
        chainLength = 1;
    }

    private boolean toNextBucket()
    {
        final long next = overflow(UnsafeApi.getLong(base + bucket + HEADER_OFFSET));
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
        return overflowUsed() < layout.overflowCount() ? Status.OK : Status.STORE_FULL;
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
            UnsafeApi.putLongRelease(null, base + lastBucket + HEADER_OFFSET, header(LIVE, epoch, number));
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
        return UnsafeApi.getLong(base + bucket + slotOffset(slot));
    }

    /** Changes the current slot, after all that was written before. */
    void word(final long word)
    {
        UnsafeApi.putLongRelease(null, base + bucket + slotOffset(slot), word);
    }

    /** Takes the overflow buckets at the end of a chain out of it that are empty. Searches are over after that. */
    void trim(final long hash)
    {
        begin(hash);
        long lastUsed = bucket;
        while (toNextBucket())
        {
            lastUsed = isEmpty() ? lastUsed : bucket;
        }
        long number = overflow(UnsafeApi.getLong(base + lastUsed + HEADER_OFFSET));
        if (number >= 0)
        {
            UnsafeApi.putLongRelease(null, base + lastUsed + HEADER_OFFSET, header(LIVE, epoch, -1));
        }
        while (number >= 0)
        {
            overflowFree.addLong(number);
            number = overflow(UnsafeApi.getLong(base + layout.overflowOffset(number) + HEADER_OFFSET));
        }
    }

    private boolean isEmpty()
    {
        for (int i = 0; i < SLOT_COUNT; i++)
        {
            if (UnsafeApi.getLong(base + bucket + slotOffset(i)) != SlotWord.EMPTY)
            {
                return false;
            }
        }
        return true;
    }

    /** How many overflow buckets are in chains. */
    long overflowUsed()
    {
        return overflowBegun - overflowFree.size();
    }
}
