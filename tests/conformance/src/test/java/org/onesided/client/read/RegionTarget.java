package org.onesided.client.read;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegionReader;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.Table;
import org.onesided.fuzz.FuzzTarget;
import org.onesided.fuzz.Refusal;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.DeadRecordDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.MemoryRange;

/**
 * A region of any bytes, in which keys are looked up: superblock, buckets, slots and records. The first byte of an
 * input is no part of the region: it says which codes are made to fit before, as a server that means harm would.
 */
public final class RegionTarget implements FuzzTarget
{
    private static final int FIT_SUPERBLOCK = 1;
    private static final int FIT_RECORDS = 2;
    private static final int KEYS = 4;
    private static final int MAX_READS = 200_000;
    /** So much of the superblock is in an input: the rest is zero. */
    private static final int HEAD = 256;
    private static final long LENGTH = 6 << 10;
    private static final long MIRROR_BYTES = 64 << 10;
    private static final long RECORD_SPACE = 288 << 10;
    private static final long KEY_SPACE = 4096;
    private static final long PATIENCE_NS = 3;
    private static final int BUCKETS = 8;
    private static final int OVERFLOW = 4;
    private static final long HEAP =
        SuperblockDescriptor.LENGTH + (long)(BUCKETS + OVERFLOW) * BucketDescriptor.LENGTH;
    private static final Superblock USUAL = new Superblock(11, 22, 1, LENGTH, 33, 44, List.of(new ShardLayout(
        SuperblockDescriptor.LENGTH, BUCKETS, 1, SuperblockDescriptor.LENGTH + BUCKETS * BucketDescriptor.LENGTH,
        OVERFLOW, HEAP, LENGTH - HEAP)));

    private final List<Long> allocations = new ArrayList<>();
    private final long region = allocate(LENGTH);
    private final RegisteredBuffer lines = buffer(2 * BucketDescriptor.LENGTH);
    private final RegisteredBuffer shortSpace = buffer(RECORD_SPACE);
    private final RegisteredBuffer longSpace = buffer(RECORD_SPACE);
    private final long keySpace = allocate(KEY_SPACE);
    private final long mirrorSpace = allocate(MIRROR_BYTES);
    private final UnsafeBuffer key = new UnsafeBuffer(keySpace, (int)KEY_SPACE);
    private long reads;
    private long ticks;

    /**
     * For {@code ServiceLoader}.
     */
    public RegionTarget()
    {
    }

    @Override
    public String name()
    {
        return "region";
    }

    @Override
    public int maxLength()
    {
        return 1 + HEAD + (int)LENGTH - SuperblockDescriptor.LENGTH;
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        // READs in great number, before the compiler sees what need not be allocated.
        return 16 << 20;
    }

    @Override
    public List<byte[]> seeds()
    {
        return List.of(image(0, false), image(FIT_RECORDS, true), image(FIT_SUPERBLOCK, false),
            image(FIT_SUPERBLOCK | FIT_RECORDS, true));
    }

    @Override
    public void feed(final byte[] input)
    {
        UnsafeApi.setMemory(null, region, LENGTH, (byte)0);
        for (int i = 1; i < Math.min(input.length, maxLength()); i++)
        {
            UnsafeApi.putByte(region + (i <= HEAD ? i - 1 : SuperblockDescriptor.LENGTH + i - 1 - HEAD), input[i]);
        }
        final int fit = input.length == 0 ? 0 : input[0];
        if ((fit & FIT_SUPERBLOCK) != 0)
        {
            fitSuperblock();
        }
        Superblock superblock = USUAL;
        try
        {
            final Superblock read = Superblock.read(region);
            // Another than what the server has registered is refused: Attacher.
            superblock = read.regionLength() <= LENGTH ? read : superblock;
        }
        catch (final IllegalArgumentException e)
        {
            Refusal.check(e);
        }
        if ((fit & FIT_RECORDS) != 0)
        {
            fitRecords(superblock);
        }
        lookUp(superblock);
    }

