package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SplitPoint;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.TestSize;

/** The index grows with its records, and shows each of them at every step. */
class BucketSplitterTest
{
    private static final double MOST_BYTES_FOR_A_RECORD = 22;

    /** Memory of which a part can be used. */
    private static final class Rationed implements PartMemory
    {
        private long length;
        private long asked;

        Rationed(final long length)
        {
            this.length = length;
        }

        @Override
        public long usable()
        {
            return length;
        }

        @Override
        public boolean ensure(final long wanted)
        {
            asked = Math.max(asked, wanted);
            return wanted <= length;
        }
    }

    private static byte[] value(final int i)
    {
        return ("value" + i).getBytes(StandardCharsets.UTF_8);
    }

    private static long point(final TestTable t)
    {
        return Superblock.splitPoint(t.region().address(), 0);
    }

    @Test
    void shouldShowEachKeyAtEachStep()
    {
        try (TestTable t = new TestTable(TestTable.superblock(1 << 20, 2), 100))
        {
            t.splits = 0;
            final int keys = 60;
            for (int i = 0; i < keys; i++)
            {
                if (t.put("key" + i, value(i)) != Status.OK)
                {
                    t.table.grow(1);
                    assertEquals(Status.OK, t.put("key" + i, value(i)));
                }
            }
            assertTrue(t.table.statistics().overflowBucketsUsed() > 2);
            long before = point(t);
            int steps = 0;
            while (t.table.grow(1) > 0)
            {
                steps++;
                assertTrue(point(t) > before);
                before = point(t);
                assertTrue(t.layout.isReachable(before));
                for (int i = 0; i < keys; i++)
                {
                    assertArrayEquals(value(i), t.get("key" + i));
                    assertTrue(t.chainLength("key" + i) >= 1);
                }
                assertNull(t.get("absent" + steps));
            }
            assertTrue(steps > 10, "steps: " + steps);
            assertEquals(0, t.table.grow(1));
        }
    }

