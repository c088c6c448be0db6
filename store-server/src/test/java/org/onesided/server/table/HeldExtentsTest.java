package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;

/**
 * Extents that must stay where they are while records move to make room. The heap is full but for the places on both
 * sides of such an extent, so that room for a record of twice the length can be made only by moving it.
 */
class HeldExtentsTest
{
    private static final int LENGTH = 30_000;
    /** The record of two such places. */
    private static final int TWICE = 2 * (LENGTH - 16);
    private static final int MIDDLE = 5;
    private static final String HELD = key(MIDDLE);

    private final TestTable t = new TestTable(TestTable.superblock(64, 64, 1 << 20), 200_000);
    private int count;

    @BeforeEach
    void fill()
    {
        while (t.put(key(count), value(count)) == Status.OK)
        {
            count++;
        }
        assertTrue(count > 2 * MIDDLE, "count=" + count);
    }

    @AfterEach
    void close()
    {
        t.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"held", "deleted"})
    void shouldNotMoveWhatIsLent(final String fate)
    {
        t.find(HELD);
        final long lent = t.table.lentValues().lend(t.found);
        final long again = t.table.lentValues().lend(t.found);
        if (fate.equals("deleted"))
        {
            assertEquals(Status.OK, t.delete(HELD));
        }
        free(MIDDLE - 1);
        free(MIDDLE + 1);

        assertEquals(Status.BUSY, t.put("twice", new byte[TWICE]));
        assertTrue(t.table.lentValues().release(again));
        assertEquals(Status.BUSY, t.put("twice", new byte[TWICE]));
        assertArrayEquals(value(MIDDLE), Native.read(t.address(lent), LENGTH));

        assertTrue(t.table.lentValues().release(lent));
        assertEquals(Status.OK, t.put("twice", new byte[TWICE]));
        assertRest();
    }

    @Test
    void shouldNotMoveWhatIsReserved()
    {
        t.find(HELD);
        final long place = t.found.recordOffset();
        assertEquals(Status.OK, t.delete(HELD));
        final long extent = t.reserve(HELD, LENGTH);
        assertEquals(place, extent);
        free(MIDDLE - 1);
        free(MIDDLE + 1);

        assertEquals(Status.BUSY, t.put("twice", new byte[TWICE]));
        t.writeValue(extent, value(MIDDLE));
        assertEquals(Status.BUSY, t.put("twice", new byte[TWICE]));
        assertEquals(Status.OK, t.table.longPuts().publish(extent, Expiry.DEFAULT, t.result));
        assertArrayEquals(value(MIDDLE), t.get(HELD));

        assertEquals(Status.OK, t.put("twice", new byte[TWICE]));
        assertArrayEquals(value(MIDDLE), t.get(HELD));
        assertRest();
    }

    /** A record in the reserve gets its place by moving others, before what it replaced is zeroed. */
    @Test
    void shouldNotMoveWhatIsNotZeroedYet()
    {
        try (TestTable full = new TestTable(TestTable.superblock(64, 64, 4 << 20), 3 * LENGTH))
        {
            assertEquals(Status.OK, full.put("before", value(1)));
            assertEquals(Status.OK, full.put("long", new byte[3 * LENGTH]));
            assertEquals(Status.OK, full.put("behind", value(2)));
            int rest = 0;
            while (full.put(key(rest), value(rest)) == Status.OK)
            {
                rest++;
            }
            final byte[] shorter = new byte[3 * LENGTH / 2];
            new Random(1).nextBytes(shorter);
            assertEquals(Status.OK, full.put("long", shorter));
            assertEquals(Status.OK, full.delete("before"));
            assertEquals(Status.OK, full.delete("behind"));
            boolean isBusy = true;
            while (isBusy)
            {
                isBusy = full.table.makeRoom(0, 1 << 14) > 0 || full.table.clean(1 << 10);
                assertArrayEquals(shorter, full.get("long"));
            }
            for (int i = 0; i < rest; i++)
            {
                assertArrayEquals(value(i), full.get(key(i)));
            }
            assertEquals(Status.OK, full.put("wide", new byte[3 * LENGTH]));
        }
    }

    private void free(final int number)
    {
        assertEquals(Status.OK, t.delete(key(number)));
    }

    private void assertRest()
    {
        for (int i = 0; i < count; i++)
        {
            if (Math.abs(i - MIDDLE) > 1)
            {
                assertArrayEquals(value(i), t.get(key(i)));
            }
        }
    }

    private static String key(final int number)
    {
        return String.format("key-%03d", number);
    }

    private static byte[] value(final int number)
    {
        final byte[] bytes = new byte[LENGTH];
        new Random(number).nextBytes(bytes);
        return bytes;
    }
}
