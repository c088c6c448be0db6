package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.Version;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.ServerProcess;

@Timeout(300)
class AsyncSessionTest
{
    /** Remembers what it is told; an operation that is told twice is an error. */
    private static class Told implements AsyncListener
    {
        private static final Object ABSENT = "absent";
        private static final Object PUT = "put";

        private final Map<Long, Object> ends = new TreeMap<>();
        private Runnable event = () -> { };

        private void tell(final long correlation, final Object end)
        {
            assertNull(ends.put(correlation, end), "told twice: " + correlation);
            event.run();
        }

        @Override
        public void onValue(final long correlation, final DirectBuffer value)
        {
            if (value == null)
            {
                tell(correlation, ABSENT);
            }
            else
            {
                final byte[] copy = new byte[value.capacity()];
                value.getBytes(0, copy);
                tell(correlation, copy);
            }
        }

        @Override
        public void onPut(final long correlation)
        {
            tell(correlation, PUT);
        }

        @Override
        public void onDelete(final long correlation, final boolean wasPresent)
        {
            tell(correlation, wasPresent);
        }

        @Override
        public void onFailure(final long correlation, final StoreException failure)
        {
            tell(correlation, failure);
        }

        long count(final Class<?> type, final WriteFate fate)
        {
            return ends.values().stream()
                .filter((end) -> type.isInstance(end) && ((StoreException)end).writeFate() == fate)
                .count();
        }
    }

    private final Told told = new Told();

    private static UnsafeBuffer buffer(final String text)
    {
        return new UnsafeBuffer(bytes(text));
    }

    private static void get(final AsyncSession async, final String key, final long correlation)
    {
        final UnsafeBuffer buffer = buffer(key);
        while (!async.get(buffer, 0, buffer.capacity(), correlation))
        {
            async.poll();
        }
    }

    private static void put(final AsyncSession async, final String key, final byte[] value, final long correlation)
    {
        final UnsafeBuffer buffer = buffer(key);
        while (!async.put(buffer, 0, buffer.capacity(), new UnsafeBuffer(value), 0, value.length, correlation))
        {
            async.poll();
        }
    }

    private static void delete(final AsyncSession async, final String key, final long correlation)
    {
        final UnsafeBuffer buffer = buffer(key);
        while (!async.delete(buffer, 0, buffer.capacity(), correlation))
        {
            async.poll();
        }
    }