    private void lookUp(final Superblock superblock)
    {
        reads = 0;
        UnsafeApi.setMemory(null, mirrorSpace, MIRROR_BYTES, (byte)0);
        final Table table = SessionParts.table(superblock, MIRROR_BYTES, this::mirrorMemory);
        final Counters counters = new Counters();
        final RegionReader reader = new Reader(superblock);
        final RecordReader records = new RecordReader(reader, table, shortSpace, this::longRecord, counters);
        // Nobody writes: there is nothing to wait for.
        final Patience patience = new Patience(() -> ticks++, PATIENCE_NS, (attempts) ->
        {
        });
        final Lookup lookup = new Lookup(reader, records, table, lines, counters, patience);
        // Twice: the second time there is a mirror.
        for (int i = 0; i < 2 * KEYS; i++)
        {
            final byte[] name = key(i % KEYS);
            key.putBytes(0, name);
            final int outcome = lookup.find(keySpace, name.length, table.hash(keySpace, name.length));
            if (outcome == Lookup.FOUND)
            {
                require(records.valueLength() >= 0 && (isInside(shortSpace, records) || isInside(longSpace, records)),
                    "a value outside of what was READ: length=" + records.valueLength());
            }
        }
        SessionParts.release(table);
    }

    private static boolean isInside(final RegisteredBuffer space, final RecordReader records)
    {
        return records.valueAddress() >= space.range().address() &&
            records.valueAddress() + records.valueLength() <= space.range().address() + space.length();
    }

    private RegisteredBuffer longRecord(final long length)
    {
        require(length <= RECORD_SPACE, "room for more than the region: length=" + length);
        return longSpace;
    }

    private DeviceMemory mirrorMemory(final long length)
    {
        require(length <= MIRROR_BYTES, "a larger mirror than was asked for: length=" + length);
        return new DeviceMemory()
        {
            @Override
            public MemoryRange range()
            {
                return new MemoryRange(mirrorSpace, length);
            }

            @Override
            public void close()
            {
                // Used again.
            }
        };
    }

    /** READs with the rules of a queue pair. */
    private final class Reader implements RegionReader
    {
        private final long length;
        private final int shards;

        Reader(final Superblock superblock)
        {
            length = superblock.regionLength();
            shards = superblock.shards().size();
        }

        @Override
        public void enqueue(
            final int shard,
            final long tableOffset,
            final long count,
            final RegisteredBuffer target,
            final long targetOffset)
        {
            if (shard < 0 || shard >= shards || count < 1 || count > length || tableOffset < 0 ||
                tableOffset > length - count)
            {
                throw new AssertionError("READ outside of the region: shard=" + shard + " offset=" + tableOffset +
                    " length=" + count);
            }
            require(++reads <= MAX_READS, "READs without end");
            UnsafeApi.copyMemory(region + tableOffset, target.addressOf(targetOffset, count), count);
        }

        @Override
        public void complete()
        {
            // Each READ was carried out as it came.
        }
    }

    /** The code is over all other bytes: a second reading of what its Javadoc says. */
    private void fitSuperblock()
    {
        final byte[] bytes = new byte[SuperblockDescriptor.LENGTH];
        new UnsafeBuffer(region, bytes.length).getBytes(0, bytes);
        final int code = SuperblockDescriptor.CODE_OFFSET;
        final int after = code + Long.BYTES;
        UnsafeApi.putLong(region + code, Hashing.xxh3_64().hashBytesToLong(bytes, 0, code) * 31 +
            Hashing.xxh3_64().hashBytesToLong(bytes, after, bytes.length - after));
    }

    private void fitRecords(final Superblock superblock)
    {
        final RecordCheck check = new RecordCheck(superblock.checkSeed());
        for (long at = SuperblockDescriptor.LENGTH; at + Long.BYTES <= LENGTH; at += Long.BYTES)
        {
            final long offset = HEAP + SlotWord.heapOffset(UnsafeApi.getLong(region + at));
            if (offset <= HEAP - SlotWord.GRANULE || offset > LENGTH - RecordDescriptor.HEADER_LENGTH)
            {
                continue;
            }
            final long record = region + offset;
            final long length = RecordDescriptor.length(
                UnsafeApi.getShort(record + RecordDescriptor.KEY_LENGTH_OFFSET) & 0xFFFF,
                UnsafeApi.getInt(record + RecordDescriptor.VALUE_LENGTH_OFFSET) & 0xFFFF_FFFFL,
                UnsafeApi.getShort(record + RecordDescriptor.FLAGS_OFFSET));
            final long code = UnsafeApi.getLong(record);
            if (length <= LENGTH - offset && code != RecordDescriptor.DEAD && code != RecordDescriptor.BEING_WRITTEN)
            {
                UnsafeApi.putLong(record, check.code(record, length, offset));
            }
        }
    }

