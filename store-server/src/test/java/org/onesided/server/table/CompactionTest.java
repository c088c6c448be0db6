package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Room is made in steps between which anything may happen, and nothing is lost, overlaps or moves that must not.
 */
class CompactionTest
{
    /** What a step may exceed its budget by: a record that moves in one go is copied, hashed and zeroed. */
    private static final long SLACK = 3 * Gap.WHOLE + 128;

    private record Held(long extent, byte[] bytes, long address)
    {
    }

    private final Map<String, byte[]> model = new HashMap<>();
    private final List<Held> lent = new ArrayList<>();
    private final Map<Long, String> reserved = new TreeMap<>();
    private Random random;
    private int waits;

    /** Heaps of 1 MiB have a reserve that is shorter than their longest records; these move over their own places. */
    @ParameterizedTest
    @CsvSource({
        "1, 1048576, 4000, 3000", "2, 1048576, 30000, 3000", "3, 1048576, 300000, 3000", "4, 4194304, 200000, 3000",
        "5, 4194304, 1000000, 1500", "6, 4194304, 90000, 3000"})
    void shouldAgreeWithAModelWhateverHappensBetweenSteps(
        final long seed, final long heap, final int longest, final int turns)
    {
        random = new Random(seed);
        try (TestTable t = new TestTable(TestTable.superblock(2_000, 2_000, heap), longest))
        {
            for (int i = 0; t.table.statistics().heapBytesUsed() < heap / 10 * 9; i++)
            {
                put(t, "first" + i, length(longest));
            }
            for (int i = 0; i < turns; i++)
            {
                final int length = length(longest);
                final String key = random.nextInt(3) == 0 || model.isEmpty() ? "key" + i : anyKey();
                switch (random.nextInt(12))
                {
                    case 0 -> delete(t, anyKey());
                    case 2 -> lend(t, anyKey());
                    case 3 -> giveBack(t);
                    case 4 -> reserve(t, key, length);
                    case 5 -> endReservation(t);
                    case 6 -> step(t, random.nextInt(longest));
                    default -> put(t, key, length);
                }
                if (i % 200 == 0)
                {
                    check(t);
                }
            }
            assertTrue(waits > 10, "waits=" + waits);
            finish(t);
        }
    }

    private int length(final int longest)
    {
        return random.nextInt(1 + random.nextInt(random.nextInt(8) == 0 ? longest : longest / 4));
    }

    private void put(final TestTable t, final String key, final int length)
    {
        final byte[] value = bytes(length);
        final Status status = t.tryPut(key, value);
        if (status == Status.OK)
        {
            model.put(key, value);
            assertArrayEquals(value, t.get(key));
        }
        else if (status == Status.BUSY)
        {
            waits++;
            step(t, ShardTable.recordLength(key.length(), length));
        }
        else
        {
            assertEquals(Status.STORE_FULL, status);
            delete(t, anyKey());
        }
    }

    private void step(final TestTable t, final long length)
    {
        final long budget = 1 + random.nextInt(1 << 1 + random.nextInt(16));
        final long before = t.table.statistics().bytesMoved();
        t.table.makeRoom(length, budget);
        final long moved = (t.table.statistics().bytesMoved() - before) / SlotWord.GRANULE;
        assertTrue(moved <= budget + SLACK, () -> "moved=" + moved + " budget=" + budget);
    }

    private void delete(final TestTable t, final String key)
    {
        if (key != null)
        {
            assertEquals(Status.OK, t.delete(key));
            model.remove(key);
            assertNull(t.get(key));
        }
    }

    private void lend(final TestTable t, final String key)
    {
        if (key != null && lent.size() < 3)
        {
            final byte[] value = t.get(key);
            final long extent = t.table.lentValues().lend(t.found);
            lent.add(new Held(extent, value, t.address(extent)));
        }
    }

    private void giveBack(final TestTable t)
    {
        if (!lent.isEmpty())
        {
            final Held held = lent.remove(random.nextInt(lent.size()));
            assertArrayEquals(held.bytes, Native.read(held.address, held.bytes.length));
            assertTrue(t.table.lentValues().release(held.extent));
        }
    }

    private void reserve(final TestTable t, final String key, final int length)
    {
        if (reserved.size() < 2)
        {
            final int keyLength = t.key().text(key);
            final long extent = t.table.longPuts().reserve(t.hash(keyLength), t.key().address(), keyLength, length);
            if (extent >= 0)
            {
                reserved.put(extent, key);
                final byte[] value = bytes(length);
                t.writeValue(extent, value);
            }
        }
    }

