package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;

class ExpiryTest
{
    private static final int LATEST_MS = 32;
    private static final byte[] VALUE = {1, 2, 3};

    /** Ages a table, as its shard does. */
    private static void pass(final TestTable t, final long ms)
    {
        final long end = t.now + ms;
        while (t.now < end)
        {
            t.now = Math.min(end, t.now + 8);
            while (t.table.expire(64) > 0)
            {
                // Goes on until nothing is left for now.
            }
        }
    }

    @Test
    void shouldRemoveARecordWhenItsTimeHasCome()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            assertEquals(Status.OK, t.put("key", VALUE, t.now + 1000));
            pass(t, 999);
            assertTrue(t.find("key"));
            assertEquals(t.now + 1, t.found.expiry());
            assertArrayEquals(VALUE, t.get("key"));
            pass(t, 1 + LATEST_MS);
            assertEquals(0, t.table.statistics().records());
            assertEquals(1, t.table.statistics().expired());
            assertEquals(0, t.table.statistics().deletes());
        }
    }

    @Test
    void shouldTreatARecordAsAbsentAsSoonAsItsTimeHasCome()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            t.put("key", VALUE, t.now + 1000);
            t.now += 1000;
            assertFalse(t.find("key"));
            assertEquals(0, t.table.statistics().records());
            t.put("key", VALUE, t.now + 1000);
            t.now += 1000;
            assertEquals(Status.NOT_FOUND, t.delete("key"));
            t.put("key", VALUE, t.now + 1000);
            t.now += 1000;
            assertEquals(Status.NOT_FOUND, t.touch("key", t.now + 1000));
            assertFalse(t.find("key"));
            t.put("key", VALUE, t.now + 1000);
            t.now += 1000;
            assertEquals(0, t.table.lookups().version(t.hash(t.key().text("key")), t.key().address(), 3));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 100, 1000, 4050, 4060, 4070, 5000, 100_000})
    void shouldChangeTheTimeAndLeaveValueAndVersion(final int length)
    {
        try (TestTable t = new TestTable(4 << 20, 1 << 20))
        {
            final byte[] value = new byte[length];
            new Random(length).nextBytes(value);
            t.put("key", value);
            t.find("key");
            final long version = t.found.version();
            for (final long time : new long[]{t.now + 500, t.now + 100, t.now + 10_000, Expiry.NEVER, t.now + 2000})
            {
                assertEquals(Status.OK, t.touch("key", time));
                assertTrue(t.find("key"));
                assertEquals(time, t.found.expiry());
                assertEquals(version, t.found.version());
                assertArrayEquals(value, t.get("key"));
            }
            assertEquals(1, t.table.statistics().expiring());
            pass(t, 1990);
            assertTrue(t.find("key"));
            pass(t, 10 + LATEST_MS);
            assertEquals(0, t.table.statistics().records());
            assertEquals(0, t.table.statistics().expiring());
        }
    }

    @Test
    void shouldClearTheTimeByAPlainPutAndKeepItIfAsked()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            t.put("key", VALUE, t.now + 1000);
            t.put("key", new byte[50], Expiry.KEEP);
            t.find("key");
            assertEquals(t.now + 1000, t.found.expiry());
            t.put("key", VALUE);
            t.find("key");
            assertEquals(Expiry.NEVER, t.found.expiry());
            pass(t, 5000);
            assertTrue(t.find("key"));
        }
    }

    /** The writer learns from it that its value is not there. */
    @Test
    void shouldGiveNoVersionToAPutWhoseTimeIsOver()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            assertEquals(Status.OK, t.put("key", VALUE, t.now));
            assertEquals(0, t.result.version());
            t.put("key", VALUE);
            assertTrue(t.result.version() > 0);
            assertEquals(Status.OK, t.put("key", VALUE, t.now));
            assertEquals(0, t.result.version());
            assertFalse(t.find("key"));
        }
    }

    @Test
    void shouldGiveKeysTheDefaultTimeToLive()
    {
        final long ttl = 1000;
        try (TestTable t = new TestTable(TestTable.superblock(64, 64, 1 << 20), 100,
            ShardMemory.whole(TestTable.superblock(64, 64, 1 << 20).shards().get(0)), ttl))
        {
            t.put("plain", VALUE);
            t.put("kept", VALUE, Expiry.KEEP);
            t.put("for ever", VALUE, Expiry.NEVER);
            t.find("plain");
            assertEquals(t.now + ttl, t.found.expiry());
            t.find("kept");
            assertEquals(t.now + ttl, t.found.expiry());
            pass(t, 500);
            t.put("kept", VALUE, Expiry.KEEP);
            pass(t, 500 + LATEST_MS);
            assertEquals(1, t.table.statistics().records());
            assertTrue(t.find("for ever"));
        }
    }

    @Test
    void shouldRemoveAKeyThatIsPutOrTouchedWithATimeThatIsOver()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            assertEquals(Status.OK, t.put("key", VALUE, t.now));
            assertFalse(t.find("key"));
            t.put("key", VALUE);
            assertEquals(Status.OK, t.put("key", VALUE, t.now - 5));
            assertFalse(t.find("key"));
            t.put("key", VALUE);
            assertEquals(Status.OK, t.touch("key", t.now));
            assertFalse(t.find("key"));
            assertEquals(0, t.table.statistics().records());
        }
    }

    @Test
    void shouldNotRemoveANewerValueAtTheTimeOfAnOlderOne()
    {
        try (TestTable t = new TestTable(1 << 20, 100))
        {
            t.put("key", VALUE, t.now + 100);
            t.delete("key");
            t.put("key", VALUE);
            t.put("other", VALUE, t.now + 100);
            t.put("other", new byte[40], t.now + 300);
            pass(t, 100 + LATEST_MS);
            assertTrue(t.find("key"));
            assertTrue(t.find("other"));
            pass(t, 200 + LATEST_MS);
            assertTrue(t.find("key"));
            assertFalse(t.find("other"));
        }
    }

    @Test
    void shouldGiveALongValueItsTimeWhenItIsPublished()
    {
        try (TestTable t = new TestTable(4 << 20, 1 << 20))
        {
            final byte[] value = new byte[300_000];
            new Random(1).nextBytes(value);
            for (final long expiry : new long[]{t.now + 1000, Expiry.KEEP, Expiry.NEVER, t.now + 700})
            {
                final long extent = t.reserve("key", value.length);
                t.writeValue(extent, value);
                assertEquals(Status.OK, t.table.longPuts().publish(extent, expiry, t.result));
                assertTrue(t.find("key"));
                assertEquals(expiry == Expiry.KEEP ? t.now + 1000 : expiry, t.found.expiry());
                assertArrayEquals(value, t.get("key"));
            }
            final long extent = t.reserve("key", value.length);
            t.writeValue(extent, value);
            assertEquals(Status.OK, t.table.longPuts().publish(extent, t.now, t.result));
            assertFalse(t.find("key"));
        }
    }

    @Test
    void shouldKeepALentValueWhoseTimeHasCome()
    {
        try (TestTable t = new TestTable(4 << 20, 1 << 20))
        {
            final byte[] value = new byte[200_000];
            new Random(2).nextBytes(value);
            t.put("key", value, t.now + 100);
            t.find("key");
            final long address = t.found.valueAddress();
            final long lent = t.table.lentValues().lend(t.found);
            t.touch("key", t.now + 50);
            pass(t, 100);
            assertEquals(0, t.table.statistics().records());
            for (int i = 0; i < 20; i++)
            {
                t.put("other" + i, new byte[100_000]);
            }
            assertArrayEquals(value, Native.read(address, value.length));
            assertTrue(t.table.lentValues().release(lent));
        }
    }

    /** Writes of all kinds while time passes: the table has just the keys that a map has. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldAgreeWithAMap(final int seed)
    {
        final Random random = new Random(seed);
        final Map<String, long[]> expected = new HashMap<>();
        try (TestTable t = new TestTable(2 << 20, 8192))
        {
            for (int i = 0; i < 60_000; i++)
            {
                final String key = "key" + random.nextInt(300);
                final int length = random.nextInt(10) == 0 ? 4000 + random.nextInt(200) : random.nextInt(100);
                final long time = random.nextBoolean() ? Expiry.NEVER : t.now + 1 + random.nextInt(2000);
                expected.values().removeIf(each -> each[0] != Expiry.NEVER && each[0] <= t.now);
                switch (random.nextInt(5))
                {
                    case 0 -> assertEquals(
                        expected.remove(key) == null ? Status.NOT_FOUND : Status.OK, t.delete(key));
                    case 1 ->
                    {
                        final boolean present = expected.containsKey(key);
                        assertEquals(present ? Status.OK : Status.NOT_FOUND, t.touch(key, time));
                        if (present)
                        {
                            expected.get(key)[0] = time;
                        }
                    }
                    case 2 ->
                    {
                        final long[] before = expected.get(key);
                        assertEquals(Status.OK, t.put(key, new byte[length], Expiry.KEEP));
                        expected.put(key, new long[]{before == null ? Expiry.NEVER : before[0], length});
                    }
                    default ->
                    {
                        assertEquals(Status.OK, t.put(key, new byte[length], time));
                        expected.put(key, new long[]{time, length});
                    }
                }
                if (random.nextInt(20) == 0)
                {
                    t.now += random.nextInt(60);
                    t.table.expire(4);
                }
                t.table.makeRoom(0, 1000);
                if (i % 1000 == 0)
                {
                    check(t, expected);
                }
            }
            t.now += 10_000;
            pass(t, LATEST_MS);
            expected.values().removeIf(each -> each[0] != Expiry.NEVER);
            assertEquals(expected.size(), t.table.statistics().records());
            assertEquals(0, t.table.statistics().expiring());
            check(t, expected);
        }
    }

    private static void check(final TestTable t, final Map<String, long[]> expected)
    {
        expected.values().removeIf(each -> each[0] != Expiry.NEVER && each[0] <= t.now);
        for (int i = 0; i < 300; i++)
        {
            final long[] there = expected.get("key" + i);
            assertEquals(there != null, t.find("key" + i), "key" + i);
            if (there != null)
            {
                assertEquals(there[0], t.found.expiry());
                assertEquals(there[1], t.get("key" + i).length);
            }
        }
    }
}
