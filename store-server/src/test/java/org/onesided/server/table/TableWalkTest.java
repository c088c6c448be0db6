package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.VersionWord;
import org.onesided.server.TestSize;

/** A walk visits what was there when it began, whatever happens between its steps, and a table can be made of that. */
class TableWalkTest
{
    private static final int WRITES = 3_000;
    private static final int SECOND_BOUND = 5_000;
    private static final long MOST_OF_A_BUCKET = 57L * (TableWalk.MAX_SHORT_VALUE_LENGTH + 100);

    /** Lets any record leave. */
    private static final class Any implements Evictor
    {
        @Override
        public short onInserted(final long hash, final long length)
        {
            return 0;
        }

        @Override
        public short onOverwritten(final long hash, final short state)
        {
            return state;
        }

        @Override
        public int candidatesWanted()
        {
            return 4;
        }

        @Override
        public int choose(final EvictionCandidates candidates)
        {
            int i = 0;
            while (!candidates.mayLeave(i))
            {
                i++;
            }
            return i;
        }
    }

    private final List<String> keys = new ArrayList<>();
    private final Map<String, WalkedRecords.Kept> model = new HashMap<>();
    private final byte[] noise = new byte[2 << 20];
    private Random random;
    private int longest;

    private byte[] value()
    {
        final int bound = random.nextInt(20) == 0 ? longest : random.nextInt(10) == 0 ? SECOND_BOUND : 200;
        final int length = random.nextInt(bound);
        final int from = random.nextInt(noise.length - length);
        return Arrays.copyOfRange(noise, from, from + length);
    }

    private String key()
    {
        return keys.get(random.nextInt(keys.size()));
    }

    /** A request that changes the table, or could. */
    private void write(final TestTable t)
    {
        final String key = key();
        t.table.walk().beforeChange(t.hash(t.key().text(key)));
        switch (random.nextInt(8))
        {
            case 0, 1 -> t.delete(key);
            case 2 -> t.touch(key, random.nextBoolean() ? Expiry.NEVER : t.now + random.nextInt(1_000));
            case 3 -> t.put(key, value(), t.now + 1 + random.nextInt(2_000));
            case 4 -> publish(t, key);
            default -> t.put(key, value());
        }
    }

    private void publish(final TestTable t, final String key)
    {
        final byte[] value = value();
        final long extent = t.reserve(key, value.length);
        if (extent >= 0)
        {
            t.writeValue(extent, value);
            t.table.longPuts().publish(extent, Expiry.KEEP, t.result);
        }
    }

    /** Anything but a request that changes the table. */
    private void live(final TestTable t)
    {
        switch (random.nextInt(6))
        {
            case 0 -> t.find(key());
            case 1 ->
            {
                t.now += random.nextInt(30);
                t.table.expire(random.nextInt(20));
            }
            case 2 -> t.table.makeRoom(random.nextInt(2) == 0 ? 0 : random.nextInt(longest), random.nextInt(5_000));
            case 3 -> t.table.clean(1 << 16);
            default -> t.table.grow(random.nextInt(3));
        }
    }

    /** What is there now; what is due is not looked for, as that would remove it. */
    private void takeModel(final TestTable t)
    {
        model.clear();
        for (final String key : keys)
        {
            if (t.find(key))
            {
                model.put(key, new WalkedRecords.Kept(
                    Native.read(t.found.valueAddress(), t.found.valueLength()), t.found.version(), t.found.expiry()));
            }
        }
    }

    /** Whoever is not in the model was due when the walk began. */
    private void check(final Map<String, WalkedRecords.Kept> walked, final long begun)
    {
        model.forEach((key, kept) -> kept.check(key, walked.get(key)));
        walked.forEach((key, kept) ->
            assertTrue(model.containsKey(key) || kept.expiry() != Expiry.NEVER && kept.expiry() <= begun, key));
    }

