package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.Superblock;

/** Records leave a full table, and only a full one. */
class EvictionsTest
{
    private static final long HEAP = 4 << 20;
    private static final long STEP = 1 << 10;

    /** The record that was put first of some leaves: a state tells when that was. */
    private static final class Oldest implements Evictor
    {
        private static final int PUTS = 50;
        private int wanted = 5;
        private int puts;
        private final List<Long> chosen = new ArrayList<>();

        private short state()
        {
            return (short)(puts++ / PUTS);
        }

        @Override
        public short onInserted(final long hash, final long length)
        {
            return state();
        }

        @Override
        public short onOverwritten(final long hash, final short state)
        {
            return state();
        }

        @Override
        public int candidatesWanted()
        {
            return wanted;
        }

        @Override
        public int choose(final EvictionCandidates candidates)
        {
            int oldest = -1;
            for (int i = 0; i < candidates.count(); i++)
            {
                if (candidates.mayLeave(i) && (oldest < 0 || candidates.state(i) < candidates.state(oldest)))
                {
                    oldest = i;
                }
            }
            chosen.add((long)candidates.state(oldest) << 32 | candidates.length(oldest));
            return oldest;
        }
    }

    private final Oldest oldest = new Oldest();
    private TestTable t;

    @AfterEach
    void close()
    {
        t.close();
    }

    private void open(final Superblock superblock)
    {
        t = new TestTable(superblock, 3 << 20);
        t.table.evictions().begin(oldest, 17);
    }

    private void open()
    {
        open(TestTable.superblock(HEAP, 64));
    }

    private static byte[] value(final int i, final int length)
    {
        final byte[] value = new byte[length];
        new Random(i).nextBytes(value);
        return value;
    }

    private void putAll(final int from, final int to, final int length)
    {
        for (int i = from; i < to; i++)
        {
            assertEquals(Status.OK, t.put("key" + i, value(i, length)), "i=" + i);
        }
    }

    private int present(final int from, final int to, final int length)
    {
        int count = 0;
        for (int i = from; i < to; i++)
        {
            final byte[] found = t.get("key" + i);
            if (found != null)
            {
                assertArrayEquals(value(i, length), found);
                count++;
            }
        }
        return count;
    }

    @Test
    void shouldTakeEveryPutAndKeepTheHeapNearlyFull()
    {
        open();
        putAll(0, 100_000, 100);
        final TableStatistics statistics = t.table.statistics();
        assertEquals(statistics.records(), present(0, 100_000, 100));
        assertEquals(100_000, statistics.records() + t.table.evictions().forHeap());
        assertTrue(statistics.heapBytesUsed() > statistics.heapBytes() * 0.96,
            "used=" + statistics.heapBytesUsed() + " of=" + statistics.heapBytes());
        // The latest are there, as those leave that were put first.
        assertTrue(present(95_000, 100_000, 100) > 4_900);
    }

    @Test
    void shouldTakeRecordsOfAnyLength()
    {
        open();
        final Random random = new Random(3);
        for (int i = 0; i < 5_000; i++)
        {
            final int length = 1 << random.nextInt(18);
            assertEquals(Status.OK, t.put("key" + i, value(i, length)), "i=" + i + " length=" + length);
            assertArrayEquals(value(i, length), t.get("key" + i));
        }
        assertEquals(5_000, t.table.statistics().records() + t.table.evictions().forHeap());
    }

    @Test
    void shouldMakeRoomForALongValueInBoundedSteps()
    {
        open();
        putAll(0, 40_000, 100);
        final int length = 1 << 18;
        final byte[] value = value(1, length);
        assertEquals(Status.BUSY, t.tryPut("long", value));
        // Makes up for the puts.
        t.table.makeRoom(0, STEP);
        int steps = 0;
        long before = t.table.evictions().forHeap();
        while (t.tryPut("long", value) == Status.BUSY)
        {
            assertTrue(t.table.makeRoom(length + 100, STEP) > 0);
            final long now = t.table.evictions().forHeap();
            assertTrue(now - before <= STEP / 200 + 1, "in one step: " + (now - before));
            before = now;
            steps++;
        }
        assertTrue(steps > 100, "steps=" + steps);
        assertArrayEquals(value, t.get("long"));
        assertTrue(t.table.statistics().records() > 1_000, "records=" + t.table.statistics().records());
    }

    @Test
    void shouldRefuseWhatCanNeverFit()
    {
        open(TestTable.superblock(2 << 20, 64));
        putAll(0, 20_000, 100);
        final long evicted = t.table.evictions().forHeap();
        assertEquals(Status.STORE_FULL, t.put("long", new byte[2 << 20]));
        assertEquals(evicted, t.table.evictions().forHeap());
    }