    /** A region with a few records, one behind an overflow bucket, one long, one dead with a hint. */
    private byte[] image(final int fit, final boolean isLong)
    {
        UnsafeApi.setMemory(null, region, LENGTH, (byte)0);
        USUAL.write(region);
        final KeyHash hash = new KeyHash(USUAL.hashSeed());
        final RecordCheck check = new RecordCheck(USUAL.checkSeed());
        for (int i = 0; i < BUCKETS + OVERFLOW; i++)
        {
            UnsafeApi.putLong(region + SuperblockDescriptor.LENGTH + (long)i * BucketDescriptor.LENGTH,
                BucketDescriptor.header(BucketDescriptor.LIVE, 1, 0, i < OVERFLOW ? i : -1));
        }
        long offset = HEAP + SlotWord.GRANULE;
        for (int i = 0; i < KEYS - 1; i++)
        {
            final byte[] name = key(i);
            key.putBytes(0, name);
            final long hashed = hash.hash(keySpace, name.length);
            final int valueLength = 50 * i;
            final long record = region + offset;
            final long length = RecordDescriptor.length(name.length, valueLength);
            UnsafeApi.putLong(record + RecordDescriptor.VERSION_OFFSET, i + 1);
            UnsafeApi.putShort(record + RecordDescriptor.KEY_LENGTH_OFFSET, (short)name.length);
            UnsafeApi.putInt(record + RecordDescriptor.VALUE_LENGTH_OFFSET, valueLength);
            UnsafeApi.copyMemory(keySpace, record + RecordDescriptor.KEY_OFFSET, name.length);
            UnsafeApi.putLong(record, check.code(record, length, offset));
            final long bucket = KeyHash.bucket(hashed, BUCKETS);
            final long line = i == 1 && bucket < OVERFLOW ? BUCKETS + bucket : bucket;
            final long word = SlotWord.of(
                KeyHash.fingerprint(hashed), isLong ? 1L << 30 : length, offset - HEAP);
            UnsafeApi.putLong(region + SuperblockDescriptor.LENGTH + line * BucketDescriptor.LENGTH +
                BucketDescriptor.slotOffset(i), word);
            if (i == 2)
            {
                UnsafeApi.putLong(record, RecordDescriptor.DEAD);
                UnsafeApi.putLong(record + DeadRecordDescriptor.FORWARD_OFFSET, word);
            }
            offset += SlotWord.granules(length) * SlotWord.GRANULE;
        }
        final byte[] image = new byte[maxLength()];
        image[0] = (byte)fit;
        final UnsafeBuffer whole = new UnsafeBuffer(region, (int)LENGTH);
        whole.getBytes(0, image, 1, HEAD);
        whole.getBytes(SuperblockDescriptor.LENGTH, image, 1 + HEAD, (int)LENGTH - SuperblockDescriptor.LENGTH);
        return image;
    }

    private static byte[] key(final int number)
    {
        return ("key-" + number).getBytes(US_ASCII);
    }

    private RegisteredBuffer buffer(final long length)
    {
        return new RegisteredBuffer(new MemoryRange(allocate(length), length), 1, 2);
    }

    private long allocate(final long length)
    {
        final long address = UnsafeApi.allocateMemory(length + BucketDescriptor.LENGTH);
        allocations.add(address);
        return (address + BucketDescriptor.LENGTH - 1) & -BucketDescriptor.LENGTH;
    }

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }

    @Override
    public void close()
    {
        allocations.forEach(UnsafeApi::freeMemory);
        allocations.clear();
    }
}
