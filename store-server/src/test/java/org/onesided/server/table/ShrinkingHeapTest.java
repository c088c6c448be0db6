package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.Superblock;

class ShrinkingHeapTest
{
    private static final long HEAP = 8 << 20;
    private static final long STEP = SteppedMemory.STEP;
    private static final int LONGEST = 1 << 20;
    private static final int LITTLE = 1 << 10;
    private static final int STEPS = 30_000;

    private final Superblock superblock = TestTable.superblock(1 << 12, 1 << 10, HEAP);
    private final long kept = HeapLayout.keptLength(HEAP);
    private final SteppedMemory records = new SteppedMemory(HEAP - kept, STEP);
    private final ShardMemory whole = ShardMemory.whole(superblock.shards().get(0));
    private final TestTable t = new TestTable(
        superblock, LONGEST, new ShardMemory(whole.buckets(), whole.overflow(), PartMemory.whole(kept), records));
    private final Map<String, byte[]> expected = new TreeMap<>();
    private long seen = records.usable;

    @AfterEach
    void close()
    {
        t.close();
    }

    private void put(final String key, final byte[] value)
    {
        records.isLast = false;
        Status status = t.tryPut(key, value);
        for (int i = 0; status == Status.BUSY && i < 100_000; i++)
        {
            grow();
            t.table.makeRoom(value.length + 100, LITTLE);
            status = t.tryPut(key, value);
        }
        assertEquals(Status.OK, status);
        expected.put(key, value);
    }

    private void delete(final String key)
    {
        assertEquals(expected.remove(key) == null ? Status.NOT_FOUND : Status.OK, t.delete(key));
    }

    private void grow()
    {
        records.grow();
        notice();
    }

    /** Memory that is gone has other bytes, and memory that comes is zeroed. */
    private boolean notice()
    {
        final boolean isGone = records.usable < seen;
        UnsafeApi.setMemory(
            t.address(t.layout.heap() + kept + Math.min(seen, records.usable)),
            Math.abs(records.usable - seen),
            (byte)(isGone ? 0xA5 : 0));
        seen = records.usable;
        return isGone;
    }

    /** Has the heap clear all from {@code start}; whether it gave that up. */
    private boolean shrink(final long start)
    {
        records.surplus = start;
        for (int i = 0; records.surplus != PartMemory.NONE; i++)
        {
            assertTrue(i < 1_000_000, "takes for ever");
            t.table.makeRoom(0, LITTLE);
        }
        return notice();
    }

    private void assertAllThere()
    {
        expected.forEach((key, value) -> assertArrayEquals(value, t.get(key), key));
        assertEquals(expected.size(), t.table.statistics().records());
    }

    private long used()
    {
        return t.table.statistics().heapBytesUsed();
    }

    @Test
    void shouldMoveRecordsOutOfTheMemoryThatGoes()
    {
        for (int i = 0; i < 2_000; i++)
        {
            put("key" + i, new byte[1_000]);
            grow();
        }
        for (int i = 0; i < 2_000; i++)
        {
            if (i % 10 != 0)
            {
                delete("key" + i);
            }
        }
        final long most = t.table.statistics().heapBytes();
        final long used = used();
        long start = records.usable - STEP;
        while (shrink(start))
        {
            assertEquals(start, records.usable);
            start -= STEP;
        }
        assertTrue(records.usable <= (used - kept) * 9 / 8 + 4 * STEP, "usable=" + records.usable + " used=" + used);
        assertTrue(t.table.statistics().heapBytes() < most / 4, "bytes=" + t.table.statistics().heapBytes());
        assertTrue(t.table.statistics().recordsMoved() > 50);
        assertAllThere();
        assertTrue(used() <= used, "used=" + used());

        for (int i = 0; i < 2_000; i++)
        {
            put("again" + i, new byte[1_000]);
        }
        assertAllThere();
    }

    /** A long record at the heap's end fits in no free run, but there is room for it between others. */
    @Test
    void shouldMakeRoomForLongRecordsThatAreInTheWay()
    {
        for (int i = 0; i < 4_000; i++)
        {
            put("key" + i, new byte[1_000]);
            grow();
        }
        final byte[] value = new byte[500_000];
        new Random(1).nextBytes(value);
        put("long", value);
        for (int i = 0; i < 4_000; i++)
        {
            if (i % 4 != 0)
            {
                delete("key" + i);
            }
        }
        final long used = used();
        long start = records.usable - STEP;
        while (shrink(start))
        {
            start -= STEP;
        }
        assertTrue(records.usable <= (used - kept) * 9 / 8 + 4 * STEP, "usable=" + records.usable + " used=" + used);
        assertAllThere();
    }

    @Test
    void shouldKeepWhatItNeedsSoon()
    {
        for (int i = 0; i < 1_000; i++)
        {
            put("key" + i, new byte[1_000]);
            grow();
        }
        final long usable = records.usable;
        final long moved = t.table.statistics().recordsMoved();
        while (records.usable == usable && shrink(records.usable - STEP))
        {
            assertTrue(records.usable - used() >= records.usable / 8 - 2 * STEP);
        }
        final long left = records.usable;
        records.surplus = left - STEP;
        t.table.makeRoom(0, LITTLE);
        t.table.makeRoom(0, LITTLE);
        assertEquals(PartMemory.NONE, records.surplus);
        assertEquals(left, records.usable);
        assertTrue(t.table.statistics().recordsMoved() - moved < 100);
    }

