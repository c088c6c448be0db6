package org.onesided.server.table;

import org.agrona.UnsafeApi;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.DeadRecordDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

/**
 * A reader as a client is one: it knows the region only through copies of it, taken while the writer works. Keys are
 * 8 bytes. A slot word from an earlier lookup may be tried first, however old it is.
 */
final class RegionReader implements AutoCloseable
{
    private static final int HOPS = 4;
    private static final long MIXED = 0xFF51_AFD7_ED55_8CCDL;

    private final long region;
    private final ShardLayout layout;
    private final long epoch;
    private final KeyHash keyHash;
    private final RecordCheck check;
    private final Native bucket = new Native(BucketDescriptor.LENGTH);
    private final Native record = new Native(SlotWord.MAX_SHORT_LENGTH);
    private final Native key = new Native(Long.BYTES);
    private long point;
    private long lastSlot;
    private boolean undecided;
    private long retries;

    RegionReader(final Native region)
    {
        this.region = region.address();
        final Superblock superblock;
        try (Native copy = new Native(SuperblockDescriptor.LENGTH))
        {
            UnsafeApi.copyMemory(this.region, copy.address(), SuperblockDescriptor.LENGTH);
            superblock = Superblock.read(copy.address());
            point = Superblock.splitPoint(copy.address(), 0);
        }
        layout = superblock.shards().get(0);
        epoch = superblock.epoch();
        keyHash = new KeyHash(superblock.hashSeed());
        check = new RecordCheck(superblock.checkSeed());
    }

    /** Whether the key is there; if so its value is at {@link #value}. */
    boolean get(final long keyId, final long mirrored)
    {
        UnsafeApi.putLong(key.address(), keyId);
        final long hash = keyHash.hash(key.address(), Long.BYTES);
        lastSlot = mirrored;
        for (int hop = 0; hop < HOPS && lastSlot != SlotWord.EMPTY; hop++)
        {
            if (readRecord(lastSlot) && hasKey(keyId))
            {
                return true;
            }
            lastSlot = forward(KeyHash.fingerprint(hash));
        }
        while (true)
        {
            final int answer = lookUp(keyId, hash);
            if (answer >= 0)
            {
                return answer > 0;
            }
            retries++;
        }
    }

    /** 1 for found, 0 for absent, -1 for neither. */
    private int lookUp(final long keyId, final long hash)
    {
        undecided = false;
        final long index = layout.bucket(hash, point);
        final long first = layout.bucketOffset(index);
        if (lookAt(first, keyId, hash))
        {
            return 1;
        }
        final long known = header();
        if (BucketDescriptor.isMigrated(known, epoch))
        {
            point = Math.max(point, layout.pointBehind(index));
            return -1;
        }
        for (long next = BucketDescriptor.overflow(known); next >= 0; next = BucketDescriptor.overflow(header()))
        {
            if (lookAt(layout.overflowOffset(next), keyId, hash))
            {
                return 1;
            }
        }
        if (!BucketDescriptor.isSeenWhole(0, known) && lookAt(first, keyId, hash))
        {
            return 1;
        }
        return undecided || !BucketDescriptor.isLive(header(), epoch) ||
            !BucketDescriptor.isSeenWhole(0, known) && !BucketDescriptor.isSeenWhole(known, header()) ? -1 : 0;
    }

