package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.Superblock;

class GrowingHeapTest
{
    private static final long HEAP = 8 << 20;
    private static final int LONGEST = 4 << 20;
    private static final long STEP = SteppedMemory.STEP;

    private final Superblock superblock = TestTable.superblock(1 << 12, 1 << 10, HEAP);
    private final long kept = HeapLayout.keptLength(HEAP);
    private final SteppedMemory reserve = new SteppedMemory(kept, HeapLayout.keptLength(HEAP, STEP));
    private final SteppedMemory records = new SteppedMemory(HEAP - kept, STEP);

    private TestTable table()
    {
        return new TestTable(superblock, LONGEST, memory(superblock, reserve, records));
    }

    /** No READ of a record's length may leave what is there, and what it holds stays below what was ever asked for. */
    private void assertInside(final TestTable t)
    {
        final long slot = t.result.slotWord();
        final long end = t.layout.recordOffset(slot) + (SlotWord.isLong(slot) ? 0 : SlotWord.length(slot));
        assertTrue(end <= t.layout.heap() + kept + records.usable, "end=" + end);
    }

    @Test
    void shouldGrowAsRecordsComeUntilItIsFull()
    {
        final Random random = new Random(3);
        try (TestTable t = table())
        {
            long bytes = 0;
            int count = 0;
            Status status = Status.OK;
            while (status == Status.OK)
            {
                final byte[] value = new byte[random.nextInt(60_000)];
                status = t.tryPut("key" + count, value);
                for (int i = 0; status == Status.BUSY && i < 100_000; i++)
                {
                    records.grow();
                    t.table.makeRoom(value.length + 100, 1 << 12);
                    status = t.tryPut("key" + count, value);
                }
                if (status == Status.OK)
                {
                    assertInside(t);
                    bytes += value.length;
                    count++;
                }
                if (random.nextInt(3) == 0)
                {
                    records.grow();
                    reserve.grow();
                }
            }
            assertEquals(Status.STORE_FULL, status);
            assertEquals(HEAP - kept, records.usable);
            assertTrue(bytes > 0.95 * (HEAP - kept), "bytes=" + bytes);
            assertTrue(reserve.usable >= kept, "reserve=" + reserve.usable + " kept=" + kept);
            for (int i = 0; i < count; i++)
            {
                assertTrue(t.find("key" + i));
            }
            assertEquals(HEAP, t.table.statistics().heapBytes(), 128);
        }
    }

    @Test
    void shouldTakeNoMoreThanItNeedsSoon()
    {
        try (TestTable t = table())
        {
            for (int i = 0; i < 1_000; i++)
            {
                Status status = t.tryPut("key" + i, new byte[1_000]);
                if (status == Status.BUSY)
                {
                    records.grow();
                    status = t.put("key" + i, new byte[1_000]);
                }
                assertEquals(Status.OK, status);
                records.grow();
            }
            final long used = 1_000 * 1_040;
            assertTrue(records.usable >= used && records.usable <= used + 3 * STEP, "usable=" + records.usable);
        }
    }

    @Test
    void shouldWaitForMemoryAndNotMoveRecordsMeanwhile()
    {
        try (TestTable t = table())
        {
            assertEquals(Status.OK, t.tryPut("small", new byte[1_000]));
            assertEquals(Status.BUSY, t.tryPut("long", new byte[1 << 20]));
            assertTrue(records.wanted >= 1 << 20 && records.wanted < STEP + (1 << 20), "wanted=" + records.wanted);
            assertEquals(0, t.table.makeRoom(1 << 20, 1 << 12));
            assertEquals(Status.BUSY, t.tryPut("long", new byte[1 << 20]));
            assertEquals(0, t.table.statistics().recordsMoved());

            assertTrue(records.grow());
            assertEquals(Status.OK, t.tryPut("long", new byte[1 << 20]));
            assertInside(t);
            assertEquals(0, t.table.statistics().recordsMoved());
        }
    }

    @Test
    void shouldTakeMemoryInABoundedAmountAtATime()
    {
        try (TestTable t = table())
        {
            records.usable = HEAP - kept;
            final long before = t.table.statistics().heapBytes();
            assertTrue(t.table.makeRoom(0, 1 << 12) > 0);
            final long after = t.table.statistics().heapBytes();
            assertTrue(after > before && after - before <= 5 << 20, "after=" + after);
            assertTrue(t.table.makeRoom(0, 1 << 12) > 0);
            assertEquals(0, t.table.makeRoom(0, 1 << 12));
        }
    }

