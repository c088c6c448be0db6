package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.endtoend.TestStore.bytes;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.Waiting;
import org.onesided.client.types.WriteOutcome;
import org.onesided.testing.ServerProcess;

@Timeout(300)
class AsyncStoreTest
{
    private static StoreException failure(final Future<?> future)
    {
        return assertInstanceOf(StoreException.class, assertThrows(
            ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS)).getCause());
    }

    private static <T> T ended(final Future<T> future) throws Exception
    {
        return future.get(60, TimeUnit.SECONDS);
    }

    /** The close does not wait for a thread that has ended but for its last steps: it sleeps no more. */
    private static void assertNoAsyncThread() throws InterruptedException
    {
        for (final Thread thread : asyncThreads())
        {
            final Thread.State state = thread.getState();
            assertTrue(state == Thread.State.RUNNABLE || state == Thread.State.TERMINATED, thread + " " + state);
            thread.join();
        }
    }

    private static List<Thread> asyncThreads()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> thread.getName().startsWith("onesided-async "))
            .toList();
    }

    @Test
    void shouldDoWhatTheSynchronousViewDoes() throws Exception
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            assertSame(async, client.async());
            assertNull(ended(async.get("a")));
            ended(async.put("a", "ä"));
            assertEquals("ä", ended(async.get("a")));
            assertArrayEquals(bytes("ä"), ended(async.get(bytes("a"))));
            final byte[] large = TestStore.randomBytes(300_000, 1);
            ended(async.put(bytes("large"), large));
            final List<byte[]> found = ended(async.getAll(List.of(bytes("a"), bytes("b"), bytes("large"))));
            assertArrayEquals(bytes("ä"), found.get(0));
            assertNull(found.get(1));
            assertArrayEquals(large, found.get(2));
            assertTrue(ended(async.delete("a")));
            assertFalse(ended(async.delete(bytes("a"))));
            assertEquals(List.of(), ended(async.getAll(List.of())));
            ended(async.put(bytes("binary"), new byte[] {-1}));
            assertInstanceOf(StoreLimitException.class, failure(async.get("binary")));
            assertThrows(StoreLimitException.class, () -> async.get(new byte[0]));
            assertThrows(StoreLimitException.class, () -> async.put("a", "\ud800"));
        }
    }

    @Test
    void shouldPutUnderConditionsAndWithTimes() throws Exception
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            final WriteOutcome first = ended(async.put("a", "1", PutOptions.ifAbsent().ttl(Duration.ofHours(1))));
            assertTrue(first.applied());
            assertEquals(client.getVersioned("a").version(), first.version());
            assertTrue(client.ttl("a").expires());
            assertEquals(new WriteOutcome(false, first.version()), ended(async.put("a", "2", PutOptions.ifAbsent())));
            assertEquals(
                new WriteOutcome(false, null), ended(async.put("nobody", "2", PutOptions.ifVersion(first.version()))));
            // Longer than a message.
            final byte[] large = TestStore.randomBytes(300_000, 1);
            final WriteOutcome second =
                ended(async.put(bytes("a"), large, PutOptions.ifVersion(first.version()).expiry(Expiry.NEVER)));
            assertEquals(client.getVersioned(bytes("a")).version(), second.version());
            assertFalse(client.ttl("a").expires());
            assertFalse(ended(async.put(bytes("a"), large, PutOptions.ifVersion(first.version()))).applied());
            assertEquals(
                second.version(), ended(async.put("a", "3", PutOptions.ifVersion(first.version()))).version());
            assertTrue(ended(async.put("b", "1", PutOptions.NONE)).applied());
            assertThrows(NullPointerException.class, () -> async.put("b", "1", null));
        }
    }

    @Test
    void shouldCarryOutWhatManyThreadsBegin() throws Exception
    {
        try (TestStore store = new TestStore(TestStore.options().shards(3).credits(4));
            StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            final int threads = 4;
            final int count = 5000;
            final List<CompletableFuture<?>> futures = new ArrayList<>();
            final List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++)
            {
                final int number = t;
                final Thread thread = new Thread(() ->
                {
                    for (int i = 0; i < count; i++)
                    {
                        final String key = number + "-" + i;
                        // Begun by the client's own thread.
                        final CompletableFuture<String> future =
                            async.put(key, "value-" + key).thenCompose((done) -> async.get(key));
                        synchronized (futures)
                        {
                            futures.add(future.thenAccept((value) -> assertEquals("value-" + key, value)));
                        }
                    }
                });
                thread.start();
                running.add(thread);
            }
            for (final Thread thread : running)
            {
                thread.join();
            }
            for (final CompletableFuture<?> future : futures)
            {
                ended(future);
            }
            assertEquals(threads * count, client.statistics().stream().mapToLong(ShardStatistics::puts).sum());
        }
    }

    // Lookups must be done before the deadline of the writes that wait.
    @Tag("timing")
    @Tag("full")
    @Test
    void shouldLookUpWhileWritesWaitForAStoppedServer() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "1");
            StoreClient client =
                StoreClient.builder().server(server.address()).deadline(Duration.ofSeconds(3)).build())
        {
            final AsyncStore async = client.async();
            ended(async.put("there", "value"));
            assertEquals("value", ended(async.get("there")));
            server.freeze();
            final List<CompletableFuture<Void>> puts = new ArrayList<>();
            try
            {
                for (int i = 0; i < 500; i++)
                {
                    puts.add(async.put("key-" + i, "late"));
                }
                for (int i = 0; i < 100; i++)
                {
                    assertEquals("value", ended(async.get("there")));
                }
                assertFalse(puts.get(499).isDone());
                int unknown = 0;
                for (final CompletableFuture<Void> put : puts)
                {
                    unknown += assertInstanceOf(StoreDeadlineException.class, failure(put)).writeFate() ==
                        WriteFate.UNKNOWN ? 1 : 0;
                }
                assertEquals(client.server().credits(), unknown);
                assertEquals(WriteFate.UNKNOWN, failure(puts.get(0)).writeFate());
                assertEquals(WriteFate.NOT_APPLIED, failure(puts.get(499)).writeFate());
            }
            finally
            {
                server.thaw();
            }
            ended(async.put("after", "all"));
            assertEquals("all", client.get("after"));
            assertEquals("late", client.get("key-0"));
            assertNull(client.get("key-499"));
        }
    }

    @Test
    void shouldFailWhatIsNotDoneWhenTheClientIsClosed() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m"))
        {
            final StoreClient client = StoreClient.builder().server(server.address()).build();
            final AsyncStore async = client.async();
            ended(async.put("a", "1"));
            assertEquals(1, asyncThreads().size());
            server.freeze();
            final List<CompletableFuture<?>> futures = new ArrayList<>();
            for (int i = 0; i < 100; i++)
            {
                futures.add(async.put("key-" + i, "late"));
            }
            final CompletableFuture<Void> second = new CompletableFuture<>();
            futures.get(99).whenComplete((none, failure) ->
                async.put("b", "2").whenComplete((done, why) -> second.completeExceptionally(why)));
            client.close();
            server.thaw();

            assertNoAsyncThread();
            for (final CompletableFuture<?> future : futures)
            {
                assertInstanceOf(StoreClosedException.class, failure(future));
            }
            assertInstanceOf(StoreClosedException.class, failure(second));
            assertInstanceOf(StoreClosedException.class, failure(async.get("a")));
            assertThrows(StoreClosedException.class, client::async);
        }
    }

    @Test
    void shouldBeClosedByWhatDependsOnAFuture() throws Exception
    {
        try (TestStore store = new TestStore())
        {
            final StoreClient client = store.client();
            ended(client.async().put("a", "1").thenRun(client::close));
            assertThrows(StoreClosedException.class, () -> client.get("a"));
        }
    }

    @Test
    void shouldGoOnWithTheServersNextLife() throws Exception
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            ended(async.put("a", "1"));
            store.restart();
            assertNull(ended(async.get("a")));
            ended(async.put("a", "2"));
            assertEquals("2", ended(async.get("a")));
        }
    }

    // Measures processor time: a machine with much to do makes waking up dearer.
    @Tag("timing")
    @Test
    void shouldSleepWhenThereIsNothingToDo() throws Exception
    {
        try (TestStore store = new TestStore();
            StoreClient client = store.clientBuilder().waiting(Waiting.SPINNING).build())
        {
            final AtomicInteger done = new AtomicInteger();
            final AsyncStore async = client.async();
            ended(async.put("a", "1").thenRun(done::incrementAndGet));
            final Thread worker = Thread.getAllStackTraces().keySet().stream()
                .filter((thread) -> thread.getName().startsWith("onesided-async ")).findAny().orElseThrow();
            while (worker.getState() != Thread.State.TIMED_WAITING)
            {
                Thread.onSpinWait();
            }
            final long before = ManagementFactory.getThreadMXBean().getThreadCpuTime(worker.getId());
            Thread.sleep(300);
            final long usedNs = ManagementFactory.getThreadMXBean().getThreadCpuTime(worker.getId()) - before;
            assertTrue(usedNs < TimeUnit.MILLISECONDS.toNanos(30), "used " + usedNs + " ns");
            ended(async.put("a", "2").thenRun(done::incrementAndGet));
            assertEquals(2, done.get());
        }
    }
}