    /**
     * Heaps of 2 MiB move long records over their own places. Some lists of keys are longer than what fits, so that
     * records leave, or puts are refused.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 4194304, 3000, 3000, false", "2, 4194304, 3000, 200000, true", "3, 2097152, 3000, 300000, false",
        "4, 2097152, 3000, 300000, true", "5, 8388608, 3000, 1000000, false", "6, 1048576, 20000, 300, true",
        "7, 16777216, 20000, 100000, false", "8, 2097152, 300, 500000, true", "9, 1048576, 60, 70000, false"})
    void shouldVisitWhatWasThereWhateverHappensBetweenSteps(
        final long seed, final long heap, final int keyCount, final int longestValue, final boolean evicts)
    {
        random = new Random(seed);
        longest = longestValue;
        random.nextBytes(noise);
        for (int i = 0; i < keyCount; i++)
        {
            keys.add("key" + i + "k".repeat(random.nextInt(30)));
        }
        try (TestTable t = new TestTable(TestTable.superblock(heap, 2), Math.max(longest, SECOND_BOUND)))
        {
            if (evicts)
            {
                t.table.evictions().begin(new Any(), seed);
            }
            for (int walk = 0; walk < TestSize.of(5, 3); walk++)
            {
                t.splits = random.nextInt(4);
                for (int i = random.nextInt(WRITES); i > 0; i--)
                {
                    write(t);
                    live(t);
                }
                final WalkedRecords walked = walk(t);
                load(t, walked);
            }
        }
    }

    private WalkedRecords walk(final TestTable t)
    {
        takeModel(t);
        final long begun = t.now;
        final TableWalk walk = t.table.walk();
        final WalkedRecords walked = new WalkedRecords();
        walk.begin(walked);
        final int pace = 1 + random.nextInt(60);
        final int most = 1 << random.nextInt(17);
        boolean isOver = false;
        for (int steps = 0; !isOver; steps++)
        {
            for (int i = random.nextInt(pace); i > 0; i--)
            {
                write(t);
                live(t);
            }
            // Short steps meet more changes, but are not to last for ever.
            final long budget = 1 + random.nextInt(most << Math.min(10, steps / 20));
            walked.takeBytes();
            isOver = walk.step(budget);
            assertTrue(walked.takeBytes() <= budget + MOST_OF_A_BUCKET);
        }
        assertFalse(walk.isUnderWay());
        assertEquals(1, walk.progress());
        assertTrue(walked.isWhole());
        check(walked.records, begun);
        return walked;
    }

    /** Makes a table of another size, which has the same records. */
    private void load(final TestTable of, final WalkedRecords walked)
    {
        try (TestTable t = new TestTable(64 << 20, Math.max(longest, SECOND_BOUND)))
        {
            t.now = 0;
            final TableLoad load = t.table.load();
            final long buckets = of.table.statistics().buckets();
            while (!load.prepareIndex(buckets, 100))
            {
                assertTrue(t.table.statistics().buckets() < buckets);
            }
            assertTrue(t.table.statistics().buckets() >= buckets);
            walked.records.forEach((key, kept) -> load(t, key, kept));
            assertEquals(walked.records.size(), t.table.recordCount());
            assertEquals(
                walked.records.values().stream().filter((kept) -> kept.expiry() != Expiry.NEVER).count(),
                t.table.statistics().expiring());
            walked.records.forEach((key, kept) ->
            {
                assertArrayEquals(kept.value(), t.get(key));
                kept.check(key, new WalkedRecords.Kept(kept.value(), t.found.version(), t.found.expiry()));
            });
            load.versionCounter(of.table.load().versionCounter());
            t.put("new", new byte[1]);
            assertEquals(of.table.load().versionCounter() + 1, t.result.version());
        }
    }

    private static void load(final TestTable t, final String key, final WalkedRecords.Kept kept)
    {
        final int keyLength = t.key().text(key);
        final long hash = t.hash(keyLength);
        final byte[] value = kept.value();
        if (value.length <= TableWalk.MAX_SHORT_VALUE_LENGTH)
        {
            assertEquals(Status.OK, t.table.load().put(
                hash, t.key().address(), keyLength, t.value().address(), t.value().bytes(value), kept.version(),
                kept.expiry()));
            return;
        }
        final long extent = t.table.longPuts().reserve(hash, t.key().address(), keyLength, value.length);
        assertTrue(extent >= 0);
        final int half = value.length / 2;
        t.writeValue(extent, Arrays.copyOf(value, half));
        UnsafeApi.copyMemory(
            t.value().address() + t.value().bytes(value) - (value.length - half),
            t.table.reservations().valueAddress(extent) + half, value.length - half);
        assertEquals(Status.OK, t.table.load().publish(extent, kept.version(), kept.expiry()));
    }

