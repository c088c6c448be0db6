package org.onesided.server.table;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.verbs.MemoryRange;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A key gets a longer value, whose record is at another place, while a reader looks by the key's slot, and then where
 * the record was. Once the new one was seen, or the old one dead, the old one is never seen again.
 */
@JCStressTest
@Outcome(id = {"1, 1", "1, 0", "0, 0", "2, 0"}, expect = ACCEPTABLE, desc = "the old one, then the new")
@Outcome(expect = FORBIDDEN, desc = "a mixture, or the old one after the new")
@State
public class MoveStress
{
    private static final int TRIES = 500;
    private static final int OLD_LENGTH = 40;
    private static final int NEW_LENGTH = 104;
    private static final int COPY_LENGTH = 256;

    private static final StressMemory MEMORY = new StressMemory(COPY_LENGTH);
    private static final Writer WRITER = new Writer();

    private final long cell = MEMORY.take();
    /** Distinct for all states there are at a time. */
    private final long key = cell;
    private final long bucket;
    private final long oldWord;
    private final long oldVersion;

    /**
     * With the old record.
     */
    public MoveStress()
    {
        synchronized (WRITER)
        {
            WRITER.put(key, OLD_LENGTH, StressRecord.OLD);
            oldWord = WRITER.result.slotWord();
            oldVersion = WRITER.result.version();
            bucket = WRITER.base + WRITER.result.bucketOffset() +
                BucketDescriptor.slotOffset(WRITER.result.slotIndex());
        }
    }

    /**
     * Puts the longer value.
     */
    @Actor
    public void writer()
    {
        synchronized (WRITER)
        {
            WRITER.put(key, NEW_LENGTH, StressRecord.NEW);
        }
    }

    /**
     * Looks twice.
     *
     * @param result what it sees.
     */
    @Actor
    public void reader(final II_Result result)
    {
        // Until the writer is met.
        for (int i = 0; i == 0 || i < TRIES && result.r1 == StressRecord.OLD; i++)
        {
            UnsafeApi.loadFence();
            final long word = UnsafeApi.getLong(bucket);
            result.r1 = StressRecord.read(WRITER.base, WRITER.heap, word, cell, key, oldVersion);
        }
        result.r2 = StressRecord.read(WRITER.base, WRITER.heap, oldWord, cell, key, oldVersion);
    }

    /**
     * Gives place and memory back.
     *
     * @param result of the reader.
     */
    @Arbiter
    public void end(final II_Result result)
    {
        synchronized (WRITER)
        {
            WRITER.delete(key);
        }
        MEMORY.giveBack(cell);
    }

    /** The table of all states; used by one thread at a time. */
    private static final class Writer
    {
        private static final int HEAP_LENGTH = 24 << 20;
        private static final int BUCKETS = 1 << 17;
        private static final int OVERFLOW_BUCKETS = 1 << 14;

        /** With buckets that are never split. */
        private final Superblock superblock = superblock();
        private final ByteBuffer region = BufferUtil.allocateDirectAligned((int)superblock.regionLength(), 4096);
        private final ByteBuffer pair = BufferUtil.allocateDirectAligned(StressRecord.KEY_LENGTH + NEW_LENGTH, 8);
        private final long base = BufferUtil.address(region);
        private final long keyAddress = BufferUtil.address(pair);
        private final WriteResult result = new WriteResult();
        private final KeyHash keyHash;
        private final ShardTable table;
        private final long heap;

        Writer()
        {
            keyHash = new KeyHash(superblock.hashSeed());
            heap = superblock.shards().get(0).heap();
            table = new ShardTable(new MemoryRange(base, superblock.regionLength()), superblock, 0, 1);
        }

        private static Superblock superblock()
        {
            final long buckets = SuperblockDescriptor.LENGTH;
            final long overflow = buckets + (long)BUCKETS * BucketDescriptor.LENGTH;
            final long heap = overflow + (long)OVERFLOW_BUCKETS * BucketDescriptor.LENGTH;
            return new Superblock(1, 2, 1, heap + HEAP_LENGTH, 3, StressRecord.CHECK_SEED, List.of(
                new ShardLayout(buckets, BUCKETS, 1, overflow, OVERFLOW_BUCKETS, heap, HEAP_LENGTH)));
        }

        void put(final long key, final int length, final int number)
        {
            UnsafeApi.putLong(keyAddress, key);
            final long value = keyAddress + StressRecord.KEY_LENGTH;
            StressRecord.fill(value, length, number);
            final Status status = table.put(hash(), keyAddress, StressRecord.KEY_LENGTH, value, length, result);
            if (status != Status.OK)
            {
                throw new IllegalStateException("put failed: status=" + status);
            }
        }

        void delete(final long key)
        {
            UnsafeApi.putLong(keyAddress, key);
            table.delete(hash(), keyAddress, StressRecord.KEY_LENGTH, result);
        }

        private long hash()
        {
            return keyHash.hash(keyAddress, StressRecord.KEY_LENGTH);
        }
    }
}
