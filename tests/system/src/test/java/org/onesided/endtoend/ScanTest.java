package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.Version;

class ScanTest
{
    private final TestStore store = new TestStore();
    private final StoreClient client = store.client();

    @AfterEach
    void stop()
    {
        final long reconnects = client.clientStatistics().reconnects();
        client.close();
        store.close();
        assertEquals(0, reconnects, "nobody cuts a connection");
    }

    private static String text(final DirectBuffer buffer)
    {
        return buffer.getStringWithoutLengthUtf8(0, buffer.capacity());
    }

    private Map<String, String> scan()
    {
        final Map<String, String> pairs = new HashMap<>();
        client.scan((key, value) -> assertNull(pairs.put(text(key), text(value)), "twice"));
        return pairs;
    }

    @Test
    void shouldPassNothingOfAnEmptyTable()
    {
        assertEquals(0, scan().size());
        assertThrows(NullPointerException.class, () -> client.scanEntries(null));
    }

    @Test
    void shouldPassEachPairOnce()
    {
        final Map<String, String> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++)
        {
            expected.put("key-" + i, "value-" + i + "x".repeat(i % 300));
        }
        expected.forEach(client::put);
        client.delete("key-77");
        expected.remove("key-77");

        assertEquals(expected, scan());
    }

    @Test
    void shouldPassVersions()
    {
        for (int i = 0; i < 2_000; i++)
        {
            client.put("key-" + i, "value-" + i);
            client.put("key-" + i, "x".repeat(i % 300));
        }
        client.put(TestStore.bytes("long"), TestStore.randomBytes(3_000_000, 3));
        final Map<String, Version> versions = new HashMap<>();
        final MutableVersion reused = new MutableVersion();
        client.scanEntries(entry ->
        {
            entry.version(reused);
            assertEquals(entry.version(), reused.toVersion());
            assertEquals(entry.version().toString(), reused.toString());
            assertNull(versions.put(text(entry.key()), entry.version()), "twice");
        });

        assertEquals(2_001, versions.size());
        versions.forEach((key, version) ->
            assertEquals(client.getVersioned(TestStore.bytes(key)).version(), version, key));
    }

    @Test
    void shouldPassLongValues()
    {
        final byte[] value = TestStore.randomBytes(3_000_000, 3);
        client.put(TestStore.bytes("long"), value);
        client.put("short", "");
        // READ together with others, too, and more than one chunk of them.
        for (int i = 0; i < 8; i++)
        {
            client.put(TestStore.bytes("read at once " + i), TestStore.randomBytes(33_000 + i * 37_000, i));
        }
        final Map<String, byte[]> pairs = new HashMap<>();
        client.scan((key, found) ->
        {
            final byte[] copy = new byte[found.capacity()];
            found.getBytes(0, copy);
            pairs.put(text(key), copy);
        });

        assertEquals(10, pairs.size());
        assertArrayEquals(value, pairs.get("long"));
        for (int i = 0; i < 8; i++)
        {
            assertArrayEquals(TestStore.randomBytes(33_000 + i * 37_000, i), pairs.get("read at once " + i));
        }
        assertEquals(0, pairs.get("short").length);
    }

    @Test
    void shouldPassThePairsOfAFullTable()
    {
        // Overflow buckets come into use long before the heap is full.
        try (TestStore small = new TestStore(TestStore.options().memory(2L << 20)); StoreClient filler = small.client())
        {
            int count = 0;
            boolean isFull = false;
            while (!isFull)
            {
                try
                {
                    filler.put("k" + count, "");
                    count++;
                }
                catch (final StoreFullException e)
                {
                    isFull = true;
                }
            }
            assertTrue(filler.statistics().stream().mapToLong(shard -> shard.overflowBucketsUsed()).sum() > 0);
            final Set<String> keys = new HashSet<>();
            filler.scan((key, value) -> assertTrue(keys.add(text(key)), "twice"));
            assertEquals(count, keys.size());
        }
    }

    @Test
    void shouldPassWhatHeldAtSomeMomentWhileWritersGoOn() throws Exception
    {
        for (int i = 0; i < 3000; i++)
        {
            client.put("stays-" + i, "0 ");
        }
        final AtomicBoolean isDone = new AtomicBoolean();
        final Thread writer = new Thread(() ->
        {
            int round = 1;
            while (!isDone.get())
            {
                for (int i = 0; i < 3000 && !isDone.get(); i++)
                {
                    client.put("stays-" + i, round + " " + "y".repeat(round * 37 % 500));
                    client.put("comes-" + i, "c");
                    client.delete("comes-" + i);
                }
                round++;
            }
        });
        writer.start();
        try
        {
            for (int scan = 0; scan < 5; scan++)
            {
                final Map<String, String> pairs = new HashMap<>();
                client.scan((key, value) ->
                {
                    if (text(key).startsWith("stays-"))
                    {
                        assertNull(pairs.put(text(key), text(value)), "twice");
                    }
                });
                assertEquals(3000, pairs.size());
                pairs.values().forEach(value ->
                {
                    final int round = Integer.parseInt(value.substring(0, value.indexOf(' ')));
                    assertEquals(round + " " + "y".repeat(round == 0 ? 0 : round * 37 % 500), value);
                });
            }
        }
        finally
        {
            isDone.set(true);
            writer.join();
        }
    }

    @Test
    void shouldPassOnWhatTheConsumerThrows()
    {
        client.put("key", "value");
        assertThrows(ArithmeticException.class, () -> client.scan((key, value) ->
        {
            throw new ArithmeticException();
        }));
        assertEquals("value", client.get("key"));
    }

    @Test
    void shouldPassOnlyPairsWithThePrefix()
    {
        final Map<String, String> expected = new HashMap<>();
        for (int i = 0; i < 5_000; i++)
        {
            client.put("user:" + i, "value-" + i);
            client.put("order:" + i, "x".repeat(i % 300));
            expected.put("user:" + i, "value-" + i);
        }
        client.put("user", "shorter than the prefix");
        client.put("user:\u00e9", "text");
        expected.put("user:\u00e9", "text");
        final Map<String, String> pairs = new HashMap<>();

        client.scan("user:", (key, value) -> assertNull(pairs.put(text(key), text(value)), "twice"));
        assertEquals(expected, pairs);
        pairs.clear();
        client.scanEntries(TestStore.bytes("user:"), entry -> pairs.put(text(entry.key()), text(entry.value())));
        assertEquals(expected, pairs);
        pairs.clear();
        client.scan("user:\u00e9", (key, value) -> pairs.put(text(key), text(value)));
        assertEquals(Map.of("user:\u00e9", "text"), pairs);
        assertTrue(client.scanWhile("nobody", entry -> false));
        assertTrue(client.scanWhile(new byte[5_000], entry -> false));
        assertThrows(StoreLimitException.class, () -> client.scan("\ud800", (key, value) -> { }));
    }

    @Test
    void shouldEndWhereTheVisitorWantsNoMore()
    {
        assertTrue(client.scanWhile(entry -> false));
        for (int i = 0; i < 50_000; i++)
        {
            client.put("key-" + i, "value-" + i);
        }
        client.put(TestStore.bytes("key-long"), TestStore.randomBytes(3_000_000, 3));
        final int[] count = new int[1];

        for (final int end : new int[] {1, 2, 300, 5_000})
        {
            count[0] = 0;
            final long before = client.clientStatistics().bytesRead();
            assertFalse(client.scanWhile(entry -> ++count[0] < end));
            assertEquals(end, count[0]);
            assertTrue(end > 2 || client.clientStatistics().bytesRead() - before < 2_000_000, "reads on");
        }
        count[0] = 0;
        assertFalse(client.scanWhile("key-long", entry -> ++count[0] < 1));
        assertEquals(1, count[0]);
        count[0] = 0;
        assertTrue(client.scanWhile(entry -> ++count[0] > 0));
        assertEquals(50_001, count[0]);
        assertEquals("value-77", client.get("key-77"));
    }
}