    @Test
    void shouldReserveRoomForALongValueAndNotLetThatLeave()
    {
        open();
        putAll(0, 40_000, 100);
        final byte[] value = value(7, 1 << 20);
        final long extent = t.reserve("long", value.length);
        assertTrue(extent > 0, "extent=" + extent);
        t.writeValue(extent, value);
        putAll(40_000, 80_000, 100);
        assertEquals(Status.OK, t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result));
        assertArrayEquals(value, t.get("long"));
    }

    @Test
    void shouldNotLetARecordLeaveThatIsLent()
    {
        open();
        oldest.wanted = EvictionCandidates.MAX_WANTED;
        putAll(0, 100, 5_000);
        final long[] lent = new long[100];
        for (int i = 0; i < lent.length; i++)
        {
            assertTrue(t.find("key" + i));
            lent[i] = t.table.lentValues().lend(t.found);
        }
        putAll(100, 5_000, 5_000);
        assertTrue(t.table.evictions().forHeap() > 3_000);
        for (int i = 0; i < lent.length; i++)
        {
            assertArrayEquals(value(i, 5_000), t.get("key" + i));
            assertArrayEquals(value(i, 5_000), Native.read(t.address(lent[i]), 5_000));
            assertTrue(t.table.lentValues().release(lent[i]));
        }
        putAll(5_000, 7_000, 5_000);
        assertTrue(present(0, 100, 5_000) < 50);
    }

    @Test
    void shouldWaitIfAllThatCouldLeaveIsLent()
    {
        open(TestTable.superblock(2 << 20, 64));
        final List<Long> lent = new ArrayList<>();
        int count = 0;
        while (t.table.evictions().forHeap() == 0)
        {
            if (t.put("key" + count, value(count, 50_000)) != Status.OK)
            {
                break;
            }
            assertTrue(t.find("key" + count));
            lent.add(t.table.lentValues().lend(t.found));
            count++;
        }
        assertEquals(0, t.table.evictions().forHeap());
        assertEquals(Status.BUSY, t.put("more", value(0, 50_000)));
        assertEquals(count, present(0, count, 50_000));
        lent.forEach((value) -> assertTrue(t.table.lentValues().release(value)));
        assertEquals(Status.OK, t.put("more", value(0, 50_000)));
    }

    @Test
    void shouldLetTheSameRecordsLeaveIfTheSameWasDone()
    {
        final List<List<Long>> both = new ArrayList<>();
        for (int run = 0; run < 2; run++)
        {
            open();
            oldest.chosen.clear();
            oldest.puts = 0;
            final Random random = new Random(9);
            for (int i = 0; i < 60_000; i++)
            {
                assertEquals(Status.OK, t.put("key" + random.nextInt(30_000), value(i, random.nextInt(300))));
            }
            both.add(List.copyOf(oldest.chosen));
            t.close();
        }
        open();
        assertFalse(both.get(0).isEmpty());
        assertEquals(both.get(0), both.get(1));
    }

    @Test
    void shouldMakeRoomInAFullIndex()
    {
        // Few buckets, which cannot be split, and fewer overflow buckets.
        open(TestTable.superblock(16, 20, HEAP));
        putAll(0, 3_000, 8);
        final int most = (16 + 20) * BucketDescriptor.SLOT_COUNT;
        final long records = t.table.statistics().records();
        assertTrue(records > most / 2 && records <= most, "records=" + records);
        assertEquals(3_000 - records, t.table.evictions().forIndex());
        assertEquals(0, t.table.evictions().forHeap());
        assertEquals(records, present(0, 3_000, 8));
        // So does a value that was pulled.
        for (int i = 3_000; i < 3_100; i++)
        {
            final long extent = t.reserve("key" + i, 8);
            t.writeValue(extent, value(i, 8));
            assertEquals(Status.OK, t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result));
            assertArrayEquals(value(i, 8), t.get("key" + i));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFillAllMemoryFirst(final boolean isRefused)
    {
        final Superblock superblock = TestTable.superblock(HEAP, 64);
        final long kept = HeapLayout.keptLength(superblock.shards().get(0).heapLength());
        final ShardMemory whole = ShardMemory.whole(superblock.shards().get(0));
        final SteppedMemory memory = new SteppedMemory(whole.records().usable(), SteppedMemory.STEP);
        t = new TestTable(superblock, 1 << 20,
            new ShardMemory(whole.buckets(), whole.overflow(), PartMemory.whole(kept), memory));
        t.table.evictions().begin(oldest, 17);
        int i = 0;
        while (memory.usable < whole.records().usable() / 2 || !isRefused && memory.growable() > 0)
        {
            if (t.put("key" + i, value(i, 500)) == Status.OK)
            {
                i++;
            }
            memory.grow();
            assertEquals(0, t.table.evictions().forHeap());
        }
        memory.isRefused = true;
        putAll(i, i + 20_000, 500);
        assertTrue(t.table.evictions().forHeap() > 10_000);
        assertTrue(t.table.statistics().heapBytesUsed() > t.table.statistics().heapBytes() * 0.95);
    }

    @Test
    void shouldRefuseWhenFullWithoutAnEvictor()
    {
        t = new TestTable(TestTable.superblock(HEAP, 64), 1000);
        Status status = Status.OK;
        int count = 0;
        while (status == Status.OK)
        {
            status = t.put("key" + count, value(count, 100));
            count++;
        }
        assertEquals(Status.STORE_FULL, status);
        assertEquals(count - 1, present(0, count, 100));
        assertEquals(0, t.table.evictions().forHeap());
    }

    /** A state says how many records came before: so it can be checked wherever slots have moved. */
    @Test
    void shouldKeepTheStateOfEachRecordWhereverItsSlotMoves()
    {
        open();
        final Random random = new Random(5);
        final Map<String, Short> states = new HashMap<>();
        for (int i = 0; i < 50_000; i++)
        {
            final String name = "key" + random.nextInt(12_000);
            if (random.nextInt(3) == 0)
            {
                t.delete(name);
                states.remove(name);
            }
            else
            {
                final short state = (short)(oldest.puts / Oldest.PUTS);
                assertEquals(Status.OK, t.put(name, value(i, 20 + random.nextInt(100))));
                states.put(name, state);
            }
        }
        assertEquals(0, t.table.evictions().forHeap());
        assertTrue(t.table.statistics().overflowBuckets() > 10);
        states.forEach((name, state) ->
        {
            assertTrue(t.table.evictions().find(t.hash(t.key().text(name))), name);
            assertEquals(state, t.table.evictions().state(), name);
        });
    }
}
