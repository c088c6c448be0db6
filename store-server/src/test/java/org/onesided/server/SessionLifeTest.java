package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.MemoryRegion;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionLifeTest
{
    private static final String KEY = "key";
    private static final long MEMORY = 128 << 20;
    /** Bytes that a heap which has grown may keep for itself beyond what it kept before. */
    private static final long KEPT_BY_GROWTH = MEMORY / 128;
    /** Longer than a busy machine lets a thread wait. */
    private static final long LEASE_NS = TimeUnit.MILLISECONDS.toNanos(1500);

    private final List<AutoCloseable> opened = new ArrayList<>();
    private StoreServer server;
    private TestClient client;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
        server.close();
    }

    @Test
    void shouldExecuteARequestOnceHoweverOftenItIsSent() throws IOException
    {
        start(new ServerOptions());
        client.sendPut(0, 1, KEY, bytes("first"));
        final TestClient.Write first = TestClient.write(client.answer());
        client.sendPut(0, 2, KEY, bytes("second"));
        final TestClient.Write second = TestClient.write(client.answer());
        assertNotEquals(first.version(), second.version());

        client.sendPut(0, 1, KEY, bytes("first"));
        assertEquals(first, TestClient.write(client.answer()));
        assertArrayEquals(bytes("second"), client.lookUp(KEY));
    }

    @Test
    void shouldAnswerAResumedSessionAsBefore() throws IOException
    {
        start(new ServerOptions().shards(2));
        final int shard = client.shardOf(KEY);
        client.sendPut(shard, 1, KEY, bytes("first"));
        final TestClient.Write first = TestClient.write(client.answer());
        final TestBootstrap.Welcome welcome = client.welcome();
        client.close();

        final TestClient other = opened(TestClient.connected(server));
        other.put(KEY, bytes("other"));
        final TestClient resumed = opened(TestClient.connected(server, welcome));
        assertTrue(resumed.welcome().isResumed());
        assertEquals(welcome.session(), resumed.welcome().session());
        resumed.sendPut(shard, 1, KEY, bytes("first"));
        assertEquals(first, TestClient.write(resumed.answer()));
        assertArrayEquals(bytes("other"), resumed.lookUp(KEY));
        resumed.sendPut(shard, 2, KEY, bytes("second"));
        assertEquals(Status.OK, TestClient.write(resumed.answer()).status());
        assertArrayEquals(bytes("second"), resumed.lookUp(KEY));
    }

    /** The sums are what it says, within bounds, and all that comes of it. */
    @Test
    void shouldBearAClientThatReportsNonsense() throws IOException
    {
        start(new ServerOptions());
        final TestBootstrap bootstrap = client.bootstrap();
        final SessionTotals honest = new SessionTotals(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
        bootstrap.heartbeat(honest);
        assertEquals(honest, bootstrap.totals());
        bootstrap.heartbeat(SessionTotals.NONE);
        assertEquals(honest, bootstrap.totals());
        bootstrap.oldHeartbeat();
        assertEquals(honest, bootstrap.totals());

        final long most = Long.MAX_VALUE;
        bootstrap.heartbeat(new SessionTotals(most, -1, most, -2, 5, 6, 7, 8, 9, 10, 11, 12, 13));
        assertEquals(new SessionTotals(most, 2, most, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), bootstrap.totals());
        final TestClient other = opened(TestClient.connected(server));
        other.bootstrap().heartbeat(honest);
        assertEquals(
            new SessionTotals(most, 4, most, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26), other.bootstrap().totals());
        assertEquals(Status.OK, client.put(KEY, bytes("value")).status());
    }

    @Test
    void shouldTakeASessionOverFromALivingConnection() throws IOException
    {
        start(new ServerOptions().shards(3));
        client.put(KEY, bytes("value"));
        final TestClient resumed = opened(TestClient.connected(server, client.welcome()));
        assertTrue(resumed.welcome().isResumed());
        assertTrue(client.bootstrap().goodbye().contains("resumed"));
        assertEquals(1, server.sessionCount());
        final int shard = resumed.shardOf(KEY);
        client.post(shard, 10);
        assertTrue(client.awaitFailure() != 0);
        resumed.sendPut(shard, 2, KEY, bytes("after"));
        assertEquals(Status.OK, TestClient.write(resumed.answer()).status());
    }

    @Test
    void shouldNotResumeWithoutTheSecretOrAfterGoodbye() throws IOException
    {
        start(new ServerOptions());
        final TestBootstrap.Welcome own = client.welcome();
        final TestBootstrap.Welcome forged = new TestBootstrap.Welcome(own.life(), own.session(), own.secretHigh(),
            own.secretLow() ^ 1, false, 1, 1, 1, 1);
        assertFalse(opened(TestClient.connected(server, forged)).welcome().isResumed());
        final TestBootstrap.Welcome otherLife = new TestBootstrap.Welcome(own.life() + 2, own.session(),
            own.secretHigh(), own.secretLow(), false, 1, 1, 1, 1);
        assertFalse(opened(TestClient.connected(server, otherLife)).welcome().isResumed());
        assertEquals(Status.OK, client.put(KEY, bytes("still there")).status());

        client.bootstrap().sayGoodbye();
        while (server.sessionCount() != 2)
        {
            Thread.yield();
        }
        assertFalse(opened(TestClient.connected(server, own)).welcome().isResumed());
    }

    @Test
    void shouldEndASessionWhoseRequestIsTooOldToKnow() throws IOException
    {
        start(new ServerOptions().credits(2));
        for (int i = 1; i <= 20; i++)
        {
            client.sendPut(0, i, KEY, bytes("value" + i));
            client.answer();
        }
        client.sendPut(0, 1, KEY, bytes("value1"));
        assertTrue(client.bootstrap().goodbye().contains("request id"));
        final TestClient other = opened(TestClient.connected(server, client.welcome()));
        assertFalse(other.welcome().isResumed());
        assertArrayEquals(bytes("value20"), other.lookUp(KEY));
    }

    @Test
    void shouldEndASessionWhoseLeaseRunsOutAndFreeWhatItBorrowed() throws IOException
    {
        start(new ServerOptions().leaseNs(LEASE_NS));
        final TestClient other = opened(TestClient.connected(server));
        final long used = other.stat(0).heapBytesUsed();
        client.putLarge(KEY, new byte[2 << 20]);
        assertEquals(2 << 20, client.get(KEY).length());
        other.delete(KEY);
        while (other.stat(0).sessions() == 2)
        {
            other.bootstrap().heartbeat();
            other.bootstrap().totals();
        }
        assertEquals("lease ran out", client.bootstrap().goodbye());
        while (isHeapMoreUsed(other, used))
        {
            Thread.yield();
        }
        assertFalse(opened(TestClient.connected(server, client.welcome())).welcome().isResumed());
    }

    @Tag("full")
    @Test
    void shouldKeepASessionThatSendsHeartbeatsOrRequestsOnly() throws IOException
    {
        start(new ServerOptions().leaseNs(LEASE_NS));
        final TestClient other = opened(TestClient.connected(server));
        final long end = System.nanoTime() + 2 * LEASE_NS;
        while (System.nanoTime() - end < 0)
        {
            // Who does not take the answers is cut off.
            client.bootstrap().heartbeat();
            client.bootstrap().totals();
            other.get(KEY);
        }
        assertEquals(2, server.sessionCount());
        assertEquals(Status.OK, client.put(KEY, bytes("value")).status());
    }

    @Test
    void shouldFreeWhatASessionLeftAmidAPull() throws IOException
    {
        start(new ServerOptions());
        final TestClient other = opened(TestClient.connected(server));
        final long used = other.stat(0).heapBytesUsed();
        for (int i = 0; i < 10; i++)
        {
            try (TestClient quitter = TestClient.connected(server))
            {
                final MemoryRegion large = quitter.lend(new byte[48 << 20]);
                quitter.sendPutLarge(0, 1, "large", large.range().address(), 48 << 20, large.remoteKey());
                TimeUnit.MILLISECONDS.sleep(i);
            }
            catch (final InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
        }
        // A value that was there as a whole when its session left is still stored.
        while (isHeapMoreUsed(other, used))
        {
            other.delete("large");
            Thread.yield();
        }
        assertNull(other.lookUp("large"));
    }

    @Test
    void shouldResumeAmidAPullAndStoreTheValue() throws IOException
    {
        start(new ServerOptions());
        final byte[] value = new byte[32 << 20];
        new Random(5).nextBytes(value);
        final MemoryRegion large = client.lend(value);
        client.sendPutLarge(0, 1, KEY, large.range().address(), value.length, large.remoteKey());

        final TestClient resumed = opened(TestClient.connected(server, client.welcome()));
        final MemoryRegion again = resumed.lend(value);
        resumed.sendPutLarge(0, 1, KEY, again.range().address(), value.length, again.remoteKey());
        final TestClient.Write write = TestClient.write(resumed.answer());
        assertEquals(Status.OK, write.status());
        assertArrayEquals(value, resumed.lookUp(KEY));
        resumed.sendPutLarge(0, 1, KEY, 0, 5, 0);
        assertEquals(write, TestClient.write(resumed.answer()));
        assertEquals(1, opened(TestClient.connected(server)).stat(0).puts());
    }

    @Test
    void shouldKeepTheOrderOfASessionsRequestsForAKeyThatIsPulled() throws IOException
    {
        start(new ServerOptions());
        final byte[] value = new byte[16 << 20];
        final MemoryRegion large = client.lend(value);
        client.sendPutLarge(0, 1, KEY, large.range().address(), value.length, large.remoteKey());
        client.sendPut(0, 2, "another key", bytes("overtakes"));
        client.sendPut(0, 3, KEY, bytes("later"));
        client.sendGet(0, 4, KEY);
        client.sendPutLarge(0, 1, KEY, large.range().address(), value.length, large.remoteKey());

        assertEquals(Status.OK, TestClient.write(client.answer()).status());
        final TestClient.Write pulled = TestClient.write(client.answer());
        final TestClient.Write later = TestClient.write(client.answer());
        assertTrue(later.version() > pulled.version());
        assertArrayEquals(bytes("later"), TestClient.got(client.answer()).value());
        assertEquals(pulled, TestClient.write(client.answer()));
        assertArrayEquals(bytes("later"), client.lookUp(KEY));
    }

    @Test
    void shouldPullManyValuesWithinItsLimit() throws IOException
    {
        start(new ServerOptions().pullLimit(3 << 20));
        final int length = 2 << 20;
        final MemoryRegion large = client.lend(new byte[length]);
        for (int i = 1; i <= 12; i++)
        {
            client.sendPutLarge(0, i, "large" + i, large.range().address(), length, large.remoteKey());
        }
        for (int i = 1; i <= 12; i++)
        {
            assertEquals(Status.OK, TestClient.write(client.answer()).status());
        }
        final TestClient other = opened(TestClient.connected(server));
        assertEquals(12L * length, other.stat(0).bytesPulled());
        assertEquals(12, other.stat(0).records());
    }

    @Test
    void shouldBoundWhatASessionBorrows() throws IOException
    {
        start(new ServerOptions().pullLimit(3 << 20));
        client.putLarge(KEY, new byte[2 << 20]);
        final TestClient.Got first = client.get(KEY);
        assertEquals(Status.OK, first.status());
        assertEquals(Status.BUSY, client.get(KEY).status());
        assertEquals(Status.OK, client.release(0, first.extent()));
        assertEquals(Status.OK, client.get(KEY).status());
    }

    private void start(final ServerOptions options) throws IOException
    {
        server = StoreServer.start(options.listenPort(0).memory(MEMORY));
        client = opened(TestClient.connected(server));
    }

    private static boolean isHeapMoreUsed(final TestClient client, final long used)
    {
        return client.stat(0).heapBytesUsed() > used + KEPT_BY_GROWTH;
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
