package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;
import org.onesided.testing.HangGuard;

/**
 * The library on a cluster of three.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoreOnClusterTest
{
    private static final int COUNT = 1_000;
    /** More than a message. */
    private static final int LONG = 100_000;
    private static final Duration DEADLINE = Duration.ofSeconds(HangGuard.seconds(240));

    private KvctlMembers members;
    private StoreClient client;

    @BeforeAll
    void form(@TempDir final Path directory) throws Exception
    {
        members = new KvctlMembers(directory);
        members.startAll();
        assertEquals(0, KvctlMembers.create("--partitions", "4", "--lease", "500ms",
            members.address(0), members.address(1), members.address(2)).exitCode());
        members.awaitReady();
        members.awaitServed();
    }

    @AfterAll
    void end() throws Exception
    {
        members.close();
    }

    @BeforeEach
    void connect()
    {
        client = StoreClient.builder().server(String.join(",", members.addresses())).deadline(DEADLINE).build();
    }

    @AfterEach
    void close()
    {
        client.close();
    }

    private static List<byte[]> all(final String prefix, final int count)
    {
        final List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            all.add((prefix + i).getBytes(UTF_8));
        }
        return all;
    }

    private static void assertSame(final List<byte[]> expected, final List<byte[]> actual)
    {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertArrayEquals(expected.get(i), actual.get(i), "index=" + i);
        }
    }

    @Test
    void shouldTellThatItIsACluster()
    {
        assertTrue(client.isCluster());
        assertEquals(String.join(",", members.addresses()), client.server().address());
        assertThrows(UnsupportedOperationException.class, client::openSession);
        assertThrows(UnsupportedOperationException.class, () -> client.withSession((session) -> null));
    }

    @Test
    void shouldCarryBatchesOutWithAnyLengthOfValue()
    {
        final List<byte[]> keys = all("batch-", COUNT);
        final List<byte[]> values = all("value-", COUNT);
        values.set(7, new byte[LONG]);
        values.set(COUNT - 1, new byte[LONG]);
        client.putAll(keys, values);

        final List<byte[]> asked = new ArrayList<>(keys);
        asked.add(3, "batch-absent".getBytes(UTF_8));
        values.add(3, null);
        assertSame(values, client.getAll(asked));

        final List<WriteOutcome> outcomes = client.putAll(
            asked, Collections.nCopies(COUNT + 1, new byte[1]), Collections.nCopies(COUNT + 1, PutOptions.ifAbsent()));
        for (int i = 0; i <= COUNT; i++)
        {
            assertEquals(i == 3, outcomes.get(i).applied(), "index=" + i);
            assertNotNull(outcomes.get(i).version());
        }
        assertEquals(COUNT + 1, client.deleteAll(asked));
        assertEquals(0, client.deleteAll(asked));
    }

    @Test
    void shouldGiveViewsWithOtherDeadlines()
    {
        client.put("viewed", "yes");
        final StoreOperations patient = client.within(DEADLINE.plusSeconds(1));
        final StoreOperations hasty = client.within(Duration.ofNanos(1));

        assertEquals("yes", patient.get("viewed"));
        assertEquals(Map.of("viewed", "yes"), patient.getAll(Set.of("viewed", "not viewed")));
        // Partitions that are connected, and others.
        int refused = 0;
        int refusedBatches = 0;
        for (int i = 0; i < 20; i++)
        {
            final String key = "late-" + i;
            refused += tryInTime(() -> hasty.put(key, "late")) ? 0 : 1;
            client.put(key, "in time");
            assertEquals("in time", patient.get(key));
        }
        for (int i = 0; i < 20; i++)
        {
            refusedBatches += tryInTime(() -> hasty.putAll(Map.of("late-1", "no", "late-2", "no"))) ? 0 : 1;
        }
        assertTrue(refused > 10, "refused=" + refused);
        assertTrue(refusedBatches > 10, "refused=" + refusedBatches);
    }

    /** Succeeds now and then: a thread that stood still after its request finds the answer, however late it is. */
    private static boolean tryInTime(final Runnable write)
    {
        try
        {
            write.run();
            return true;
        }
        catch (final StoreException e)
        {
            return false;
        }
    }

    @Test
    void shouldCarryOutAnythingAsynchronously() throws Exception
    {
        final AsyncStore async = client.async();
        final List<byte[]> keys = all("async-", COUNT);
        async.putAll(keys, keys).get();
        assertSame(keys, async.getAll(keys).get());
        assertEquals(COUNT, async.within(DEADLINE.plusSeconds(1)).deleteAll(keys).get());

        for (int i = 0; i < 20; i++)
        {
            final String key = "one-" + i;
            async.put(key, "a").get();
            assertEquals(2, async.append(key, "b", Expiry.KEEP).get());
            assertEquals("ab", async.get(key).get());
            assertTrue(async.touch(key, Expiry.after(Duration.ofHours(1))).get());
            assertTrue(async.ttl(key).get().expires());
            assertEquals("ab", async.getAndPut(key, "7").get());
            assertEquals(9, async.increment(key, 2, 0, Expiry.KEEP).get());
            assertEquals("9!", async.update(key, (value) -> value + "!").get());
            assertTrue(async.delete(key).get());
            assertEquals(false, async.contains(key).get());
        }
        assertInstanceOf(StoreDeadlineException.class, assertThrows(ExecutionException.class,
            () -> async.within(Duration.ofNanos(1)).get("late").get()).getCause());

        client.close();
        assertInstanceOf(StoreClosedException.class,
            assertThrows(ExecutionException.class, () -> async.get("closed").get()).getCause());
        assertThrows(StoreClosedException.class, client::async);
        assertThrows(StoreClosedException.class, () -> client.putAll(keys, keys));
        assertThrows(StoreClosedException.class, () -> client.getAll(keys));
    }

    /** The last one, as it leaves two members. */
    @Test
    @Order(Integer.MAX_VALUE)
    void shouldCarryOutAsynchronousWritesOnceWhenALeaderIsKilled() throws Exception
    {
        final AsyncStore async = client.async();
        final List<CompletableFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 1_600; i++)
        {
            futures.add(async.increment("counter-" + i % 16, 1, 0, Expiry.KEEP));
            if (i == 800)
            {
                futures.get(0).get();
                members.leader(0).end(true);
            }
        }
        long done = 0;
        long unknown = 0;
        for (final CompletableFuture<Long> future : futures)
        {
            try
            {
                future.join();
                done++;
            }
            catch (final CompletionException e)
            {
                unknown += ((StoreException)e.getCause()).writeFate() == WriteFate.UNKNOWN ? 1 : 0;
            }
        }
        long sum = 0;
        for (int i = 0; i < 16; i++)
        {
            sum += Long.parseLong(client.get("counter-" + i));
        }
        assertTrue(done > 800, "done=" + done);
        assertTrue(done <= sum && sum <= done + unknown, "done=" + done + " unknown=" + unknown + " sum=" + sum);
    }
}
