package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ClusterState;
import org.onesided.client.types.EntryConsumer;
import org.onesided.testing.HangGuard;

/**
 * Leases in a cluster of three, counted by clients and by members. Sizes are settings, to measure more.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterLeasesTest
{
    /** So long that a session that has to wait for a core is no reason to ask. */
    private static final String LEASE = System.getProperty("leases.length", "4s");
    private static final int SESSIONS = Integer.getInteger("leases.sessions", 32);
    private static final long RUN_MS = Integer.getInteger("leases.milliseconds", 9_000);
    private static final int MOST_RUNS = 5;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Duration DEADLINE = Duration.ofSeconds(HangGuard.seconds(240));

    private KvctlMembers members;

    @BeforeAll
    void form(@TempDir final Path directory) throws Exception
    {
        members = new KvctlMembers(directory);
        members.startAll();
        assertEquals(0, KvctlMembers.create("--partitions", "1", "--lease", LEASE,
            members.address(0), members.address(1), members.address(2)).exitCode());
        members.awaitReady();
        members.awaitServed();
    }

    @AfterAll
    void end() throws Exception
    {
        members.close();
    }

    private StoreClient client()
    {
        return StoreClient.builder().server(String.join(",", members.addresses())).deadline(DEADLINE)
            .maxSessions(SESSIONS).build();
    }

    /** Of the leader that serves. On a busy machine there may be none for a moment. */
    private ClusterState.Reign reign() throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(240));
        while (true)
        {
            for (final String address : members.addresses())
            {
                final ClusterState.Reign reign = StoreClient.builder().server(address).deadline(DEADLINE)
                    .clusterState().partitions().get(0).reign();
                if (reign != null && reign.stage() == ClusterState.Stage.SERVES)
                {
                    return reign;
                }
            }
            assertTrue(System.nanoTime() - endNs < 0, "nobody leads and serves");
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Without sharing, each session asks for its own: once at the begin, and twice in the length of a lease. */
    @Test
    void shouldAskForTheLeasesOfAllSessionsByOneRequest() throws Exception
    {
        try (StoreClient client = client())
        {
            client.put("key", "value");
            assertEquals("value", client.get("key"));
            long requests = countRequests(client);
            // A leader that is slow to answer is asked by all: on a busy machine that may be, but not in each run.
            for (int i = 1; i < MOST_RUNS && requests >= 2 * SESSIONS; i++)
            {
                requests = countRequests(client);
            }
            assertTrue(requests < 2 * SESSIONS, "requests=" + requests + " sessions=" + SESSIONS);
            assertTrue(requests >= 2, "the lease was renewed: requests=" + requests);
        }
    }

    /** Requests for leases that the client sends in a run in which all its sessions look up. */
    private long countRequests(final StoreClient client) throws InterruptedException
    {
        final ClusterState.Reign before = reign();
        final ClientStatistics counted = client.clientStatistics();
        visitAtOnce(client, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RUN_MS));
        final ClientStatistics now = client.clientStatistics();
        // One that has just begun to lead, as a busy machine may have it, has been asked for no lease before.
        assertEquals("value", client.get("key"));
        final ClusterState.Reign after = reign();
        final long sessions = client.statistics().get(0).sessions();
        final long requests = now.leaseRequests() - counted.leaseRequests();
        System.out.println("leases: sessions=" + sessions + " length=" + LEASE + " milliseconds=" + RUN_MS +
            " requests=" + requests + " granted=" + (after.granted() - before.granted()) + " proofs=" +
            (after.proofs() - before.proofs()) + " restarts=" + now.leaseRestarts());
        assertTrue(sessions >= SESSIONS, "sessions=" + sessions);
        assertTrue(after.held() >= 1 && after.held() <= sessions, after.toString());
        return requests;
    }

    /** Scans by as many threads until a time, each of which holds a session while all do. */
    private static void visitAtOnce(final StoreClient client, final long endNs) throws InterruptedException
    {
        final AtomicBoolean isOver = new AtomicBoolean();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final CyclicBarrier all = new CyclicBarrier(SESSIONS, () -> isOver.set(System.nanoTime() - endNs >= 0));
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++)
        {
            final Thread thread = new Thread(() ->
            {
                while (!isOver.get())
                {
                    // A scan whose lease ends may pass a key again.
                    final AtomicBoolean isPassed = new AtomicBoolean();
                    scan(client, (key, value) -> await(all, isPassed));
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }, "scans " + i);
            thread.setUncaughtExceptionHandler((of, thrown) -> failure.compareAndSet(null, thrown));
            thread.start();
            threads.add(thread);
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        if (failure.get() != null)
        {
            throw new AssertionError(failure.get());
        }
    }

    private static void scan(final StoreClient client, final EntryConsumer consumer)
    {
        try
        {
            client.scan("key", consumer);
        }
        catch (final StoreDisconnectedException e)
        {
            // Leaders change on a busy machine, and then a scan is to be started again, as the caller does.
            assertTrue(e.getMessage().contains("start the scan again"), e.getMessage());
        }
    }

    private static void await(final CyclicBarrier all, final AtomicBoolean isPassed)
    {
        try
        {
            if (!isPassed.getAndSet(true))
            {
                all.await(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            }
        }
        catch (final InterruptedException | BrokenBarrierException | TimeoutException e)
        {
            throw new IllegalStateException("another thread failed", e);
        }
    }

    @Test
    void shouldTellOfLeasesAndRoom() throws Exception
    {
        try (StoreClient client = client())
        {
            assertNull(client.get("absent"));
            final String json = KvctlMembers.awaitServed("-o", "json", members.address(0));
            assertTrue(json.contains("\"state\":\"serves\",\"rest_ms\":0,\"leases_held\":"), json);
            assertTrue(json.contains("\"disk_free\":"), json);
            final String table = KvctlMembers.awaitServed(members.address(0));
            assertTrue(table.contains("serves") && table.contains("disk free"), table);
        }
    }
}