    @Test
    void shouldSayThatTheSystemRefusesMemoryAndGoOnOnceItDoesNot()
    {
        try (TestTable t = table())
        {
            records.isRefused = true;
            int count = 0;
            Status status = Status.OK;
            while (status == Status.OK)
            {
                status = t.put("key" + count, new byte[1_000]);
                count++;
            }
            assertEquals(Status.GROWTH_REFUSED, status);
            assertTrue(count > 50, "count=" + count);
            assertEquals(Status.OK, t.delete("key0"));
            assertEquals(Status.OK, t.put("another", new byte[1_000]));

            records.isRefused = false;
            assertEquals(Status.BUSY, t.tryPut("more", new byte[1_000]));
            assertTrue(records.grow());
            assertEquals(Status.OK, t.put("more", new byte[1_000]));
        }
    }

    @Test
    void shouldRefuseAtOnceWhatTheHeapAtItsFullSizeCannotHold()
    {
        final SteppedMemory little = new SteppedMemory(1 << 20, STEP);
        try (TestTable t = new TestTable(superblock, LONGEST, memory(superblock, reserve, little)))
        {
            assertEquals(Status.STORE_FULL, t.tryPut("long", new byte[2 << 20]));
            assertTrue(little.wanted <= 2 * STEP, "wanted=" + little.wanted);
            assertEquals(Status.BUSY, t.tryPut("short", new byte[500_000]));
        }
    }

    @Test
    void shouldNotAskForMoreWhileWhatComesIsTakenIn()
    {
        try (TestTable t = table())
        {
            assertEquals(Status.BUSY, t.tryPut("long", new byte[4_000_000]));
            final long wanted = records.wanted;
            for (int i = 0; i < 200; i++)
            {
                records.usable = Math.min(wanted, records.usable + STEP / 2);
                if (!t.find("long"))
                {
                    t.tryPut("long", new byte[4_000_000]);
                }
                t.table.makeRoom(4_000_100, 1 << 12);
                assertTrue(records.wanted <= wanted + STEP, "wanted=" + records.wanted);
            }
            assertTrue(t.find("long"));
        }
    }

    @Test
    void shouldTakeTheReserveInWheneverItComes()
    {
        try (TestTable t = table())
        {
            records.usable = HEAP - kept;
            while (t.table.makeRoom(0, 1 << 12) > 0)
            {
                assertEquals(HeapLayout.keptLength(HEAP, STEP), reserve.usable);
            }
            assertTrue(reserve.grow());
            reserve.usable = kept;
            t.table.makeRoom(0, 1 << 12);
            assertEquals(HEAP, t.table.statistics().heapBytes(), HeapLayout.REDO_LENGTH);
        }
    }

    @Test
    void shouldWaitForMemoryRatherThanTakeTheReserve()
    {
        try (TestTable t = table())
        {
            records.usable = 1 << 20;
            reserve.usable = kept;
            records.isRefused = true;
            assertTrue(t.table.makeRoom(0, 1 << 12) > 0);
            assertEquals(Status.OK, t.tryPut("key", new byte[20_000]));
            int count = 0;
            while (t.tryPut("key" + count, new byte[15_000]) == Status.OK)
            {
                count++;
            }
            assertEquals(Status.GROWTH_REFUSED, t.table.roomlessStatus());
            records.isRefused = false;
            assertEquals(Status.BUSY, t.tryPut("key", new byte[19_000]));
            assertEquals(Status.GROWTH_REFUSED, t.table.roomlessStatus());

            records.isRefused = true;
            assertEquals(Status.OK, t.tryPut("key", new byte[19_000]));
        }
    }

    @Test
    void shouldFinishMovesThoughMemoryIsOnItsWay()
    {
        try (TestTable t = table())
        {
            records.usable = 1 << 20;
            records.isRefused = true;
            while (t.table.makeRoom(0, 1 << 12) > 0)
            {
                assertTrue(records.isRefused);
            }
            final byte[] value = new byte[100_000];
            for (int i = 0; i < 10; i++)
            {
                assertEquals(Status.OK, t.tryPut("key" + i, value));
            }
            assertEquals(Status.OK, t.delete("key2"));
            assertEquals(Status.OK, t.delete("key4"));
            while (t.table.clean(1 << 20))
            {
                assertTrue(records.isRefused);
            }
            assertEquals(Status.BUSY, t.tryPut("long", new byte[150_000]));
            final long before = t.table.statistics().bytesMoved();
            for (int i = 0; i < 1_000 && t.table.statistics().bytesMoved() == before; i++)
            {
                t.table.makeRoom(150_100, 16);
            }

            records.isRefused = false;
            final long begun = t.table.statistics().bytesMoved();
            int steps = 0;
            while (t.table.makeRoom(150_100, 16) > 0)
            {
                steps++;
            }
            assertTrue(steps > 0, "begun=" + begun + " before=" + before);
            assertTrue(t.find("key3") && t.find("key5"));
        }
    }

    private static ShardMemory memory(
        final Superblock superblock, final PartMemory reserve, final PartMemory records)
    {
        final ShardMemory whole = ShardMemory.whole(superblock.shards().get(0));
        return new ShardMemory(whole.buckets(), whole.overflow(), reserve, records);
    }
}