    private void endReservation(final TestTable t)
    {
        if (reserved.isEmpty())
        {
            return;
        }
        final long extent = reserved.keySet().iterator().next();
        final String key = reserved.remove(extent);
        final long address = t.table.reservations().valueAddress(extent);
        final int length = UnsafeApi.getInt(t.address(extent) + RecordDescriptor.VALUE_LENGTH_OFFSET);
        final byte[] value = Native.read(address, length);
        if (random.nextBoolean())
        {
            assertEquals(Status.OK, t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result));
            model.put(key, value);
        }
        else
        {
            assertTrue(t.table.reservations().abandon(extent));
        }
    }

    private void check(final TestTable t)
    {
        final TreeMap<Long, Long> extents = new TreeMap<>();
        model.forEach((key, value) ->
        {
            assertArrayEquals(value, t.get(key), key);
            add(extents, t.found.recordOffset(), ShardTable.recordLength(key.length(), value.length));
        });
        reserved.forEach((extent, key) -> add(extents, extent, ShardTable.recordLength(key.length(),
            UnsafeApi.getInt(t.address(extent) + RecordDescriptor.VALUE_LENGTH_OFFSET))));
        long end = t.layout.heap() + HeapLayout.REDO_LENGTH;
        for (final Map.Entry<Long, Long> extent : extents.entrySet())
        {
            assertTrue(extent.getKey() >= end, "extents overlap");
            end = extent.getKey() + extent.getValue();
        }
        assertEquals(model.size(), t.table.statistics().records());
        for (final Held held : lent)
        {
            assertArrayEquals(held.bytes, Native.read(held.address, held.bytes.length));
        }
    }

    private static void add(final Map<Long, Long> extents, final long offset, final long length)
    {
        assertNull(extents.put(offset, length));
    }

    /** All is given back and deleted: then nothing is left. */
    private void finish(final TestTable t)
    {
        check(t);
        while (!lent.isEmpty())
        {
            giveBack(t);
        }
        while (!reserved.isEmpty())
        {
            endReservation(t);
        }
        check(t);
        List.copyOf(model.keySet()).forEach((key) -> delete(t, key));
        settle(t);
        assertTrue(t.heapIsZero());
        try (TestTable fresh = new TestTable(TestTable.superblock(1, 1, t.layout.heapLength()), 1))
        {
            assertEquals(fresh.table.statistics().heapBytesUsed(), t.table.statistics().heapBytesUsed());
        }
    }

    private static void settle(final TestTable t)
    {
        boolean isBusy = true;
        while (isBusy)
        {
            isBusy = t.table.clean(1 << 20) | t.table.makeRoom(0, 1 << 20) > 0;
        }
    }

    private String anyKey()
    {
        return model.isEmpty() ? null : model.keySet().stream().skip(random.nextInt(model.size())).findFirst().get();
    }

    private byte[] bytes(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Each 300,000 bytes, with gaps of 100,000 between them: nothing can move but over its own place. */
    @Test
    void shouldMoveRecordsOverTheirOwnPlacesWhereThereIsNoOther()
    {
        random = new Random(1);
        try (TestTable t = new TestTable(TestTable.superblock(64, 64, 2 << 20), 800_000))
        {
            fillWithGaps(t, 300_000, 100_000);
            assertEquals(Status.OK, t.put("wide", bytes(350_000)));
            assertEquals(350_000, t.get("wide").length);
            model.forEach((key, value) -> assertArrayEquals(value, t.get(key)));
            assertTrue(t.table.statistics().recordsMoved() > 0);
        }
    }

    /** Whoever asks for a record that is on its way over its own place gets it whole. */
    @Test
    void shouldGiveARecordThatIsOnItsWay()
    {
        random = new Random(2);
        try (TestTable t = new TestTable(TestTable.superblock(64, 64, 2 << 20), 800_000))
        {
            fillWithGaps(t, 300_000, 100_000);
            for (int i = 0; i < 50_000 && t.tryPut("wide", bytes(350_000)) == Status.BUSY; i++)
            {
                t.table.makeRoom(350_020, 1 + random.nextInt(5_000));
                final String key = anyKey();
                assertArrayEquals(model.get(key), t.get(key));
                if (random.nextInt(100) == 0 && model.size() > 2)
                {
                    delete(t, key);
                }
            }
            assertEquals(350_000, t.get("wide").length);
            model.forEach((key, value) -> assertArrayEquals(value, t.get(key)));
        }
    }

    private void fillWithGaps(final TestTable t, final int length, final int gap)
    {
        final List<String> gaps = new ArrayList<>();
        for (int i = 0; t.tryPut("record" + i, bytes(length)) == Status.OK; i++)
        {
            model.put("record" + i, t.get("record" + i));
            if (t.tryPut("gap" + i, bytes(gap)) == Status.OK)
            {
                gaps.add("gap" + i);
            }
        }
        gaps.forEach(t::delete);
        settle(t);
        assertEquals(Status.BUSY, t.tryPut("wide", new byte[350_000]));
    }

    @Test
    void shouldDropTheCopyOfARecordThatIsPutMeanwhile()
    {
        random = new Random(3);
        try (TestTable t = new TestTable(TestTable.superblock(64, 64, 4 << 20), 1_000_000))
        {
            final byte[] value = bytes(500_000);
            assertEquals(Status.OK, t.put("low", bytes(600_000)));
            assertEquals(Status.OK, t.put("high", value));
            for (int i = 0; t.tryPut("rest" + i, bytes(200_000)) == Status.OK; i++)
            {
                model.put("rest" + i, new byte[0]);
            }
            t.delete("low");
            t.delete("rest0");
            t.delete("rest1");
            settle(t);
            final long length = ShardTable.recordLength(4, 900_000);
            assertEquals(Status.BUSY, t.tryPut("wide", new byte[900_000]));
            final long before = t.table.statistics().bytesMoved();
            while (t.table.statistics().bytesMoved() < before + 100_000)
            {
                assertNotEquals(0, t.table.makeRoom(length, 1_000));
            }
            assertArrayEquals(value, t.get("high"));
            assertEquals(0, t.table.statistics().recordsMoved());
            final byte[] other = bytes(300);
            assertEquals(Status.OK, t.tryPut("high", other));
            assertEquals(Status.OK, t.put("wide", new byte[900_000]));
            assertArrayEquals(other, t.get("high"));
        }
    }

    /** A refusal that cannot be helped, and a wait for what is lent, do not look through the heap again and again. */
    @Test
    void shouldRememberThatThereIsNoWindow()
    {
        random = new Random(4);
        try (TestTable t = new TestTable(TestTable.superblock(8_000, 8_000, 4 << 20), 100_000))
        {
            int count = 0;
            while (t.tryPut("key" + count, bytes(1_000)) == Status.OK)
            {
                count++;
            }
            final List<Long> held = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                if (i % 20 == 0)
                {
                    t.find("key" + i);
                    held.add(t.table.lentValues().lend(t.found));
                }
                else if (i % 4 == 1)
                {
                    t.delete("key" + i);
                }
            }
            final long length = ShardTable.recordLength(4, 50_000);
            assertEquals(Status.BUSY, t.tryPut("wide", new byte[50_000]));
            for (int i = 0; t.table.makeRoom(length, 1 << 12) > 0; i++)
            {
                assertTrue(i < 10_000, "it looks for ever");
                assertEquals(Status.BUSY, t.tryPut("wide", new byte[50_000]));
            }
            assertEquals(0, t.table.makeRoom(length, 1 << 12));
            assertEquals(0, t.table.makeRoom(length + 5_000, 1 << 12));

            held.subList(5, 15).forEach(t.table.lentValues()::release);
            assertEquals(Status.OK, t.put("wide", new byte[50_000]));
        }
    }

    /** What is given back while the search is at work, wherever it is, counts once it has ended. */
    @Test
    void shouldLookAgainForWhatWasGivenBackWhileItLooked()
    {
        boolean isOver = false;
        for (int steps = 1; !isOver; steps++)
        {
            assertTrue(steps < 2_000, "the search does not end");
            isOver = giveBackAfter(steps);
        }
    }

    /** Lends a record between two parts of a heap, neither of which has room; says whether the search was over. */
    private boolean giveBackAfter(final int steps)
    {
        try (TestTable t = new TestTable(TestTable.superblock(200, 200, 1 << 19), 10_000))
        {
            int count = 0;
            while (t.tryPut("key" + count, new byte[1_000]) == Status.OK)
            {
                count++;
            }
            final long length = ShardTable.recordLength(4, 9_000);
            assertTrue(t.find("key" + count / 2));
            final long value = t.table.lentValues().lend(t.found);
            for (int i = 1; i <= 5; i++)
            {
                assertEquals(Status.OK, t.delete("key" + (count / 2 - 10 * i)));
                assertEquals(Status.OK, t.delete("key" + (count / 2 + 10 * i)));
            }
            assertEquals(Status.BUSY, t.tryPut("wide", new byte[9_000]));
            boolean isOver = false;
            for (int i = 0; i < steps && !isOver; i++)
            {
                isOver = t.table.makeRoom(length, 1) == 0;
            }
            t.table.lentValues().release(value);
            assertEquals(Status.OK, t.put("wide", new byte[9_000]), () -> "steps=" + steps);
            return isOver;
        }
    }
}