    private static long puts(final StoreClient client)
    {
        return client.statistics().stream().mapToLong(ShardStatistics::puts).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16})
    void shouldDoWhatAModelSays(final int credits)
    {
        try (TestStore store = new TestStore(TestStore.options().shards(3).credits(credits));
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            final Random random = new Random(credits);
            final Map<String, byte[]> model = new HashMap<>();
            final Map<Long, Object> expected = new TreeMap<>();
            long correlation = 0;
            for (int round = 0; round < 60; round++)
            {
                // Writes of one key take effect in their order; lookups are compared with no writes beside them.
                for (int i = 0; i < 100; i++)
                {
                    final String key = "key-" + random.nextInt(200);
                    final long id = correlation++;
                    if (round % 2 == 1)
                    {
                        get(async, key, id);
                        expected.put(id, model.containsKey(key) ? model.get(key) : Told.ABSENT);
                    }
                    else if (random.nextInt(4) == 0)
                    {
                        delete(async, key, id);
                        expected.put(id, model.remove(key) != null);
                    }
                    else
                    {
                        final byte[] value = new byte[random.nextInt(50) == 0 ? 150_000 : random.nextInt(400)];
                        random.nextBytes(value);
                        put(async, key, value, id);
                        expected.put(id, Told.PUT);
                        model.put(key, value);
                    }
                }
                async.drain();
                assertEquals(0, async.inFlight());
            }
            assertEquals(expected.keySet(), told.ends.keySet());
            expected.forEach((id, end) ->
            {
                if (end instanceof byte[])
                {
                    assertArrayEquals((byte[])end, (byte[])told.ends.get(id), "operation " + id);
                }
                else
                {
                    assertEquals(end, told.ends.get(id), "operation " + id);
                }
            });
            assertEquals(0, session.clientStatistics().reconnects());
            assertEquals(expected.values().stream().filter(Told.PUT::equals).count(), puts(client));
        }
    }

    @Test
    void shouldTellTheOutcomesOfPutsWithOptions()
    {
        final List<String> outcomes = new ArrayList<>();
        final Told conditional = new Told()
        {
            @Override
            public void onPut(final long correlation, final MutableVersion version)
            {
                outcomes.add(correlation + " put " + version);
            }

            @Override
            public void onConflict(final long correlation, final MutableVersion version)
            {
                outcomes.add(correlation + " conflict " + version);
            }
        };
        try (TestStore store = new TestStore();
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final UnsafeBuffer key = buffer("key");
            final AsyncSession async = session.async(conditional);
            assertTrue(async.put(key, 0, 3, buffer("1"), 0, 1, PutOptions.ifAbsent(), 1));
            async.drain();
            final Version first = client.getVersioned("key").version();
            assertTrue(async.put(key, 0, 3, buffer("2"), 0, 1, PutOptions.ifAbsent(), 2));
            async.drain();
            assertTrue(async.put(key, 0, 3, buffer("3"), 0, 1, 3));
            async.drain();
            final Version third = client.getVersioned("key").version();
            assertEquals(List.of("1 put " + first, "2 conflict " + first, "3 put " + third), outcomes);
        }
    }

    /** It would take a condition that did not hold for a put that was done. */
    @Test
    void shouldNotLeaveAConflictToAListenerThatDoesNotTakeIt()
    {
        try (TestStore store = new TestStore();
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            assertTrue(async.put(buffer("key"), 0, 3, buffer("1"), 0, 1, PutOptions.ifPresent(), 1));
            assertThrows(UnsupportedOperationException.class, async::drain);
            assertEquals(0, async.inFlight());
        }
    }

    @Test
    void shouldReadManyTogetherWithOneReadEach()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            // So few that no bucket is split: a split that warmUp() meets costs READs later.
            for (int i = 0; i < 300; i++)
            {
                client.put("key-" + i, "value-" + i);
            }
            session.warmUp();
            final AsyncSession async = session.async(told);
            for (int i = 0; i < 300; i++)
            {
                get(async, "key-" + i, i);
            }
            async.drain();

            for (int i = 0; i < 300; i++)
            {
                assertArrayEquals(bytes("value-" + i), (byte[])told.ends.get((long)i));
            }
            final long reads = session.clientStatistics().recordReads();
            assertTrue(reads >= 300 && reads <= 300 + TestStore.READS_OF_A_COLLISION, "reads=" + reads);
            final long others = 300 - session.clientStatistics().mirrorHits();
            assertTrue(others == 0 || others == 1 && reads > 300, "not found by the mirror: " + others);
        }
    }

    @Test
    void shouldTakeOperationsFromItsListener()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            final int count = 2000;
            final int[] next = {0};
            final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
            final Runnable begin = () ->
            {
                key.putInt(0, next[0]);
                if (next[0] < count && (next[0] % 3 == 0 ?
                    async.get(key, 0, Integer.BYTES, next[0]) :
                    async.put(key, 0, Integer.BYTES, key, 0, Integer.BYTES, next[0])))
                {
                    next[0]++;
                }
            };
            told.event = begin;
            while (next[0] < count)
            {
                begin.run();
                async.poll();
            }
            async.drain();
            assertEquals(count, told.ends.size());
        }
    }

    @Test
    void shouldRefuseTheSessionWhileOperationsAreInFlight()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            put(async, "a", bytes("1"), 1);
            final IllegalStateException thrown =
                assertThrows(IllegalStateException.class, () -> session.get("a"));
            assertTrue(thrown.getMessage().contains("drain it first"), thrown.getMessage());
            told.event = () ->
            {
                assertThrows(IllegalStateException.class, () -> session.get("a"));
                assertThrows(IllegalStateException.class, async::poll);
            };
            async.drain();
            assertEquals(Told.PUT, told.ends.get(1L));
            assertEquals("1", session.get("a"));
            assertThrows(IllegalStateException.class, () -> session.async(told));
            assertThrows(IllegalStateException.class, () -> client.withSession((lent) -> lent.async(told)));
        }
    }

    @Test
    void shouldPassOnWhatTheListenerThrowsOnceAllIsTold()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            final RuntimeException bad = new IllegalArgumentException("bad listener");
            told.event = () ->
            {
                throw bad;
            };
            get(async, "a", 1);
            get(async, "b", 2);
            assertSame(bad, assertThrows(IllegalArgumentException.class, async::poll));
            assertEquals(2, told.ends.size());
            assertEquals(0, async.inFlight());
        }
    }

    @Test
    void shouldThrowWhatIsWrongWithArgumentsAtOnce()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            assertThrows(StoreLimitException.class, () -> async.get(buffer("a"), 0, 0, 1));
            assertThrows(IndexOutOfBoundsException.class, () -> async.get(buffer("a"), 0, 2, 1));
            assertThrows(IndexOutOfBoundsException.class, () -> async.put(buffer("a"), 0, 1, buffer("b"), 1, 1, 1));
            assertEquals(0, async.inFlight());
        }
    }

    @Test
    void shouldTellOfAFullStore()
    {
        try (TestStore store = new TestStore(TestStore.options().memory(4 << 20)); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final AsyncSession async = session.async(told);
            for (int i = 0; i < 2000; i++)
            {
                put(async, "key-" + i, TestStore.randomBytes(4000, i), i);
            }
            async.drain();
            final long full = told.count(StoreFullException.class, WriteFate.NOT_APPLIED);
            assertTrue(full > 0, "not full");
            assertEquals(2000 - full, told.ends.values().stream().filter(Told.PUT::equals).count());
            for (int i = 0; i < 2000; i++)
            {
                assertEquals(told.ends.get((long)i).equals(Told.PUT), client.contains("key-" + i));
            }
        }
    }

    @Test
    void shouldFailWhatIsInFlightWhenItIsClosed() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m");
            StoreClient client =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(20)).build())
        {
            final StoreSession session = client.openSession();
            final AsyncSession async = session.async(told);
            server.freeze();
            put(async, "sent", bytes("1"), 1);
            async.poll();
            put(async, "staged", bytes("1"), 2);
            get(async, "read", 3);
            session.close();
            server.thaw();

            assertEquals(3, told.ends.size());
            assertEquals(
                WriteFate.UNKNOWN, assertInstanceOf(StoreClosedException.class, told.ends.get(1L)).writeFate());
            assertEquals(
                WriteFate.NOT_APPLIED, assertInstanceOf(StoreClosedException.class, told.ends.get(2L)).writeFate());
            assertEquals(WriteFate.NONE, assertInstanceOf(StoreClosedException.class, told.ends.get(3L)).writeFate());
            assertThrows(StoreClosedException.class, () -> get(async, "a", 4));
        }
    }

    @Tag("full")
    @Test
    void shouldEndAtTheDeadlineOfAStoppedServerAndGoOnAfterwards() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "2");
            StoreClient client =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(3)).build();
            StoreSession session = client.openSession())
        {
            session.put("there", "value");
            assertEquals("value", session.get("there"));
            final AsyncSession async = session.async(told);
            server.freeze();
            try
            {
                put(async, "a", bytes("1"), 1);
                async.poll();
                get(async, "there", 2);
                async.poll();
                assertArrayEquals(bytes("value"), (byte[])told.ends.get(2L));
                async.drain();
                assertEquals(
                    WriteFate.UNKNOWN, assertInstanceOf(StoreDeadlineException.class, told.ends.get(1L)).writeFate());

                put(async, "a", bytes("2"), 3);
                async.drain();
                assertEquals(WriteFate.NOT_APPLIED,
                    assertInstanceOf(StoreDeadlineException.class, told.ends.get(3L)).writeFate());
            }
            finally
            {
                server.thaw();
            }
            put(async, "a", bytes("3"), 4);
            async.drain();
            assertEquals(Told.PUT, told.ends.get(4L));
            assertEquals("3", session.get("a"));
            assertEquals(0, session.clientStatistics().reconnects());
        }
    }

    @Test
    void shouldTellEachFateWhenTheServerIsKilled() throws Exception
    {
        ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "2");
        try (StoreClient client =
            StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(30)).build();
            StoreSession session = client.openSession())
        {
            session.put("there", "value");
            final AsyncSession async = session.async(told);
            final String address = server.address();
            server.freeze();
            for (int i = 0; i < 10; i++)
            {
                put(async, "key-" + i, bytes("1"), i);
            }
            async.poll();
            put(async, "staged", bytes("1"), 10);
            get(async, "there", 11);
            server.kill();
            server.close();
            server = ServerProcess.startOn(address, "--memory", "64m", "--shards", "2");
            async.drain();

            assertEquals(12, told.ends.size());
            assertEquals(10, told.count(StoreDisconnectedException.class, WriteFate.UNKNOWN));
            assertEquals(WriteFate.NOT_APPLIED,
                assertInstanceOf(StoreDisconnectedException.class, told.ends.get(10L)).writeFate());
            put(async, "after", bytes("all"), 20);
            async.drain();
            assertEquals("all", session.get("after"));
            assertNull(session.get("key-1"));
        }
        finally
        {
            server.close();
        }
    }

    @Test
    void shouldDoEachWriteOnceHoweverOftenTheConnectionIsCut() throws Exception
    {
        try (TestStore store = new TestStore();
            CuttingProxy proxy = new CuttingProxy(store.server().address().getPort());
            StoreClient client = store.clientBuilder().server(proxy.address()).build();
            StoreSession session = client.openSession())
        {
            long puts = 0;
            try (Cutter cutter = new Cutter(proxy, 10, client))
            {
                cutter.start();
                final AsyncSession async = session.async(told);
                final List<byte[]> values = new ArrayList<>();
                while (session.clientStatistics().reconnects() < 20)
                {
                    told.ends.clear();
                    values.clear();
                    for (int i = 0; i < 100; i++)
                    {
                        values.add(bytes("value-" + puts + "-" + i));
                        put(async, "key-" + i, values.get(i), i);
                        get(async, "key-" + i, 1000 + i);
                    }
                    async.drain();
                    for (int i = 0; i < 100; i++)
                    {
                        assertEquals(Told.PUT, told.ends.get((long)i));
                        assertNotNull(told.ends.get(1000L + i));
                        get(async, "key-" + i, 2000 + i);
                    }
                    async.drain();
                    for (int i = 0; i < 100; i++)
                    {
                        assertArrayEquals(values.get(i), (byte[])told.ends.get(2000L + i));
                    }
                    puts += 100;
                }
            }
            try (StoreClient observer = store.client())
            {
                assertEquals(puts, puts(observer));
            }
        }
    }
}