    private boolean lookAt(final long at, final long keyId, final long hash)
    {
        copy(at, bucket.address(), BucketDescriptor.LENGTH);
        if (BucketDescriptor.isMigrated(header(), epoch))
        {
            return false;
        }
        if (!BucketDescriptor.isLive(header(), epoch))
        {
            throw new IllegalStateException("not live: bucket=" + at);
        }
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            final long slot = UnsafeApi.getLong(bucket.address() + BucketDescriptor.slotOffset(i));
            if (slot != SlotWord.EMPTY && SlotWord.fingerprint(slot) == KeyHash.fingerprint(hash))
            {
                if (readRecord(slot) && hasKey(keyId))
                {
                    lastSlot = slot;
                    return true;
                }
                // With 16 bits and a few hundred keys another record here is one that took the place meanwhile.
                undecided = true;
            }
        }
        return false;
    }

    private long header()
    {
        return UnsafeApi.getLong(bucket.address() + BucketDescriptor.HEADER_OFFSET);
    }

    /** Copies a record without looking at its check word. */
    void readUnchecked(final long slot)
    {
        copy(layout.recordOffset(slot), record.address(), room(slot));
    }

    /** What a slot says, or less if the heap ends before. */
    private int room(final long slot)
    {
        final long most = SlotWord.isLong(slot) ? 0 : SlotWord.length(slot);
        return (int)Math.max(0, Math.min(most, layout.heap() + layout.heapLength() - layout.recordOffset(slot)));
    }

    private boolean readRecord(final long slot)
    {
        final long offset = layout.recordOffset(slot);
        final int room = room(slot);
        if (!layout.heapContains(offset, room) || room < RecordDescriptor.HEADER_LENGTH)
        {
            return false;
        }
        readUnchecked(slot);
        final long length = RecordDescriptor.length(
            Short.toUnsignedInt(UnsafeApi.getShort(record.address() + RecordDescriptor.KEY_LENGTH_OFFSET)),
            Integer.toUnsignedLong(UnsafeApi.getInt(record.address() + RecordDescriptor.VALUE_LENGTH_OFFSET)),
            UnsafeApi.getShort(record.address() + RecordDescriptor.FLAGS_OFFSET));
        return length <= room &&
            check.code(record.address(), length, offset) == UnsafeApi.getLong(record.address());
    }

    /** Where the last record copied is now, if it is dead and tells. */
    private long forward(final int fingerprint)
    {
        final long word = UnsafeApi.getLong(record.address() + DeadRecordDescriptor.FORWARD_OFFSET);
        return UnsafeApi.getLong(record.address()) == RecordDescriptor.DEAD &&
            SlotWord.fingerprint(word) == fingerprint ? word : SlotWord.EMPTY;
    }

    private boolean hasKey(final long keyId)
    {
        return UnsafeApi.getShort(record.address() + RecordDescriptor.KEY_LENGTH_OFFSET) == Long.BYTES &&
            UnsafeApi.getLong(record.address() + RecordDescriptor.KEY_OFFSET) == keyId;
    }

    private void copy(final long offset, final long to, final long length)
    {
        UnsafeApi.loadFence();
        UnsafeApi.copyMemory(region + offset, to, length);
        UnsafeApi.loadFence();
    }

    long lastSlot()
    {
        return lastSlot;
    }

    long retries()
    {
        return retries;
    }

    /** Address of the value in the last record read. */
    long value()
    {
        return record.address() + RecordDescriptor.KEY_OFFSET + Long.BYTES;
    }

    int valueLength()
    {
        return UnsafeApi.getInt(record.address() + RecordDescriptor.VALUE_LENGTH_OFFSET);
    }

    /** Writes a value that tells its key and turn in every word. */
    static void describe(final long address, final int words, final long keyId, final long turn)
    {
        UnsafeApi.putLong(address, turn);
        for (int i = 1; i < words; i++)
        {
            UnsafeApi.putLong(address + (long)i * Long.BYTES, (turn * 31 + keyId) * MIXED + i);
        }
    }

    /** Whether a value is what {@link #describe} wrote for the key and the turn that its first word says. */
    static boolean isWhole(final long address, final int words, final long keyId)
    {
        final long turn = UnsafeApi.getLong(address);
        for (int i = 1; i < words; i++)
        {
            if (UnsafeApi.getLong(address + (long)i * Long.BYTES) != (turn * 31 + keyId) * MIXED + i)
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close()
    {
        bucket.close();
        record.close();
        key.close();
    }
}
