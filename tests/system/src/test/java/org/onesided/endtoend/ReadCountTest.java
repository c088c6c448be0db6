package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ClientStatistics;

class ReadCountTest
{
    private static final byte[] KEY = bytes("key");

    private final TestStore store = new TestStore();
    private final StoreClient writer = store.client();
    private final StoreClient client = store.client();
    private final StoreSession reader = client.openSession();

    @AfterEach
    void stop()
    {
        reader.close();
        client.close();
        writer.close();
        store.close();
    }

    private long readsOf(final Runnable lookup)
    {
        final ClientStatistics before = reader.clientStatistics();
        lookup.run();
        return reader.clientStatistics().reads() - before.reads();
    }

    private void assertReads(final int expected, final String value)
    {
        assertEquals(expected, readsOf(() -> assertEquals(value, reader.get("key"))));
    }

    @Test
    void shouldTakeTwoReadsAndThenOne()
    {
        writer.put("key", "value");

        assertReads(2, "value");
        assertReads(1, "value");
        assertEquals(1, reader.clientStatistics().mirrorHits());
        assertEquals(0, reader.clientStatistics().rpcGets());
    }

    @Test
    void shouldStayWithOneReadWhenTheValueChangesInPlace()
    {
        writer.put("key", "value");
        assertReads(2, "value");
        writer.put("key", "other");

        assertReads(1, "other");
    }

    @Test
    void shouldTakeTwoReadsOnceWhenTheRecordMoved()
    {
        writer.put("key", "value");
        assertReads(2, "value");
        writer.put("key", "other".repeat(100));

        assertReads(2, "other".repeat(100));
        assertEquals(1, reader.clientStatistics().forwardHits());
        assertReads(1, "other".repeat(100));
        assertEquals(1, reader.clientStatistics().forwardHits());
    }

    @Test
    void shouldTakeOneReadMoreForEachTimeTheRecordMoved()
    {
        writer.put("key", "value");
        assertReads(2, "value");
        writer.put("key", "x".repeat(400));
        writer.put("key", "y".repeat(800));

        assertReads(3, "y".repeat(800));
        assertReads(1, "y".repeat(800));
    }

    @Test
    void shouldTakeTwoReadsToSeeThatAKeyIsNoMore()
    {
        writer.put("key", "value");
        assertReads(2, "value");
        writer.delete("key");

        assertReads(2, null);
        assertReads(1, null);
    }

    @Test
    void shouldTakeOneReadForAnAbsentKey()
    {
        assertReads(1, null);
        assertReads(1, null);
    }

    @Test
    void shouldTakeOneReadForItsOwnWrites()
    {
        reader.put("key", "value");
        assertReads(1, "value");
        reader.put("key", "other".repeat(100));
        assertReads(1, "other".repeat(100));
        reader.delete("key");
        assertReads(1, null);
    }

    @Test
    void shouldTakeOneReadEachAfterWarmUp()
    {
        // So few that no bucket is split: a split that warmUp() meets costs READs later.
        for (int i = 0; i < 300; i++)
        {
            writer.put("key-" + i, "value-" + i);
        }
        assertTrue(reader.warmUp() > 0);

        final long reads = readsOf(() ->
        {
            for (int i = 0; i < 300; i++)
            {
                assertEquals("value-" + i, reader.get("key-" + i));
            }
        });
        assertTrue(reads >= 300 && reads <= 300 + TestStore.READS_OF_A_COLLISION, "reads=" + reads);
    }

    @Test
    void shouldReadALongRecordsHeaderFirst()
    {
        final byte[] value = TestStore.randomBytes(300_000, 1);
        writer.put(KEY, value);

        assertEquals(3, readsOf(() -> assertArrayEquals(value, reader.get(KEY))));
        assertEquals(2, readsOf(() -> assertArrayEquals(value, reader.get(KEY))));
    }

    @Test
    void shouldCountWhatItDid()
    {
        writer.put("key", "value");
        reader.get("key");
        assertNull(reader.get("absent"));
        final ClientStatistics statistics = reader.clientStatistics();

        assertEquals(2, statistics.gets());
        assertEquals(1, statistics.hits());
        assertEquals(1, statistics.misses());
        assertEquals(1, writer.clientStatistics().puts());
        assertEquals(5, writer.clientStatistics().bytesPut());
        assertTrue(client.clientStatistics().gets() >= statistics.gets());
    }
}