    @Test
    void shouldKeepLessWhereItIsUrgent()
    {
        for (int i = 0; i < 2_000; i++)
        {
            put("key" + i, new byte[1_000]);
            grow();
        }
        for (int i = 0; i < 2_000; i += 5)
        {
            delete("key" + i);
        }
        shrinkAsFarAsPossible();
        final long usable = records.usable;
        records.isSurplusUrgent = true;
        shrinkAsFarAsPossible();
        assertTrue(records.usable <= usable - STEP, "usable=" + records.usable + " before=" + usable);
        assertTrue(records.usable - (used() - kept) >= records.usable / 128);
        assertAllThere();
    }

    /** All that is free lies in short runs, together less than the record at the heap's end takes. */
    @Test
    void shouldMoveFreeMemoryUpAcrossRecordsWhereItIsUrgent()
    {
        for (int i = 0; i < 2_000; i++)
        {
            put("key" + i, new byte[1_000]);
            grow();
        }
        final byte[] value = new byte[LONGEST / 2];
        new Random(1).nextBytes(value);
        put("long", value);
        shrinkAsFarAsPossible();
        for (int i = 0; i < 2_000; i += 7)
        {
            delete("key" + i);
        }
        assertTrue(records.usable + kept - used() < value.length, "usable=" + records.usable + " used=" + used());
        assertTrue(!shrink(records.usable - STEP), "there was room for the record elsewhere");
        records.isSurplusUrgent = true;
        final long usable = records.usable;
        assertTrue(shrink(usable - STEP));
        shrinkAsFarAsPossible();
        assertTrue(records.usable <= usable - 2 * STEP, "usable=" + records.usable + " before=" + usable);
        assertAllThere();
    }

    private void shrinkAsFarAsPossible()
    {
        boolean isShorter = true;
        while (isShorter)
        {
            isShorter = shrink(records.usable - STEP);
        }
    }

    @Test
    void shouldNotMoveWhatIsLent()
    {
        for (int i = 0; i < 1_000; i++)
        {
            put("key" + i, new byte[1_000]);
            grow();
        }
        assertTrue(t.find("key999"));
        final long lent = t.table.lentValues().lend(t.found);
        for (int i = 0; i < 999; i++)
        {
            delete("key" + i);
        }
        assertTrue(!shrink(records.usable - 6 * STEP));
        assertEquals(Status.OK, t.delete("key999"));
        assertTrue(!shrink(records.usable - 6 * STEP));
        assertTrue(t.table.lentValues().release(lent));
        assertTrue(shrink(records.usable - 6 * STEP));
    }

    @Test
    void shouldTakeInWhatComesBackInTheOrderOfItsAddresses()
    {
        put("key", new byte[1_000]);
        records.usable = HEAP - kept;
        notice();
        while (t.table.makeRoom(0, LITTLE) > 0)
        {
            assertTrue(records.usable > 0);
        }
        final long most = t.table.statistics().heapBytes();
        assertTrue(shrink(4 << 20));
        assertTrue(shrink(2 << 20));
        assertTrue(t.table.statistics().heapBytes() < (2 << 20) + kept + 1);
        records.usable = 3 << 20;
        notice();
        t.table.makeRoom(0, LITTLE);
        assertEquals((3 << 20) + kept, t.table.statistics().heapBytes(), 1 << 10);
        records.usable = HEAP - kept;
        notice();
        while (t.table.makeRoom(0, LITTLE) > 0)
        {
            assertTrue(records.usable > 0);
        }
        assertEquals(most, t.table.statistics().heapBytes());
    }

    /** Puts, deletes, memory that comes and memory that is to go, at any moment of each other. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldLoseNothingWhateverHappensMeanwhile(final long seed)
    {
        final Random random = new Random(seed);
        int shrinks = 0;
        for (int i = 0; i < STEPS; i++)
        {
            final String key = "key" + random.nextInt(400);
            final int what = random.nextInt(100);
            // Phases in which it gets fuller, and emptier.
            if (what < (i / 3_000 % 2 == 0 ? 40 : 10))
            {
                final byte[] value = new byte[random.nextInt(random.nextInt(50) == 0 ? 400_000 : 9_000)];
                random.nextBytes(value);
                if (value.length < HEAP / 2 - used())
                {
                    put(key, value);
                }
            }
            else if (what < 60)
            {
                delete(key);
            }
            else if (what < 62 && records.surplus == PartMemory.NONE)
            {
                records.surplus = Math.max(STEP, records.usable - (1 + random.nextInt(6)) * STEP);
            }
            else if (what == 62)
            {
                records.surplus = PartMemory.NONE;
            }
            else if (what == 63)
            {
                grow();
            }
            else if (what == 64)
            {
                records.isLast = !records.isLast;
                records.isSurplusUrgent = random.nextBoolean();
            }
            else if (what < 70)
            {
                // As if a put waited, which may be dropped before it has its room.
                t.table.makeRoom(1 + random.nextInt(300_000), 1 + random.nextInt(LITTLE));
            }
            else
            {
                t.table.makeRoom(0, 1 + random.nextInt(LITTLE));
            }
            shrinks += notice() ? 1 : 0;
            assertTrue(t.table.statistics().heapBytes() <= records.usable + kept);
            if (i % 1_000 == 0)
            {
                assertAllThere();
            }
        }
        assertAllThere();
        assertNull(t.get("absent"));
        assertTrue(shrinks > 20, "shrinks=" + shrinks);
    }
}
