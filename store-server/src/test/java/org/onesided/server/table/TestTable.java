package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.DeadRecordDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;

/** A table of one shard in memory of its own, and room for a key and a value to hand it. */
final class TestTable implements AutoCloseable
{
    private static final int PAGE = 4096;
    private static final long ROOM_BUDGET = 1 << 14;

    final ShardTable table;
    final Superblock superblock;
    final ShardLayout layout;
    final WriteResult result = new WriteResult();
    final FoundRecord found = new FoundRecord();
    /** The table's time. */
    long now = 1_000_000;
    /** Buckets to split after each put. */
    int splits = 4;
    private final Native region;
    private final Native key = new Native(RecordDescriptor.MAX_KEY_LENGTH + 1);
    private final Native value;
    private final KeyHash keyHash;

    TestTable(final long memory, final int maxValueLength)
    {
        this(GrowthPlan.of(memory, 1, 1, PAGE).superblock(11, 12, 13, 14), maxValueLength);
    }

    TestTable(final Superblock superblock, final int maxValueLength)
    {
        this(superblock, maxValueLength, ShardMemory.whole(superblock.shards().get(0)));
    }

    /** With parts that grow. */
    TestTable(final Superblock superblock, final int maxValueLength, final ShardMemory memory)
    {
        this(superblock, maxValueLength, memory, 0);
    }

    /** With a time to live of keys whose put says none. */
    TestTable(
        final Superblock superblock, final int maxValueLength, final ShardMemory memory, final long defaultTtlMs)
    {
        this.superblock = superblock;
        layout = superblock.shards().get(0);
        region = new Native(superblock.regionLength());
        superblock.write(region.address());
        table = new ShardTable(region.range(), superblock, 0, 1, memory, new TableTime(() -> now, defaultTtlMs));
        keyHash = new KeyHash(superblock.hashSeed());
        value = new Native(maxValueLength);
    }

    /** A table with few buckets, which are never split. */
    static Superblock superblock(final long buckets, final long overflow, final long heapLength)
    {
        return superblock(buckets, overflow, heapLength, 1);
    }

    /** A table with fewer buckets at first than a server's, so that they are split often. */
    static Superblock superblock(final long memory, final int leastFirst)
    {
        final IndexSize index = IndexSize.of(memory, leastFirst);
        return superblock(
            index.firstBuckets(), index.overflowCount(), memory / SlotWord.GRANULE * SlotWord.GRANULE, index.levels());
    }

    static Superblock superblock(final long buckets, final long overflow, final long heapLength, final int levels)
    {
        final long first = SuperblockDescriptor.LENGTH;
        final long second = first + ((buckets << levels) - buckets) * BucketDescriptor.LENGTH;
        final long third = second + overflow * BucketDescriptor.LENGTH;
        final ShardLayout layout = new ShardLayout(first, (int)buckets, levels, second, overflow, third, heapLength);
        return new Superblock(11, 12, 1, third + heapLength, 13, 14, List.of(layout));
    }

    /** Puts, and makes room as long as that helps; BUSY if room must wait for what is lent or reserved. */
    Status put(final String name, final byte[] bytes)
    {
        Status status = tryPut(name, bytes);
        final int length = key.text(name);
        while (status == Status.BUSY &&
            table.makeRoom(ShardTable.recordLength(length, bytes.length), ROOM_BUDGET) > 0)
        {
            status = table.put(hash(length), key.address(), length, value.address(), bytes.length, result);
        }
        return status;
    }

    Status tryPut(final String name, final byte[] bytes)
    {
        final int length = key.text(name);
        final Status status =
            table.put(hash(length), key.address(), length, value.address(), value.bytes(bytes), result);
        table.grow(splits);
        return status;
    }

    Status put(final String name, final byte[] bytes, final long expiry)
    {
        final int length = key.text(name);
        final Status status = table.put(
            hash(length), key.address(), length, value.address(), value.bytes(bytes), expiry, result);
        table.grow(splits);
        return status;
    }

    Status touch(final String name, final long expiry)
    {
        final int length = key.text(name);
        return table.touch(hash(length), key.address(), length, expiry, result);
    }

    Status delete(final String name)
    {
        final int length = key.text(name);
        return table.delete(hash(length), key.address(), length, result);
    }

