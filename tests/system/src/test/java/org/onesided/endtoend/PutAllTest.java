package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.ServerProcess;

@Timeout(300)
class PutAllTest
{
    private static List<byte[]> keys(final int count)
    {
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            keys.add(bytes("key-" + i));
        }
        return keys;
    }

    private static long puts(final StoreClient client)
    {
        return client.statistics().stream().mapToLong(ShardStatistics::puts).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16})
    void shouldPutWhatAModelSays(final int credits)
    {
        final Random random = new Random(credits);
        try (TestStore store = new TestStore(TestStore.options().shards(3).credits(credits));
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final Map<String, byte[]> model = new HashMap<>();
            int pairs = 0;
            for (int batch = 0; batch < 20; batch++)
            {
                final List<byte[]> keys = new ArrayList<>();
                final List<byte[]> values = new ArrayList<>();
                final int size = random.nextInt(200);
                for (int i = 0; i < size; i++)
                {
                    // Keys come more than once in a batch: the last one counts. Some values are longer than a message.
                    final String key = "key-" + random.nextInt(150);
                    final byte[] value = new byte[random.nextInt(40) == 0 ? 30_000 : random.nextInt(300)];
                    random.nextBytes(value);
                    keys.add(bytes(key));
                    values.add(value);
                    model.put(key, value);
                }
                session.putAll(keys, values);
                pairs += size;
            }
            model.forEach((key, value) -> assertArrayEquals(value, client.get(bytes(key)), key));
            assertEquals(pairs, puts(client));
            assertEquals(pairs, session.clientStatistics().puts());
            assertEquals(0, session.clientStatistics().reconnects());
        }
    }

    @Test
    void shouldPutAMapOfTexts()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            final Map<String, String> pairs = new LinkedHashMap<>();
            pairs.put("a", "1");
            pairs.put("b", "zwölf");
            client.putAll(pairs);
            client.putAll(Map.of());

            assertEquals("1", client.get("a"));
            assertEquals("zwölf", client.get("b"));
        }
    }

    @Test
    void shouldKnowAfterwardsWhereTheRecordsAre()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            // So few that no chain has two buckets: an answer does not tell where the second one is.
            final List<byte[]> keys = keys(64);
            session.putAll(keys, keys);
            session.getAll(keys);

            assertEquals(64, session.clientStatistics().mirrorHits());
            assertEquals(0, session.clientStatistics().bucketReads());
        }
    }

    @Test
    void shouldRefuseWrongBatchesBeforeAnythingIsPut()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            assertThrows(IllegalArgumentException.class, () -> client.putAll(keys(2), keys(1)));
            final StoreLimitException noKey = assertThrows(StoreLimitException.class, () ->
                client.putAll(List.of(bytes("a"), new byte[0]), keys(2)));
            assertTrue(noKey.getMessage().contains("bytes: length=0 index=1 "), noKey.getMessage());
            final StoreLimitException longValue = assertThrows(StoreLimitException.class, () ->
                client.putAll(keys(2), List.of(bytes("a"), new byte[client.server().maxValueLength() + 1])));
            assertTrue(longValue.getMessage().contains(" index=1 "), longValue.getMessage());
            assertThrows(NullPointerException.class, () ->
                client.putAll(keys(1), new ArrayList<>(Collections.singletonList(null))));
            assertEquals(0, puts(client));
        }
    }

    @Test
    void shouldTellWhatWasPutWhenTheStoreIsFull()
    {
        try (TestStore store = new TestStore(TestStore.options().memory(4 << 20)); StoreClient client = store.client())
        {
            final int count = 2000;
            final List<byte[]> values = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                values.add(TestStore.randomBytes(i % 100 == 99 ? 100_000 : 4000, i));
            }
            final StoreBatchException thrown =
                assertThrows(StoreBatchException.class, () -> client.putAll(keys(count), values));

            assertInstanceOf(StoreFullException.class, thrown.getCause());
            assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
            assertEquals(count, thrown.size());
            assertEquals(0, thrown.count(WriteFate.UNKNOWN));
            assertTrue(thrown.count(WriteFate.APPLIED) > 100, thrown.getMessage());
            for (int i = 0; i < count; i++)
            {
                assertArrayEquals(
                    thrown.fate(i) == WriteFate.APPLIED ? values.get(i) : null, client.get(bytes("key-" + i)), "" + i);
            }
        }
    }

    @Test
    void shouldDoEachPutOnceHoweverOftenTheConnectionIsCut() throws Exception
    {
        try (TestStore store = new TestStore();
            CuttingProxy proxy = new CuttingProxy(store.server().address().getPort());
            StoreClient client = store.clientBuilder().server(proxy.address()).build();
            StoreSession session = client.openSession())
        {
            int puts = 0;
            try (Cutter cutter = new Cutter(proxy, 10, client))
            {
                cutter.start();
                final List<byte[]> keys = keys(200);
                for (int round = 0; session.clientStatistics().reconnects() < 20; round++)
                {
                    final List<byte[]> values = new ArrayList<>();
                    for (int i = 0; i < keys.size(); i++)
                    {
                        values.add(bytes("value-" + round + "-" + i));
                    }
                    session.putAll(keys, values);
                    puts += keys.size();
                    final List<byte[]> found = session.getAll(keys);
                    for (int i = 0; i < keys.size(); i++)
                    {
                        assertArrayEquals(values.get(i), found.get(i));
                    }
                }
            }
            try (StoreClient observer = store.client())
            {
                assertEquals(puts, puts(observer));
            }
        }
    }

    @Tag("full")
    @Test
    void shouldEndAtTheDeadlineOfAStoppedServerAndGoOnAfterwards() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "2");
            StoreClient client =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(20)).build();
            StoreClient hasty =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(3)).build();
            StoreSession session = hasty.openSession())
        {
            final int count = 100;
            session.putAll(keys(10), keys(10));
            server.freeze();
            final int sent;
            try
            {
                final StoreBatchException thrown =
                    assertThrows(StoreBatchException.class, () -> session.putAll(keys(count), keys(count)));
                assertInstanceOf(StoreDeadlineException.class, thrown.getCause());
                sent = thrown.count(WriteFate.UNKNOWN);
                assertTrue(sent >= hasty.server().credits(), thrown.getMessage());
                assertEquals(count - sent, thrown.count(WriteFate.NOT_APPLIED));

                final StoreBatchException again =
                    assertThrows(StoreBatchException.class, () -> session.putAll(keys(count), keys(count)));
                assertEquals(count, again.count(WriteFate.NOT_APPLIED));
                assertEquals("key-3", session.get("key-3"));
                assertEquals(0, session.clientStatistics().reconnects());
            }
            finally
            {
                server.thaw();
            }
            client.put("after", "all");
            session.putAll(keys(count), keys(count));
            assertEquals(0, session.clientStatistics().reconnects());
            assertEquals(10 + sent + 1 + count, puts(client));
        }
    }

    @Tag("full")
    @Test
    void shouldTellEachFateWhenTheServerIsKilledInTheMidst() throws Exception
    {
        ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "2");
        try (StoreClient client =
            StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(30)).build())
        {
            final int count = 100_000;
            final List<byte[]> keys = keys(count);
            client.put("warm", "up");
            final CountDownLatch begun = new CountDownLatch(1);
            final StoreBatchException[] caught = {null};
            final Thread putter = new Thread(() ->
            {
                begun.countDown();
                caught[0] = assertThrows(StoreBatchException.class, () ->
                {
                    while (true)
                    {
                        client.putAll(keys, keys);
                    }
                });
            });
            putter.start();
            begun.await();
            pause(300);
            final String address = server.address();
            server.kill();
            server.close();
            server = ServerProcess.startOn(address, "--memory", "64m", "--shards", "2");
            putter.join();

            assertInstanceOf(StoreDisconnectedException.class, caught[0].getCause());
            assertTrue(caught[0].count(WriteFate.UNKNOWN) > 0, caught[0].getMessage());
            // The table is another one, and nothing that was not answered came to it.
            for (int i = 0; i < count; i++)
            {
                if (caught[0].fate(i) != WriteFate.APPLIED)
                {
                    assertNull(client.get(keys.get(i)));
                }
            }
            client.putAll(keys.subList(0, 1000), keys.subList(0, 1000));
            assertEquals("key-999", client.get("key-999"));
        }
        finally
        {
            server.close();
        }
    }

    private static void pause(final long durationMs)
    {
        try
        {
            Thread.sleep(durationMs);
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTryNoOtherPairOnceTheServerIsGone() throws IOException
    {
        final int count = 5000;
        final AtomicInteger connects = new AtomicInteger();
        try (TestStore store = new TestStore();
            StoreClient client = store.clientBuilder().deadline(Duration.ofSeconds(1)).build();
            StoreSession session = client.openSession())
        {
            session.put("a", "1");
            final int port = store.server().address().getPort();
            store.server().close();
            try (ServerSocket successor = new ServerSocket(port, 50, InetAddress.getLoopbackAddress()))
            {
                final Thread acceptor = new Thread(() -> hangUp(successor, connects), "test-acceptor");
                acceptor.start();
                final StoreBatchException failed =
                    assertThrows(StoreBatchException.class, () -> session.putAll(keys(count), keys(count)));
                assertEquals(0, failed.count(WriteFate.APPLIED));
            }
            assertTrue(connects.get() < count / 10, "connects=" + connects);
        }
    }

    private static void hangUp(final ServerSocket successor, final AtomicInteger connects)
    {
        try
        {
            while (true)
            {
                successor.accept().close();
                connects.incrementAndGet();
            }
        }
        catch (final IOException e)
        {
            // The test is over.
        }
    }
}