    @Test
    void shouldVisitARecordOutOfTurnAndThenSkipIt()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            t.put("key", new byte[]{1});
            final WalkedRecords walked = new WalkedRecords();
            t.table.walk().begin(walked);
            t.table.walk().beforeChange(t.hash(t.key().text("other")));
            assertTrue(walked.records.isEmpty());
            t.put("other", new byte[]{2});
            t.table.walk().beforeChange(t.hash(t.key().text("key")));
            assertEquals(1, walked.records.size());
            t.put("key", new byte[]{3});
            assertTrue(t.table.walk().step(Long.MAX_VALUE));
            assertArrayEquals(new byte[]{1}, walked.records.get("key").value());
            assertEquals(1, walked.records.size());
        }
    }

    /** The heap gets its room back. */
    @Test
    void shouldGiveBackWhatWasLentWhenItStops()
    {
        try (TestTable t = new TestTable(4 << 20, 1 << 20))
        {
            final long used = t.table.heapBytesUsed();
            assertEquals(Status.OK, t.put("key", new byte[1 << 20]));
            final WalkedRecords walked = new WalkedRecords();
            t.table.walk().begin(walked);
            t.table.walk().beforeChange(t.hash(t.key().text("key")));
            assertEquals(Status.OK, t.delete("key"));
            assertFalse(t.table.walk().step(1_000));
            assertFalse(walked.isWhole());
            assertThrows(IllegalStateException.class, () -> t.table.walk().begin(walked));
            assertTrue(t.table.heapBytesUsed() >= used + (1 << 20));
            t.table.walk().stop();
            t.table.walk().stop();
            while (t.table.clean(1 << 20))
            {
                // Goes on until all is zeroed.
            }
            assertEquals(used, t.table.heapBytesUsed());
            assertTrue(t.table.walk().step(1));
        }
    }

    @Test
    void shouldKeepAValueThatAReaderAndTheWalkHold()
    {
        try (TestTable t = new TestTable(4 << 20, 1 << 20))
        {
            final byte[] value = new byte[1 << 20];
            Arrays.fill(value, (byte)7);
            assertEquals(Status.OK, t.put("key", value));
            assertTrue(t.find("key"));
            final long lent = t.table.lentValues().lend(t.found);
            final WalkedRecords walked = new WalkedRecords();
            t.table.walk().begin(walked);
            t.table.walk().beforeChange(t.hash(t.key().text("key")));
            assertEquals(Status.OK, t.delete("key"));
            assertTrue(t.table.lentValues().release(lent));
            assertFalse(t.table.lentValues().release(lent), "it is not the reader's any more");
            assertTrue(t.table.walk().step(Long.MAX_VALUE));
            assertArrayEquals(value, walked.records.get("key").value());
        }
    }

    @Test
    void shouldRefuseToGoBackInVersions()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            t.put("key", new byte[1]);
            final long version = t.table.load().versionCounter();
            assertEquals(t.result.version(), version);
            assertThrows(IllegalArgumentException.class, () -> t.table.load().versionCounter(version - 1));
            assertEquals(VersionWord.startOf(1) + 1, version);
        }
    }

    /** Its time is over: it is there until the table's time says so. */
    @Test
    void shouldLoadARecordWhoseTimeIsOver()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            load(t, "key", new WalkedRecords.Kept(new byte[9], 5, t.now - 1));
            assertEquals(1, t.table.recordCount());
            assertFalse(t.find("key"));
            assertEquals(0, t.table.recordCount());
        }
    }

    @Test
    void shouldSayWhenTheIndexCannotGrow()
    {
        try (TestTable t = new TestTable(TestTable.superblock(4, 4, 1 << 18, 3), 100))
        {
            assertFalse(t.table.load().prepareIndex(1 << 20, 2));
            while (!t.table.load().prepareIndex(1 << 20, 2))
            {
                assertTrue(t.table.statistics().buckets() <= 16);
            }
            assertEquals(16, t.table.statistics().buckets());
        }
    }
}
