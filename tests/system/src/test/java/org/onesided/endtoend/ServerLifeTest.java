package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.ServerInfo;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.protocol.bootstrap.Token;

class ServerLifeTest
{
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldReconnectToANewLifeAndTellOnce(final String device)
    {
        final List<ServerInfo> lives = new CopyOnWriteArrayList<>();
        try (TestStore store = new TestStore(device);
            StoreClient client = store.clientBuilder()
                .onServerLife((before, now) ->
                {
                    lives.add(before);
                    lives.add(now);
                })
                .build();
            StoreSession session = client.openSession())
        {
            client.put("key", "value");
            final ServerInfo before = client.server();
            store.restart();

            assertNull(client.get("key"));
            assertNull(session.get("key"));
            client.put("key", "other");
            assertEquals("other", session.get("key"));
            assertEquals(2, lives.size());
            assertEquals(before, lives.get(0));
            assertNotEquals(before.serverLife(), lives.get(1).serverLife());
            assertNotEquals(before.tableId(), lives.get(1).tableId());
            assertEquals(client.server(), lives.get(1));
            assertTrue(client.clientStatistics().reconnects() >= 2);
        }
    }

    @Tag("full")
    @Test
    void shouldSayThatTheServerDidNotComeBack()
    {
        try (TestStore store = new TestStore();
            StoreClient client = store.clientBuilder().deadline(Duration.ofSeconds(2)).build())
        {
            client.put("key", "value");
            store.server().close();

            assertThrows(StoreDisconnectedException.class, () -> client.get("key"));
            final StoreDisconnectedException thrown =
                assertThrows(StoreDisconnectedException.class, () -> client.put("key", "other"));
            assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
            assertEquals("key", thrown.key());
            assertEquals(client.server().address(), thrown.server());
        }
    }

    @Test
    void shouldSayThatNobodyListens()
    {
        final int port = FreePorts.take();
        final StoreConnectException thrown = assertThrows(
            StoreConnectException.class, () -> StoreClient.builder().server("127.0.0.1:" + port).build());
        assertTrue(thrown.getMessage().startsWith("nothing listens there"), thrown.getMessage());
        assertEquals("127.0.0.1:" + port, thrown.server());
    }

    @Test
    void shouldSayThatThereIsNoSuchDevice()
    {
        final StoreConnectException thrown = assertThrows(
            StoreConnectException.class, () -> StoreClient.builder().device("pigeon").build());
        assertTrue(thrown.getMessage().contains("pigeon"), thrown.getMessage());
    }

    @Test
    void shouldBeLetInWithTheTokenOnly()
    {
        try (TestStore store = new TestStore(TestStore.options().token(Token.of("sesame"))))
        {
            for (final String wrong : List.of("", "open", "sesame2"))
            {
                final StoreAccessException thrown = assertThrows(StoreAccessException.class, () ->
                    store.clientBuilder().token(TestStore.bytes(wrong)).build());
                assertFalse(thrown.getMessage().contains("sesame"), thrown.getMessage());
            }
            try (StoreClient client = store.clientBuilder().token(TestStore.bytes("sesame")).build())
            {
                client.put("key", "value");
                assertEquals("value", client.get("key"));
            }
        }
    }

    @Test
    void shouldSayThatTheStoreIsFullAndLoseNothing()
    {
        try (TestStore store = new TestStore(TestStore.options().memory(4L << 20).shards(1));
            StoreClient client = store.client())
        {
            final byte[] value = TestStore.randomBytes(100_000, 1);
            int count = 0;
            StoreFullException thrown = null;
            while (thrown == null)
            {
                try
                {
                    client.put(TestStore.bytes("key-" + count), value);
                    count++;
                }
                catch (final StoreFullException e)
                {
                    thrown = e;
                }
            }
            assertEquals(WriteFate.NOT_APPLIED, thrown.writeFate());
            assertTrue(thrown.getMessage().contains("--evict"), thrown.getMessage());
            assertTrue(count > 10, "count=" + count);
            for (int i = 0; i < count; i++)
            {
                assertTrue(client.contains(TestStore.bytes("key-" + i)));
            }
            assertTrue(client.delete(TestStore.bytes("key-0")));
            client.put("small", "fits");
        }
    }

    @Test
    void shouldTellTheServersCounters()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            for (int i = 0; i < 100; i++)
            {
                client.put("key-" + i, "value");
            }
            client.put("key-0", "other");
            client.delete("key-1");
            final var shards = client.statistics();

            assertEquals(2, shards.size());
            assertEquals(99, shards.stream().mapToLong(shard -> shard.records()).sum());
            assertEquals(101, shards.stream().mapToLong(shard -> shard.puts()).sum());
            assertEquals(1, shards.stream().mapToLong(shard -> shard.putsInPlace()).sum());
            assertEquals(1, shards.stream().mapToLong(shard -> shard.deletes()).sum());
            assertTrue(shards.stream().allMatch(shard -> shard.records() > 20));
        }
    }
}