    @Test
    void shouldLeaveTheOldSlotsAndMarkTheOldBucket()
    {
        try (TestTable t = new TestTable(TestTable.superblock(1, 20, 1 << 18, 4), 100))
        {
            t.splits = 0;
            for (int i = 0; i < 20; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, value(i)));
            }
            final long old = t.region().address() + t.layout.bucketOffset(0);
            final long header = UnsafeApi.getLong(old);
            final List<Long> words = words(old);
            assertEquals(2, t.table.statistics().overflowBucketsUsed());
            assertEquals(1, t.table.grow(1));
            assertEquals(SplitPoint.of(1, 0), point(t));
            assertEquals(BucketDescriptor.migrated(header), UnsafeApi.getLong(old));
            assertEquals(words, words(old));
            for (int i = 0; i < 20; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, value(i + 1)));
                assertEquals(Status.OK, t.delete("key" + i));
                assertNull(t.get("key" + i));
            }
            assertEquals(words, words(old));
            assertEquals(0, t.table.statistics().overflowBucketsUsed());
        }
    }

    private static List<Long> words(final long bucket)
    {
        final List<Long> words = new ArrayList<>();
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            words.add(UnsafeApi.getLong(bucket + BucketDescriptor.slotOffset(i)));
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepWhatIsWrittenWhileItGrows(final long seed)
    {
        final Random random = new Random(seed);
        final Map<String, byte[]> expected = new HashMap<>();
        try (TestTable t = new TestTable(TestTable.superblock(4 << 20, 1), 100))
        {
            for (int i = 0; i < 60_000; i++)
            {
                t.splits = random.nextInt(3);
                final String key = "key" + random.nextInt(1 + i / 2);
                if (random.nextInt(4) == 0)
                {
                    assertEquals(expected.remove(key) != null ? Status.OK : Status.NOT_FOUND, t.delete(key));
                }
                else
                {
                    final byte[] value = new byte[random.nextInt(60)];
                    random.nextBytes(value);
                    assertEquals(Status.OK, t.put(key, value), key);
                    expected.put(key, value);
                }
            }
            assertEquals(expected.size(), t.table.statistics().records());
            expected.forEach((key, value) -> assertArrayEquals(value, t.get(key), key));
            assertNull(t.get("absent"));
        }
    }

    @Test
    void shouldBeFilledEvenlyAtAnySize()
    {
        final int most = TestSize.of(1_000_000, 250_000);
        final byte[] value = new byte[8];
        try (TestTable t = new TestTable(80L * most + (1 << 20), 8))
        {
            double worst = 0;
            for (int i = 0; i < most; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, value));
                if (i >= 10_000)
                {
                    final TableStatistics now = t.table.statistics();
                    final double each = (double)(now.buckets() + now.overflowBucketsUsed()) *
                        BucketDescriptor.LENGTH / now.records();
                    worst = Math.max(worst, each);
                }
            }
            final double found = worst;
            assertTrue(found <= MOST_BYTES_FOR_A_RECORD, () -> "bytes for a record: " + found);
        }
    }

    private static ShardMemory memory(
        final Superblock superblock, final PartMemory buckets, final PartMemory overflow)
    {
        final ShardMemory whole = ShardMemory.whole(superblock.shards().get(0));
        return new ShardMemory(buckets, overflow, whole.reserve(), whole.records());
    }

    @Test
    void shouldWaitForMemoryAndLoseNothing()
    {
        final Superblock superblock = TestTable.superblock(1 << 20, 64);
        final long first = (long)superblock.shards().get(0).firstBuckets() * BucketDescriptor.LENGTH;
        final Rationed buckets = new Rationed(first);
        final Rationed overflow = new Rationed(100L * BucketDescriptor.LENGTH);
        try (TestTable t = new TestTable(superblock, 100, memory(superblock, buckets, overflow)))
        {
            int keys = 0;
            while (t.table.statistics().overflowBucketsUsed() < 90)
            {
                assertEquals(Status.OK, t.put("key" + keys, value(keys)));
                keys++;
            }
            assertEquals(SplitPoint.START, point(t));
            assertEquals(superblock.shards().get(0).firstBuckets(), t.table.statistics().buckets());
            assertTrue(buckets.asked > first);
            assertTrue(overflow.asked > overflow.length);
            buckets.length = first + 9L * BucketDescriptor.LENGTH;
            assertEquals(4, t.table.grow(100));
            assertEquals(SplitPoint.of(0, 4), point(t));
            buckets.length = superblock.shards().get(0).bucketCount() * BucketDescriptor.LENGTH;
            while (t.table.grow(100) > 0)
            {
                assertTrue(t.table.statistics().buckets() < keys);
            }
            for (int i = 0; i < keys; i++)
            {
                assertArrayEquals(value(i), t.get("key" + i));
            }
            final TableStatistics now = t.table.statistics();
            assertTrue(now.records() <= 3 * (now.buckets() + now.overflowBucketsUsed()));
        }
    }

    /** Memory that comes while a put looks for room must not make it look done. */
    @Test
    void shouldNotTakeAPutForDoneWhoseMemoryComesAmidIt()
    {
        final Superblock superblock = TestTable.superblock(1, 7, 1 << 18);
        final long[] looks = {Long.MAX_VALUE};
        final PartMemory overflow = new PartMemory()
        {
            @Override
            public long usable()
            {
                return looks[0]-- > 0 ? 0 : 7L * BucketDescriptor.LENGTH;
            }

            @Override
            public boolean ensure(final long length)
            {
                return false;
            }

            @Override
            public long growable()
            {
                return BucketDescriptor.LENGTH;
            }
        };
        final ShardMemory whole = ShardMemory.whole(superblock.shards().get(0));
        try (TestTable t = new TestTable(superblock, 100, memory(superblock, whole.buckets(), overflow)))
        {
            t.splits = 0;
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, value(i)));
            }
            for (int count = 8; count > 0; count--)
            {
                looks[0] = count;
                final Status status = t.tryPut("new" + count, value(count));
                assertTrue(status == Status.BUSY || Arrays.equals(value(count), t.get("new" + count)),
                    "status=" + status + " looks=" + count);
                assertEquals(status == Status.BUSY, t.table.waitsForIndex());
            }
        }
    }

    private static String longKey(final int number)
    {
        return "k".repeat(4000) + (100_000 + number);
    }

    /** A step hashes 32 KiB of keys, and then what is left of a bucket. An index that is late takes its 16 buckets. */
    @Test
    void shouldSplitFewerBucketsInAStepIfTheirKeysAreLong()
    {
        try (TestTable t = new TestTable(16 << 20, 100))
        {
            int keys = 0;
            for (; keys < 1200; keys++)
            {
                assertEquals(Status.OK, t.put(longKey(keys), value(keys)));
            }
            t.splits = 0;
            final int due = 3 * 16;
            for (final int end = keys + due; keys < end; keys++)
            {
                assertEquals(Status.OK, t.put(longKey(keys), value(keys)));
            }
            int steps = 0;
            int count = 0;
            for (int split = t.table.grow(16); split > 0; split = t.table.grow(16))
            {
                assertTrue(split <= 8, "split=" + split);
                count += split;
                steps++;
            }
            assertTrue(count >= 10 && steps >= 4, "split=" + count + " steps=" + steps);
            for (final int end = keys + 600; keys < end; keys++)
            {
                assertEquals(Status.OK, t.put(longKey(keys), value(keys)));
            }
            assertEquals(16, t.table.grow(16));
            for (int i = 0; i < keys; i++)
            {
                assertArrayEquals(value(i), t.get(longKey(i)));
            }
        }
    }

    /** Without overflow buckets for the new chains a bucket stays as it is. */
    @Test
    void shouldNotSplitWhatItCouldNotFill()
    {
        final Superblock superblock = TestTable.superblock(1, 7, 1 << 18, 12);
        final Rationed overflow = new Rationed(7L * BucketDescriptor.LENGTH);
        final ShardMemory whole = ShardMemory.whole(superblock.shards().get(0));
        try (TestTable t = new TestTable(superblock, 100, memory(superblock, whole.buckets(), overflow)))
        {
            t.splits = 0;
            for (int i = 0; i < 56; i++)
            {
                assertEquals(Status.OK, t.put("key" + i, value(i)));
            }
            assertEquals(Status.CHAIN_FULL, t.put("key56", value(56)));
            assertEquals(0, t.table.grow(1));
            assertEquals(SplitPoint.START, point(t));
            for (int i = 0; i < 56; i++)
            {
                assertArrayEquals(value(i), t.get("key" + i));
            }
            for (int i = 0; i < 42; i++)
            {
                assertEquals(Status.OK, t.delete("key" + i));
            }
            assertEquals(1, t.table.grow(1));
            for (int i = 42; i < 56; i++)
            {
                assertArrayEquals(value(i), t.get("key" + i));
            }
        }
    }
}
