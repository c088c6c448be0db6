package org.onesided.server.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardMemory;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.TableTime;
import org.onesided.server.table.TableStatistics;
import org.onesided.server.table.WriteResult;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.ProtectionDomain;

/**
 * A table whose shards draw segments from one pool refuses a put only when nearly all of its memory is in use: by
 * records, index, reserves, and buckets that were split.
 */
class StrandedMemoryTest
{
    private static final double MOST_STRANDED = 0.02;
    private static final long MIB = 1 << 20;
    private static final long PAGE = 4096;
    private static final long ROOM_BUDGET = 1 << 14;
    private static final int SPLITS = 16;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    /** The shards of a server without the server. */
    private static final class Table implements GrowthListener, AutoCloseable
    {
        private final GrowthPlan plan;
        private final Superblock superblock;
        private final Context context = Devices.find("tcp").open();
        private final ProtectionDomain domain = context.allocateProtectionDomain();
        private final TableMemory memory;
        private final MemoryGrowth growth;
        private final List<ShardMemory> parts = new ArrayList<>();
        private final List<ShardTable> shards = new ArrayList<>();
        private final KeyHash keyHash;
        private final WriteResult result = new WriteResult();
        private final NativeArray bytes;
        private volatile Throwable failure;

        Table(final long length, final int count, final int maxValue, final boolean isDivided)
        {
            plan = GrowthPlan.of(length, count, 1, PAGE);
            superblock = plan.superblock(1, 2, 3, 4);
            keyHash = new KeyHash(superblock.hashSeed());
            memory = new TableMemory(
                context.allocateGrowable(plan.regionLength(), HugePages.OFF), plan, List.of(domain));
            superblock.write(memory.range().address());
            growth = new MemoryGrowth(memory, plan, isDivided, 0, this);
            for (int i = 0; i < count; i++)
            {
                parts.add(growth.addShard(i, plan.initialHeap(0)));
                shards.add(new ShardTable(memory.range(), superblock, i, 1, parts.get(i), TableTime.NONE));
            }
            growth.start();
            bytes = new NativeArray(2 * Long.BYTES + maxValue);
        }

        @Override
        public void onGrown(final int shard)
        {
        }

        /** There are no clients. */
        @Override
        public void retire(final RetiredMemory retired, final Runnable then)
        {
            then.run();
        }

        @Override
        public void onLook()
        {
        }

        @Override
        public void onFailed(final Throwable cause)
        {
            failure = cause;
        }

        Status put(final long number, final int valueLength)
        {
            final long key = bytes.range().address();
            final int keyLength = 2 * Long.BYTES;
            UnsafeApi.putLong(key, number);
            final long hash = keyHash.hash(key, keyLength);
            final ShardTable shard = shards.get(KeyHash.shard(hash, shards.size()));
            Status status = shard.put(hash, key, keyLength, key + keyLength, valueLength, result);
            final long endNs = System.nanoTime() + PATIENCE_NS;
            while (status == Status.BUSY)
            {
                assertTrue(failure == null && System.nanoTime() - endNs < 0, () -> "put waits: failure=" + failure);
                shard.makeRoom(ShardTable.recordLength(keyLength, valueLength), ROOM_BUDGET);
                shard.grow(SPLITS);
                Thread.onSpinWait();
                status = shard.put(hash, key, keyLength, key + keyLength, valueLength, result);
            }
            shard.grow(SPLITS);
            return status;
        }

        /** Bytes of buckets and overflow buckets that are in use, or were split and not given back. */
        private long indexUsed(final int shard)
        {
            final ShardLayout layout = plan.shards().get(shard).layout();
            final long point = Superblock.splitPoint(memory.range().address(), shard);
            final long first = layout.firstInUse(point);
            return (layout.child(first) + shards.get(shard).statistics().overflowBucketsUsed()) *
                BucketDescriptor.LENGTH - parts.get(shard).buckets().released();
        }

        String stranded()
        {
            long freeHeap = 0;
            long freeIndex = 0;
            long kept = 0;
            for (int i = 0; i < shards.size(); i++)
            {
                final TableStatistics now = shards.get(i).statistics();
                final ShardMemory part = parts.get(i);
                freeHeap += now.heapBytes() - now.heapBytesUsed();
                freeIndex += part.indexBytes() - indexUsed(i);
                kept += part.reserve().usable() + part.records().usable() - now.heapBytes();
            }
            return "stranded=" + (double)strandedBytes() / memory.limit() + " pool=" +
                (memory.limit() - memory.committed()) + " heaps=" + freeHeap + " indexes=" + freeIndex + " ends=" +
                kept + " segments=" + memory.segments() + " of=" + plan.directoryCapacity();
        }

        long strandedBytes()
        {
            long used = memory.startLength();
            for (int i = 0; i < shards.size(); i++)
            {
                used += shards.get(i).statistics().heapBytesUsed() + indexUsed(i);
            }
            return memory.limit() - used;
        }

        @Override
        public void close()
        {
            growth.close();
            bytes.close();
            memory.close();
            domain.close();
            context.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "64, 1, 8", "64, 1, 100", "64, 1, 4000", "64, 4, 100"})
    void shouldLeaveLittleUnused(final int mib, final int shards, final int valueLength)
    {
        fill(mib, shards, valueLength);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "16, 1, 100", "16, 4, 100", "64, 2, 100", "128, 16, 100", "256, 63, 400", "256, 1, 8", "256, 1, 100",
        "256, 2, 8", "256, 4, 8", "256, 4, 1000",
        "256, 16, 8", "256, 16, 100", "256, 63, 8", "256, 63, 100", "512, 63, 1000", "1024, 1, 100", "1024, 4, 1000"})
    void shouldLeaveLittleUnusedWhateverItsSize(final int mib, final int shards, final int valueLength)
    {
        fill(mib, shards, valueLength);
    }

    private static void fill(final int mib, final int shards, final int valueLength)
    {
        try (Table table = new Table(mib * MIB, shards, valueLength, false))
        {
            long count = 0;
            while (table.put(count, valueLength) == Status.OK)
            {
                count++;
            }
            assertTrue(table.strandedBytes() <= MOST_STRANDED * mib * MIB, table::stranded);
        }
    }
}