    boolean find(final String name)
    {
        final int length = key.text(name);
        return table.lookups().find(hash(length), key.address(), length, found);
    }

    /** Reserves, and makes room as {@link #put} does. */
    long reserve(final String name, final int valueLength)
    {
        final int length = key.text(name);
        long extent = table.longPuts().reserve(hash(length), key.address(), length, valueLength);
        while (extent == LongPuts.WAIT &&
            table.makeRoom(
                RecordDescriptor.length(length, valueLength, RecordDescriptor.EXPIRY_FLAG), ROOM_BUDGET) > 0)
        {
            extent = table.longPuts().reserve(hash(length), key.address(), length, valueLength);
        }
        return extent;
    }

    /** Writes the value of a reserved extent, as a device does. */
    void writeValue(final long extent, final byte[] bytes)
    {
        UnsafeApi.copyMemory(value.address(), table.reservations().valueAddress(extent), value.bytes(bytes));
    }

    /** Hash of the first bytes of {@link #key}. */
    long hash(final int length)
    {
        return keyHash.hash(key.address(), length);
    }

    /** The value of a key as the writer sees it, after checking its record as a reader would; null if there is none. */
    byte[] get(final String name)
    {
        if (!find(name))
        {
            return null;
        }
        final long record = region.address() + found.recordOffset();
        final long length = RecordDescriptor.length(
            key.text(name), found.valueLength(), UnsafeApi.getShort(record + RecordDescriptor.FLAGS_OFFSET));
        assertEquals(
            new RecordCheck(superblock.checkSeed()).code(record, length, found.recordOffset()),
            UnsafeApi.getLong(record),
            name);
        final long tail = SlotWord.granules(length) * SlotWord.GRANULE - length;
        assertEquals(0, tail(record + length, (int)tail));
        return Native.read(found.valueAddress(), found.valueLength());
    }

    private static int tail(final long address, final int length)
    {
        return Arrays.hashCode(Native.read(address, length)) - Arrays.hashCode(new byte[length]);
    }

    /** The slots that a reader would look at for a key. */
    int chainLength(final String name)
    {
        final long hash = hash(key.text(name));
        long bucket = layout.bucketOffset(layout.bucket(hash, Superblock.splitPoint(region.address(), 0)));
        int length = 0;
        while (true)
        {
            length++;
            final long header = UnsafeApi.getLong(region.address() + bucket);
            if (!BucketDescriptor.isLive(header, superblock.epoch()))
            {
                throw new IllegalStateException("not live: bucket=" + bucket);
            }
            final long next = BucketDescriptor.overflow(header);
            if (next < 0)
            {
                return length;
            }
            bucket = layout.overflowOffset(next);
        }
    }

    /** The word of the slot that the last write told of. */
    long slotWord()
    {
        return UnsafeApi.getLong(
            region.address() + result.bucketOffset() + BucketDescriptor.slotOffset(result.slotIndex()));
    }

    /** Whether nothing is left in the heap but forward words of records that moved. */
    boolean heapIsZero()
    {
        final long from = region.address() + layout.heap();
        for (long at = from; at < from + layout.heapLength(); at += Long.BYTES)
        {
            final long word = UnsafeApi.getLong(at);
            final boolean isForward = (at - from) % SlotWord.GRANULE == DeadRecordDescriptor.FORWARD_OFFSET &&
                SlotWord.length(word) > RecordDescriptor.HEADER_LENGTH &&
                layout.heapContains(layout.recordOffset(word), 1);
            if (word != 0 && !isForward)
            {
                return false;
            }
        }
        return true;
    }

    /** What a dead record leaves where it was. */
    long forward(final long slotWord)
    {
        final long record = region.address() + layout.recordOffset(slotWord);
        assertEquals(RecordDescriptor.DEAD, UnsafeApi.getLong(record + DeadRecordDescriptor.CHECK_OFFSET));
        return UnsafeApi.getLong(record + DeadRecordDescriptor.FORWARD_OFFSET);
    }

    long address(final long tableOffset)
    {
        return region.address() + tableOffset;
    }

    Native key()
    {
        return key;
    }

    Native value()
    {
        return value;
    }

    Native region()
    {
        return region;
    }

    @Override
    public void close()
    {
        region.close();
        key.close();
        value.close();
    }
}
