package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;

/**
 * A heap that is nearly full goes on taking what it has room for, however scattered that is, and one that is full goes
 * on overwriting.
 */
class FullHeapTest
{
    private static final int MIB = 1 << 20;

    private final Random random = new Random(1);
    private final List<String> keys = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private long used;

    /** Values of 8 bytes to 4 KiB, mixed and each alone, replaced at random while records fill 97 % of the heap. */
    @ParameterizedTest
    @CsvSource({"8, 4096, 6", "8, 8, 1", "120, 120, 1", "1000, 1000, 2", "4096, 4096, 2"})
    void shouldRefuseNothingHoweverOftenItIsReplaced(final int shortest, final int longest, final int turnovers)
    {
        churn(16 * MIB, shortest, longest, turnovers);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "8, 4096", "8, 8", "16, 16", "24, 24", "32, 32", "64, 64", "100, 100", "256, 256", "1000, 1000", "4096, 4096"})
    void shouldRefuseNothingInTwentyTurnovers(final int shortest, final int longest)
    {
        churn(16 * MIB, shortest, longest, 20);
    }

    private void churn(final int heap, final int shortest, final int longest, final int turnovers)
    {
        final long limit = heap / 100L * 97;
        try (TestTable t = new TestTable(superblock(heap, (shortest + longest) / 2), longest))
        {
            long written = 0;
            for (int i = 0; written < (turnovers + 1L) * heap; i++)
            {
                final int length = shortest + random.nextInt(longest - shortest + 1);
                final boolean isNew = used < limit * 9 / 10 || random.nextBoolean();
                final int index = isNew ? keys.size() : random.nextInt(keys.size());
                final String key = isNew ? key(i) : keys.get(index);
                while (used + bytes(length) > limit && isNew)
                {
                    delete(t, random.nextInt(keys.size()));
                }
                final int turn = i;
                assertEquals(Status.OK, t.put(key, new byte[length]), () -> "put=" + turn + " length=" + length);
                if (isNew)
                {
                    keys.add(key);
                    lengths.add(length);
                    used += bytes(length);
                }
                else
                {
                    used += bytes(length) - bytes(lengths.set(index, length));
                    while (used > limit)
                    {
                        delete(t, random.nextInt(keys.size()));
                    }
                }
                written += bytes(length);
            }
            final TableStatistics now = t.table.statistics();
            assertEquals(keys.size(), now.records());
            assertTrue(now.overflowBucketsUsed() * 10 < now.buckets(), now::toString);
        }
    }

    private void delete(final TestTable t, final int index)
    {
        assertEquals(Status.OK, t.delete(keys.get(index)));
        used -= bytes(lengths.get(index));
        final int last = keys.size() - 1;
        keys.set(index, keys.get(last));
        lengths.set(index, lengths.get(last));
        keys.remove(last);
        lengths.remove(last);
    }

    private static long bytes(final int length)
    {
        return SlotWord.granules(ShardTable.recordLength(9, length)) * SlotWord.GRANULE;
    }

    /** Buckets enough, whatever the length of the records. */
    private static Superblock superblock(final long heap, final int mean)
    {
        final long buckets = heap / (mean + 32L) / 4 + 64;
        return TestTable.superblock(buckets, buckets, heap);
    }

    /** Fills the heap with records of one length, keeps a part of them, and puts values that fill the rest. */
    @ParameterizedTest
    @CsvSource({"112, 57, 524288", "112, 28, 4194304", "16384, 50, 2097152", "112, 90, 32768", "2000, 96, 50000"})
    void shouldTakeLongValuesAmongShortOnes(final int length, final int percentKept, final int longLength)
    {
        takeLongValues(16 * MIB, length, percentKept, longLength);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"112, 57, 8388608", "112, 28, 67108864", "262144, 50, 33554432", "112, 70, 67108864"})
    void shouldTakeLongValuesInALargeHeap(final int length, final int percentKept, final int longLength)
    {
        takeLongValues(256 * MIB, length, percentKept, longLength);
    }

    private void takeLongValues(final int heap, final int length, final int percentKept, final int longLength)
    {
        try (TestTable t = new TestTable(superblock(heap, length), Math.max(length, longLength)))
        {
            final byte[] value = new byte[length];
            int count = 0;
            while (t.tryPut(key(count), value) == Status.OK)
            {
                count++;
            }
            for (int i = 0; i < count; i++)
            {
                // Every other one, or that many at random.
                if (percentKept == 50 ? i % 2 == 0 : random.nextInt(100) >= percentKept)
                {
                    assertEquals(Status.OK, t.delete(key(i)));
                }
            }
            final long records = t.table.statistics().records();
            int taken = 0;
            do
            {
                final byte[] large = new byte[longLength];
                random.nextBytes(large);
                assertEquals(Status.OK, t.put("large" + (1000 + taken), large));
                assertArrayEquals(large, t.get("large" + (1000 + taken)));
                taken++;
            }
            while (free(t) >= bytes(longLength) + heap / 100 * 3);
            assertEquals(records + taken, t.table.statistics().records());
            int found = 0;
            for (int i = 0; i < count; i++)
            {
                found += t.get(key(i)) == null ? 0 : 1;
            }
            assertEquals(records, found);
        }
    }

    /** Always of 9 characters. */
    private static String key(final int number)
    {
        return Integer.toString(100_000_000 + number);
    }

    private static long free(final TestTable t)
    {
        return t.table.statistics().heapBytes() - t.table.statistics().heapBytesUsed();
    }

    /** The longest is as long as the reserve: 128 KiB. */
    @ParameterizedTest
    @CsvSource({"16, 1048576", "5000, 1048576", "60000, 1048576", "65000, 4194304", "131027, 4194304"})
    void shouldOverwriteWithWhatIsNoLongerWhileTheHeapIsFull(final int length, final int heap)
    {
        try (TestTable t = new TestTable(superblock(heap, length), length))
        {
            int count = 0;
            while (t.tryPut(key(count), new byte[length]) == Status.OK)
            {
                count++;
            }
            fillUp(t);
            assertTrue(count > 5);
            for (int turn = 0; turn < 3; turn++)
            {
                for (int i = 0; i < count; i++)
                {
                    final byte[] value = new byte[length - turn * Math.min(16, length / 3)];
                    random.nextBytes(value);
                    assertEquals(Status.OK, t.put(key(i), value));
                    assertArrayEquals(value, t.get(key(i)));
                    fillUp(t);
                }
            }
        }
    }

    /** An overwrite of the same length does not wait for the room of a value that is lent. */
    @Test
    void shouldOverwriteWhileTheOnlyRoomIsLent()
    {
        final int length = 100_000;
        try (TestTable t = new TestTable(superblock(4 << 20, length), length))
        {
            int count = 0;
            while (t.tryPut(key(count), new byte[length]) == Status.OK)
            {
                count++;
            }
            fillUp(t);
            assertTrue(t.find(key(0)));
            final long value = t.table.lentValues().lend(t.found);
            assertEquals(Status.OK, t.delete(key(0)));
            assertEquals(Status.BUSY, t.tryPut("other", new byte[length]));
            assertFalse(t.table.waitsForIndex());
            assertEquals(Status.OK, t.tryPut(key(1), new byte[length]));
            t.table.lentValues().release(value);
            assertEquals(Status.OK, t.put("other", new byte[length]));
        }
    }

    /** A value that is pulled into the reserve keeps its right to a place, whatever happens to its key. */
    @Test
    void shouldFindAPlaceForWhatWasPulledIntoTheReserve()
    {
        final int length = 100_000;
        try (TestTable t = new TestTable(TestTable.superblock(64, 64, 4 << 20), length))
        {
            int count = 0;
            while (t.tryPut(key(count), new byte[length]) == Status.OK)
            {
                count++;
            }
            fillUp(t);
            final long extent = t.reserve(key(0), length);
            assertTrue(extent > 0);
            assertEquals(LongPuts.WAIT, t.reserve(key(1), length));
            assertEquals(Status.OK, t.delete(key(0)));
            assertEquals(Status.STORE_FULL, t.put("other", new byte[length]));
            final byte[] value = new byte[length];
            random.nextBytes(value);
            t.writeValue(extent, value);
            assertEquals(Status.OK, t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result));
            assertArrayEquals(value, t.get(key(0)));
            assertEquals(Status.STORE_FULL, t.put("other", new byte[length]));
            while (t.table.clean(1 << 20) || t.table.makeRoom(0, 100) > 0)
            {
                assertArrayEquals(value, t.get(key(0)));
            }
            assertEquals(Status.OK, t.put(key(1), value));
            assertEquals(Status.STORE_FULL, t.put("other", new byte[length]));
        }
    }

    /** Until not even the shortest record has room. */
    private static void fillUp(final TestTable t)
    {
        for (int i = 0; t.put("filler" + t.table.statistics().records() + i, new byte[0]) == Status.OK; i++)
        {
            assertTrue(i < 1 << 20);
        }
    }
}
