package org.onesided.client.read;

import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.TestMemory;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.DeadRecordDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;

/**
 * A region in memory with one shard, written to as a server would, one step at a time.
 */
final class TestRegion implements AutoCloseable
{
    static final long EPOCH = 3;
    static final int BUCKETS = 4;
    static final int OVERFLOW_BUCKETS = 4;
    static final long HEAP = 8192;
    static final long HEAP_LENGTH = 1 << 20;

    final Superblock superblock;
    final KeyHash keyHash;
    final RecordCheck recordCheck;
    final long address;
    private final TestMemory memory = new TestMemory();
    private RegisteredBuffer keySpace;
    private long nextRecord = HEAP;
    private long nextVersion = 1;

    TestRegion()
    {
        this(1);
    }

    /** With buckets that are split so often at most; up to 4 levels have room. */
    TestRegion(final int levels)
    {
        superblock = new Superblock(11, 22, EPOCH, HEAP + HEAP_LENGTH, 33, 44, List.of(new ShardLayout(
            4096, BUCKETS, levels, 4096 + ((BUCKETS << levels) - BUCKETS) * BucketDescriptor.LENGTH, OVERFLOW_BUCKETS,
            HEAP, HEAP_LENGTH)));
        keyHash = new KeyHash(superblock.hashSeed());
        recordCheck = new RecordCheck(superblock.checkSeed());
        address = UnsafeApi.allocateMemory(superblock.regionLength());
        UnsafeApi.setMemory(null, address, superblock.regionLength(), (byte)0);
        for (int i = 0; i < BUCKETS; i++)
        {
            header(i, BucketDescriptor.LIVE, EPOCH, -1);
        }
    }

    ShardLayout shard()
    {
        return superblock.shards().get(0);
    }

    static byte[] bytes(final String text)
    {
        return TestMemory.bytes(text);
    }

    /** Memory of a client's own, freed with the region. */
    RegisteredBuffer buffer(final long length)
    {
        return memory.buffer(length);
    }

    /** A copy of bytes in native memory. */
    long copy(final byte[] bytes)
    {
        final long copy = buffer(Math.max(1, bytes.length)).range().address();
        put(copy, bytes);
        return copy;
    }

    /** A copy of a key in a place that the next one takes over. */
    RegisteredBuffer keySpace(final byte[] key)
    {
        keySpace = keySpace == null ? buffer(4096) : keySpace;
        for (int i = 0; i < key.length; i++)
        {
            UnsafeApi.putByte(keySpace.range().address() + i, key[i]);
        }
        return keySpace;
    }

    long hash(final byte[] key)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(BufferUtil.allocateDirectAligned(key.length, Long.BYTES));
        bytes.putBytes(0, key);
        return keyHash.hash(bytes.addressOffset(), key.length);
    }

    long bucketOf(final byte[] key)
    {
        return KeyHash.bucket(hash(key), BUCKETS);
    }

    /** Index of an overflow bucket: they are counted behind all others. */
    long overflowIndex(final long number)
    {
        return shard().bucketCount() + number;
    }

    /** Two keys with one bucket; the second's fingerprint is then forged by {@link #forgedSlot}. */
    byte[] anotherKeyInBucketOf(final byte[] key)
    {
        for (int i = 0;; i++)
        {
            final byte[] other = bytes("other-" + i);
            if (bucketOf(other) == bucketOf(key))
            {
                return other;
            }
        }
    }

    /** Index counts overflow buckets behind the others. */
    void header(final long index, final int state, final long epoch, final long overflow)
    {
        header(index, BucketDescriptor.header(state, epoch, 0, overflow));
    }

    void header(final long index, final long header)
    {
        UnsafeApi.putLong(bucketAddress(index), header);
    }

    long header(final long index)
    {
        return UnsafeApi.getLong(bucketAddress(index));
    }

    long overflowOf(final long index)
    {
        return BucketDescriptor.overflow(UnsafeApi.getLong(bucketAddress(index)));
    }

    void slot(final long index, final int slot, final long word)
    {
        UnsafeApi.putLong(bucketAddress(index) + BucketDescriptor.slotOffset(slot), word);
    }

    long slot(final long index, final int slot)
    {
        return UnsafeApi.getLong(bucketAddress(index) + BucketDescriptor.slotOffset(slot));
    }

    private long bucketAddress(final long index)
    {
        return address + 4096 + index * BucketDescriptor.LENGTH;
    }

    /** Writes a whole live record somewhere new: its table offset. */
    long record(final byte[] key, final byte[] value)
    {
        final long offset = nextRecord;
        nextRecord += SlotWord.granules(RecordDescriptor.length(key.length, value.length)) * SlotWord.GRANULE;
        recordAt(offset, key, value);
        return offset;
    }

    /** Writes a whole live record over what is there. */
    void recordAt(final long offset, final byte[] key, final byte[] value)
    {
        final long at = address + offset;
        UnsafeApi.putLong(at + RecordDescriptor.VERSION_OFFSET, nextVersion++);
        UnsafeApi.putShort(at + RecordDescriptor.FLAGS_OFFSET, (short)0);
        UnsafeApi.putShort(at + RecordDescriptor.KEY_LENGTH_OFFSET, (short)key.length);
        UnsafeApi.putInt(at + RecordDescriptor.VALUE_LENGTH_OFFSET, value.length);
        put(at + RecordDescriptor.KEY_OFFSET, key);
        put(at + RecordDescriptor.KEY_OFFSET + key.length, value);
        check(offset, codeOf(offset));
    }

    long codeOf(final long offset)
    {
        final int keyLength = UnsafeApi.getShort(address + offset + RecordDescriptor.KEY_LENGTH_OFFSET);
        final int valueLength = UnsafeApi.getInt(address + offset + RecordDescriptor.VALUE_LENGTH_OFFSET);
        return recordCheck.code(address + offset, RecordDescriptor.length(keyLength, valueLength), offset);
    }

    void check(final long offset, final long code)
    {
        UnsafeApi.putLong(address + offset + RecordDescriptor.CHECK_OFFSET, code);
    }

    void kill(final long offset, final long forward)
    {
        check(offset, RecordDescriptor.DEAD);
        UnsafeApi.putLong(address + offset + DeadRecordDescriptor.FORWARD_OFFSET, forward);
    }

    long slotOf(final byte[] key, final byte[] value, final long offset)
    {
        return superblock.shards().get(0).slotWord(
            KeyHash.fingerprint(hash(key)), RecordDescriptor.length(key.length, value.length), offset);
    }

    /** A slot with the fingerprint of one key that points at the record of another. */
    long forgedSlot(final byte[] fingerprintOf, final byte[] key, final byte[] value, final long offset)
    {
        return superblock.shards().get(0).slotWord(
            KeyHash.fingerprint(hash(fingerprintOf)), RecordDescriptor.length(key.length, value.length), offset);
    }

    /** A live record in a slot of its bucket: its table offset. */
    long insert(final byte[] key, final byte[] value, final int slot)
    {
        final long offset = record(key, value);
        slot(bucketOf(key), slot, slotOf(key, value, offset));
        return offset;
    }

    private static void put(final long at, final byte[] bytes)
    {
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(at + i, bytes[i]);
        }
    }

    @Override
    public void close()
    {
        memory.close();
        UnsafeApi.freeMemory(address);
    }
}
