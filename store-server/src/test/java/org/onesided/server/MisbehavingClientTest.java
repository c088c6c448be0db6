package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.MemoryRegion;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MisbehavingClientTest
{
    private static final int SHARDS = 2;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private StoreServer server;
    private TestClient bystander;
    private TestClient client;

    @BeforeEach
    void start() throws IOException
    {
        // These clients give no sign of life of their own, however long a test takes.
        server = StoreServer.start(new ServerOptions().listenPort(0).memory(64 << 20).memoryInitial(64 << 20)
            .shards(SHARDS).leaseNs(TimeUnit.MINUTES.toNanos(5)));
        bystander = opened(TestClient.connected(server));
        client = opened(TestClient.connected(server));
    }

    @AfterEach
    void close()
    {
        try
        {
            assertEquals(Status.OK, bystander.put("bystander", bytes("unharmed")).status());
            assertArrayEquals(bytes("unharmed"), bystander.lookUp("bystander"));
        }
        finally
        {
            CloseHelper.closeAll(opened);
            server.close();
        }
    }

    @Test
    void shouldEndASessionThatSendsGarbage() throws IOException
    {
        final UnsafeBuffer message = client.outgoing();
        final byte[] garbage = new byte[100];
        new Random(3).nextBytes(garbage);
        message.putBytes(0, garbage);
        client.send(0, garbage.length);
        assertTrue(client.bootstrap().goodbye().contains("malformed request"));
        awaitSessions(1);
    }

    @Test
    void shouldEndASessionThatSendsAnEmptyMessage() throws IOException
    {
        client.send(0, 0);
        assertTrue(client.bootstrap().goodbye().contains("malformed request"));
    }

    @Test
    void shouldEndASessionWhoseMessageIsTooLong() throws IOException
    {
        client.send(0, client.welcome().messageLength() + 1);
        assertTrue(client.bootstrap().goodbye().contains("LOC_LEN_ERR"));
    }

    @Test
    void shouldSurviveRandomChangesOfAPut() throws IOException
    {
        final Random random = new Random(11);
        for (int i = 0; i < 30; i++)
        {
            try (TestClient hostile = TestClient.connected(server))
            {
                for (int k = 0; k < 20; k++)
                {
                    hostile.sendPut(0, 1, "key", bytes("value"));
                    final UnsafeBuffer message = hostile.outgoing();
                    for (int n = random.nextInt(4); n >= 0; n--)
                    {
                        message.putByte(random.nextInt(34), (byte)random.nextInt());
                    }
                    hostile.post(0, 30 + random.nextInt(8));
                }
                hostile.bootstrap().sayGoodbye();
            }
        }
        awaitSessions(2);
    }

    @Test
    void shouldRefuseKeysAndValuesBeyondTheLimits()
    {
        assertEquals(Status.INVALID, client.put("", bytes("value")).status());
        final String tooLong = "k".repeat(4097);
        assertEquals(Status.INVALID, client.put(tooLong, bytes("value")).status());
        assertEquals(Status.INVALID, client.get(tooLong).status());
        assertEquals(Status.INVALID, client.delete(tooLong).status());
        assertEquals(Status.OK, client.put("k".repeat(4096), bytes("value")).status());

        client.sendPutLarge(0, client.nextId(0), keyOf(0), 0, (64L << 20) + 1, 0);
        assertEquals(Status.INVALID, TestClient.write(client.answer()).status());
        client.sendPutLarge(0, client.nextId(0), keyOf(0), 0, 0xFFFF_FFFFL, 0);
        assertEquals(Status.INVALID, TestClient.write(client.answer()).status());
    }

    @Test
    void shouldRefuseAKeyOfAnotherShard()
    {
        final String key = keyOf(1);
        client.sendPut(0, client.nextId(0), key, bytes("value"));
        assertEquals(Status.INVALID, TestClient.write(client.answer()).status());
        assertNull(client.lookUp(key));
        assertEquals(0, client.stat(0).records());
    }

    @Test
    void shouldReportAStoreThatIsFull()
    {
        final int length = 60 << 20;
        final MemoryRegion large = client.lend(new byte[length]);
        Status status = Status.OK;
        int stored = 0;
        for (; status == Status.OK; stored++)
        {
            client.sendPutLarge(
                0, client.nextId(0), keyOf(0, stored), large.range().address(), length, large.remoteKey());
            status = TestClient.write(client.answer()).status();
        }
        assertEquals(Status.STORE_FULL, status);
        assertNull(client.lookUp(keyOf(0, stored - 1)));
        assertEquals(stored - 1, client.stat(0).records());
        assertEquals(1, client.stat(0).refused());
    }

    @Test
    void shouldNotTakeMoreThanTheCredits()
    {
        // What concerns the key of a pull waits and holds its receive, so that no more can come in. Should this thread
        // be so slow that the pull is over before the flood, it tries again.
        final int length = 48 << 20;
        final int flood = 3 * client.welcome().credits();
        final String key = keyOf(0);
        final MemoryRegion large = client.lend(new byte[length]);
        while (client.failure() == 0)
        {
            client.sendPutLarge(
                0, client.nextId(0), key, large.range().address(), length, large.remoteKey());
            client.sendGet(0, client.nextId(0), key);
            for (int i = 0; i < flood; i++)
            {
                client.post(0, 8 + 8 + 2 + key.length());
            }
            for (int answers = 0; answers < flood + 2 && client.failure() == 0;)
            {
                if (client.hasAnswer())
                {
                    client.answer();
                    answers++;
                }
            }
        }
        assertEquals(CompletionStatus.RNR_RETRY_EXC_ERR, client.failure());
    }

    @Test
    void shouldEndASessionWhoseRequestIdsMakeNoSense() throws IOException
    {
        for (final long id : new long[]{0, -1, 1_000_000, Long.MAX_VALUE})
        {
            final TestClient hostile = opened(TestClient.connected(server));
            hostile.sendPut(0, id, keyOf(0), bytes("value"));
            assertTrue(hostile.bootstrap().goodbye().contains("request id"));
        }
        assertNull(bystander.lookUp(keyOf(0)));
        awaitSessions(2);
    }

    @Test
    void shouldEndASessionWhoseBufferCannotBeRead() throws IOException
    {
        final long used = bystander.stat(0).heapBytesUsed();
        final MemoryRegion large = client.lend(new byte[100_000]);
        client.sendPutLarge(0, 1, keyOf(0), large.range().address(), 200_000, large.remoteKey());
        assertTrue(client.bootstrap().goodbye().contains("queue pair failed"));
        assertNull(bystander.lookUp(keyOf(0)));
        while (bystander.stat(0).heapBytesUsed() != used)
        {
            Thread.yield();
        }

        // Asked again over another connection, it says why.
        final TestClient resumed = opened(TestClient.connected(server, client.welcome()));
        assertTrue(resumed.welcome().isResumed());
        resumed.sendPutLarge(0, 1, keyOf(0), large.range().address(), 200_000, large.remoteKey());
        assertEquals(Status.PULL_FAILED, TestClient.write(resumed.answer()).status());
    }

    private String keyOf(final int shard)
    {
        return keyOf(shard, 0);
    }

    private String keyOf(final int shard, final int number)
    {
        int i = 0;
        while (bystander.shardOf("key" + number + "-" + i) != shard)
        {
            i++;
        }
        return "key" + number + "-" + i;
    }

    private void awaitSessions(final int count)
    {
        while (server.sessionCount() != count)
        {
            Thread.yield();
        }
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(UTF_8);
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }
}
