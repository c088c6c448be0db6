package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.server.session.SessionMetrics;

/** The memory of split buckets goes back when all sessions have confirmed that, and not before. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReleaseConfirmationTest
{
    /** Segments of such a memory are short. */
    private static final long MEMORY = 4 << 20;
    private static final long LONG_LEASE_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long SHORT_LEASE_NS = TimeUnit.MILLISECONDS.toNanos(1500);
    /** As long as a release takes many times over. */
    private static final long A_WHILE_MS = 300;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private StoreServer server;
    private TestClient client;
    private int keys;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(opened);
        server.close();
    }

    private void start(final long leaseNs) throws IOException
    {
        server = StoreServer.start(new ServerOptions().listenHost("127.0.0.1").listenPort(0).device("shm").shards(1)
            .memory(MEMORY).leaseNs(leaseNs));
        client = opened(TestClient.connected(server));
    }

    private <T extends AutoCloseable> T opened(final T made)
    {
        opened.add(0, made);
        return made;
    }

    /** Puts keys until memory is retired. */
    private void grow(final TestClient by)
    {
        final long before = memory().retired() + memory().released();
        while (memory().retired() + memory().released() < before + (128 << 10))
        {
            for (int i = 0; i < 500; i++, keys++)
            {
                assertEquals(Status.OK, by.put("key" + keys, ("value" + keys).getBytes(UTF_8)).status());
            }
        }
    }

    private MemoryMetrics memory()
    {
        return server.metrics().memory();
    }

    private void awaitRelease(final long before) throws InterruptedException
    {
        while (memory().released() == before)
        {
            Thread.sleep(1);
        }
    }

    private void assertNothingGoes() throws InterruptedException
    {
        final long before = memory().released();
        Thread.sleep(A_WHILE_MS);
        assertEquals(before, memory().released());
    }

    /** A slow machine may hide a release that comes too early, and never makes one. */
    @Test
    void shouldGiveNothingBackBeforeAllHaveConfirmed() throws IOException, InterruptedException
    {
        start(LONG_LEASE_NS);
        final TestClient other = opened(TestClient.connected(server));
        grow(client);
        final long epoch = client.bootstrap().retired();
        assertEquals(epoch, other.bootstrap().retired());
        assertNothingGoes();
        client.bootstrap().confirm(epoch);
        assertNothingGoes();
        assertEquals(0, memory().released());
        other.bootstrap().confirm(epoch);
        awaitRelease(0);

        assertTrue(memory().committed() < memory().limit());
        for (int i = 0; i < keys; i += 13)
        {
            assertArrayEquals(("value" + i).getBytes(UTF_8), client.get("key" + i).value());
            assertArrayEquals(("value" + i).getBytes(UTF_8), other.lookUp("key" + i));
        }
        assertEquals(0, server.metrics().sessions().cutOff());
    }

    @Test
    void shouldNotWaitForOneThatAttachesMeanwhileNorForOneThatEnds() throws IOException, InterruptedException
    {
        start(LONG_LEASE_NS);
        final TestClient other = opened(TestClient.connected(server));
        grow(client);
        final long epoch = client.bootstrap().retired();
        // It READs a superblock that tells of what is retired.
        final TestClient late = opened(TestClient.connected(server));
        assertEquals(epoch, late.bootstrap().releaseEpoch());
        client.bootstrap().confirm(epoch);
        // Its queue pairs vanish.
        other.close();
        awaitRelease(0);
        assertArrayEquals("value1".getBytes(UTF_8), late.lookUp("key1"));

        // What is retired next, both are asked for.
        grow(late);
        final long before = memory().released();
        final long next = late.bootstrap().retired();
        assertEquals(next, client.bootstrap().retired());
        client.bootstrap().confirm(next);
        late.bootstrap().confirm(next);
        awaitRelease(before);
    }

    @Test
    void shouldAskAResumedSessionForNothingThatWasRetiredBefore() throws IOException, InterruptedException
    {
        start(LONG_LEASE_NS);
        final TestClient other = opened(TestClient.connected(server));
        grow(client);
        final long epoch = other.bootstrap().retired();
        final TestBootstrap.Welcome welcome = client.welcome();
        client.close();
        final TestClient resumed = opened(TestClient.connected(server, welcome));
        assertTrue(resumed.welcome().isResumed());
        assertEquals(epoch, resumed.bootstrap().releaseEpoch());
        other.bootstrap().confirm(epoch);
        awaitRelease(0);
        assertArrayEquals("value1".getBytes(UTF_8), resumed.lookUp("key1"));
    }

    @Test
    void shouldCutOffASessionThatBeatsAndDoesNotConfirmForALease() throws IOException, InterruptedException
    {
        start(SHORT_LEASE_NS);
        grow(client);
        final TestBootstrap.Welcome welcome = client.welcome();
        while (server.metrics().sessions().cutOff() == 0)
        {
            client.bootstrap().heartbeat();
            Thread.sleep(100);
        }
        awaitRelease(0);
        assertTrue(client.bootstrap().goodbye().contains("did not confirm"));
        assertEquals(0, server.metrics().sessions().expired());
        // It lost its queue pairs, but is still a session.
        final TestClient resumed = opened(TestClient.connected(server, welcome));
        assertTrue(resumed.welcome().isResumed());
        assertArrayEquals("value1".getBytes(UTF_8), resumed.lookUp("key1"));
    }

    @Test
    void shouldGiveMemoryBackOfWhichASilentSessionKnowsNothing() throws IOException, InterruptedException
    {
        start(SHORT_LEASE_NS);
        grow(client);
        awaitRelease(0);
        // It is cut off, or its lease runs out, whichever is seen first. One that is cut off is a session still.
        final SessionMetrics sessions = server.metrics().sessions();
        assertTrue(sessions.cutOff() + sessions.expired() >= 1, sessions.toString());
        assertTrue(sessions.cutOff() <= 1 && sessions.expired() <= 1, sessions.toString());
    }

    /** Its heartbeats are stuck, and its writes are not. They count also when the queue pairs are gone. */
    @Test
    void shouldKeepASessionThatWroteUntilItWasCutOff() throws IOException, InterruptedException
    {
        start(SHORT_LEASE_NS);
        grow(client);
        final TestBootstrap.Welcome welcome = client.welcome();
        while (server.metrics().sessions().cutOff() == 0)
        {
            tryPut();
            Thread.sleep(10);
        }
        awaitRelease(0);
        // Leases are looked at some times meanwhile.
        Thread.sleep(A_WHILE_MS);
        assertEquals(0, server.metrics().sessions().expired());
        assertTrue(opened(TestClient.connected(server, welcome)).welcome().isResumed());
    }

    private void tryPut() throws IOException
    {
        try
        {
            client.put("key0", "value0".getBytes(UTF_8));
        }
        catch (final IllegalStateException e)
        {
            assertTrue(server.metrics().sessions().cutOff() > 0, e.toString());
        }
    }

    @Test
    void shouldEndASessionThatConfirmsWhatWasNotAnnounced() throws IOException
    {
        start(LONG_LEASE_NS);
        client.bootstrap().confirm(1);
        assertTrue(client.bootstrap().goodbye().contains("confirmation of nothing that was announced"));
        final TestClient other = opened(TestClient.connected(server));
        grow(other);
        other.bootstrap().confirm(other.bootstrap().retired());
        other.bootstrap().confirm(1);
        assertTrue(other.bootstrap().goodbye().contains("confirmation of nothing that was announced"));
    }
}
