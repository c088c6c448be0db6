package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.testing.ServerProcess;

/**
 * Callbacks that block, throw, or close the client: futures end all the same, and so does the close.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsyncCallbackTest
{
    private static final String CALLBACKS = "test-callbacks";
    private static final AtomicInteger TESTS = new AtomicInteger();

    private static ServerProcess server;

    /** Of this test alone: puts of clients that were closed may take effect later. */
    private final String key = "w-" + TESTS.incrementAndGet();

    @BeforeAll
    static void startServer() throws Exception
    {
        server = startedServer();
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @AfterEach
    void thaw()
    {
        server.thaw();
    }

    private static StoreException failure(final Future<?> future)
    {
        return assertInstanceOf(StoreException.class, assertThrows(
            ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS)).getCause());
    }

    private static <T> T ended(final Future<T> future) throws Exception
    {
        return future.get(60, TimeUnit.SECONDS);
    }

    private static List<Thread> threads(final String prefix)
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> thread.getName().startsWith(prefix)).toList();
    }

    private static void awaitNone(final String prefix) throws InterruptedException
    {
        for (final Thread thread : threads(prefix))
        {
            thread.join(TimeUnit.SECONDS.toMillis(60));
            assertFalse(thread.isAlive(), thread.getName());
        }
    }

    private static void await(final CountDownLatch latch)
    {
        boolean isOpen = false;
        while (!isOpen)
        {
            try
            {
                latch.await();
                isOpen = true;
            }
            catch (final InterruptedException e)
            {
                // A callback that nothing ends.
            }
        }
    }

    /** A future with what depends on it there before it is done: so that runs on the thread that completes it. */
    private <T> CompletableFuture<T> afterPut(final AsyncStore async, final Supplier<T> callback) throws Exception
    {
        server.freeze();
        try
        {
            return async.put(key, "1").thenApply((done) -> callback.get());
        }
        finally
        {
            server.thaw();
        }
    }

    private static ServerProcess startedServer() throws Exception
    {
        return ServerProcess.start("--memory", "64m", "--shards", "1");
    }

    private static StoreClientBuilder builder()
    {
        return StoreClient.builder().server(server.address());
    }

    @Test
    void shouldEndWhatACallbackWaitsFor() throws Exception
    {
        try (StoreClient client = builder().build())
        {
            final AsyncStore async = client.async();
            for (int i = 0; i < 3; i++)
            {
                assertEquals("1", ended(afterPut(async, () -> async.get(key).join())));
            }
            assertEquals("1", ended(async.get(key)));
        }
    }

    @Test
    void shouldKeepDeadlinesHoweverManyCallbacksBlock() throws Exception
    {
        final CountDownLatch latch = new CountDownLatch(1);
        try (StoreClient client = builder().deadline(Duration.ofSeconds(2)).build())
        {
            final AsyncStore async = client.async();
            ended(async.put(key, "1"));
            final int count = 12;
            final CountDownLatch hasBegun = new CountDownLatch(count);
            final List<CompletableFuture<?>> futures = new ArrayList<>();
            final List<CompletableFuture<?>> blocking = new ArrayList<>();
            server.freeze();
            for (int i = 0; i < count; i++)
            {
                final CompletableFuture<Void> future = async.put("key-" + i, "value");
                blocking.add(future.handle((done, failure) ->
                {
                    hasBegun.countDown();
                    await(latch);
                    return null;
                }));
                futures.add(future);
            }
            server.thaw();
            // Not by waiting within a future: that would run callbacks here.
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!futures.stream().allMatch(CompletableFuture::isDone))
            {
                assertTrue(System.nanoTime() - endNs < 0);
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertTrue(hasBegun.await(60, TimeUnit.SECONDS));
            final StoreException failed = failure(async.put("never", "begun"));
            assertInstanceOf(StoreDeadlineException.class, failed);
            assertEquals(WriteFate.NOT_APPLIED, failed.writeFate());
            assertNull(client.get("never"));

            latch.countDown();
            for (final CompletableFuture<?> each : blocking)
            {
                ended(each);
            }
            for (final CompletableFuture<?> future : futures)
            {
                assertEnds(future);
            }
            ended(async.put(key, "2"));
            assertEquals("2", ended(async.get(key)));
            assertNull(client.get("never"));
        }
        finally
        {
            latch.countDown();
        }
    }

    /** With a value, or at its deadline. */
    private static void assertEnds(final Future<?> future) throws Exception
    {
        try
        {
            ended(future);
        }
        catch (final ExecutionException e)
        {
            assertInstanceOf(StoreDeadlineException.class, e.getCause());
        }
    }

    @Test
    void shouldCloseWhileCallbacksBlock() throws Exception
    {
        final CountDownLatch latch = new CountDownLatch(1);
        try
        {
            final StoreClient client = builder().deadline(Duration.ofMinutes(10)).build();
            final AsyncStore async = client.async();
            // The threads in place of those that callbacks keep are used up.
            final int threads = 5;
            final CountDownLatch hasBegun = new CountDownLatch(threads);
            final List<CompletableFuture<?>> blocking = new ArrayList<>();
            server.freeze();
            for (int i = 0; i < threads; i++)
            {
                blocking.add(async.put(key, "1").thenRun(() ->
                {
                    hasBegun.countDown();
                    await(latch);
                }));
            }
            server.thaw();
            assertTrue(hasBegun.await(60, TimeUnit.SECONDS));
            server.freeze();
            final List<CompletableFuture<?>> futures = new ArrayList<>();
            for (int i = 0; i < 100; i++)
            {
                futures.add(async.put("key-" + i, "late"));
            }
            client.close();
            server.thaw();
            for (final CompletableFuture<?> future : futures)
            {
                assertTrue(future.isDone());
                assertInstanceOf(StoreClosedException.class, failure(future));
            }
            assertInstanceOf(StoreClosedException.class, failure(async.get(key)));
            assertFalse(threads("onesided-async ").isEmpty());

            latch.countDown();
            for (final CompletableFuture<?> each : blocking)
            {
                ended(each);
            }
            awaitNone("onesided-");
        }
        finally
        {
            latch.countDown();
        }
    }

    @Test
    void shouldEndACallbackThatWaitsForOthersWhenTheClientIsClosed() throws Exception
    {
        final StoreClient client = builder().deadline(Duration.ofMinutes(10)).build();
        final AsyncStore async = client.async();
        final CountDownLatch isThawed = new CountDownLatch(1);
        final CountDownLatch isFrozen = new CountDownLatch(1);
        final CompletableFuture<String> outer = afterPut(async, () ->
        {
            await(isThawed);
            server.freeze();
            final CompletableFuture<Void> put = async.put(key, "2");
            isFrozen.countDown();
            put.join();
            return "put";
        });
        isThawed.countDown();
        assertTrue(isFrozen.await(60, TimeUnit.SECONDS));
        client.close();
        server.thaw();
        assertInstanceOf(StoreClosedException.class, failure(outer));
        awaitNone("onesided-");
    }

    @Test
    void shouldEndInTheBackgroundIfTheClosingThreadIsInterrupted() throws Exception
    {
        try (TestStore store = new TestStore())
        {
            final StoreClient client = store.client();
            final CountDownLatch isIn = new CountDownLatch(1);
            client.withSession((session) ->
            {
                final CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
                // Waits for the session, so that there is time to be interrupted.
                final Thread closer = new Thread(() ->
                {
                    isIn.countDown();
                    client.close();
                    isInterrupted.complete(Thread.currentThread().isInterrupted());
                });
                closer.start();
                await(isIn);
                closer.interrupt();
                assertTrue(isInterrupted.orTimeout(60, TimeUnit.SECONDS).join());
                // It waits for this session still.
                assertFalse(threads("onesided-close ").isEmpty());
                return null;
            });
            assertThrows(StoreClosedException.class, () -> client.get(key));
            awaitNone("onesided-close ");
            awaitNone("onesided-");
        }
    }

    @Tag("full")
    @Test
    void shouldCompleteFuturesOnTheExecutor() throws Exception
    {
        final ExecutorService executor = Executors.newSingleThreadExecutor((task) -> new Thread(task, CALLBACKS));
        try (StoreClient client = builder().executor(executor).deadline(Duration.ofSeconds(5)).build())
        {
            final AsyncStore async = client.async();
            assertEquals(CALLBACKS, ended(afterPut(async, () -> Thread.currentThread().getName())));
            // The only thread of the executor waits for what it should do itself.
            assertEquals("1", ended(afterPut(async, () -> async.get(key).join())));
            assertEquals("1", ended(async.get(key)));
        }
        finally
        {
            executor.shutdown();
            assertTrue(executor.awaitTermination(60, TimeUnit.SECONDS));
        }
    }

    @Tag("full")
    @Test
    void shouldCompleteWhatTheExecutorRefusesOrForgets() throws Exception
    {
        final AtomicReference<RuntimeException> refusal = new AtomicReference<>(new RejectedExecutionException("full"));
        try (TestStore store = new TestStore())
        {
            final StoreClient client = store.clientBuilder().deadline(Duration.ofSeconds(5)).executor((task) ->
            {
                if (refusal.get() != null)
                {
                    throw refusal.get();
                }
            }).build();
            final AsyncStore async = client.async();
            ended(async.put(key, "1"));
            assertEquals("1", ended(async.get(key)));
            refusal.set(null);
            // It does nothing with it.
            assertEquals("1", ended(async.get(key)));
            final CompletableFuture<String> last = async.get(key);
            client.close();
            assertTrue(last.isDone());
        }
    }

    @Test
    void shouldCloseThoughTheExecutorRunsCallbacksAtOnceAndOneWaitsForAnother() throws Exception
    {
        final StoreClient client = builder().executor(Runnable::run).deadline(Duration.ofMinutes(10)).build();
        final AsyncStore async = client.async();
        ended(async.put(key, "1"));
        server.freeze();
        final CompletableFuture<Void> first = async.put(key, "2");
        final CompletableFuture<Void> second = async.put(key, "3");
        final CompletableFuture<Void> afterFirst = first.whenComplete((done, failure) -> second.join());
        final CompletableFuture<Void> afterSecond = second.whenComplete((done, failure) -> first.join());
        client.close();
        server.thaw();
        assertInstanceOf(StoreClosedException.class, failure(first));
        assertInstanceOf(StoreClosedException.class, failure(second));
        assertInstanceOf(StoreClosedException.class, failure(afterFirst));
        assertInstanceOf(StoreClosedException.class, failure(afterSecond));
        awaitNone("onesided-");
    }

    @Test
    void shouldLetLookupsPassWritesAfterACallbackThatWasBusy() throws Exception
    {
        try (StoreClient client = builder().deadline(Duration.ofMinutes(10)).build())
        {
            final AsyncStore async = client.async();
            final List<CompletableFuture<?>> puts = new ArrayList<>();
            final CompletableFuture<CompletableFuture<String>> lookup = new CompletableFuture<>();
            final CountDownLatch isThawed = new CountDownLatch(1);
            final CompletableFuture<Void> busy = afterPut(async, () ->
            {
                await(isThawed);
                server.freeze();
                for (int i = 0; i < 100; i++)
                {
                    puts.add(async.put("key-" + i, "value"));
                }
                lookup.complete(async.get(key));
                // Long enough to be looked at, and no longer than one that is replaced.
                final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
                while (System.nanoTime() - endNs < 0)
                {
                    Thread.onSpinWait();
                }
                return null;
            });
            isThawed.countDown();
            ended(busy);
            assertEquals("1", ended(ended(lookup)));
            server.thaw();
            for (final CompletableFuture<?> put : puts)
            {
                ended(put);
            }
        }
    }

    @Test
    void shouldGoOnAfterACallbackThatThrows() throws Exception
    {
        try (StoreClient client = builder().build())
        {
            final AsyncStore async = client.async();
            final CompletableFuture<String> thrown = afterPut(async, () ->
            {
                Thread.currentThread().interrupt();
                throw new AssertionError("bad callback");
            });
            assertInstanceOf(AssertionError.class,
                assertThrows(ExecutionException.class, () -> ended(thrown)).getCause());
            for (int i = 0; i < 100; i++)
            {
                assertEquals("1", ended(async.get(key)));
            }
            assertEquals(0, client.clientStatistics().reconnects());
        }
    }

    @Test
    void shouldBeClosedWithinACallbackWithMoreUnderWay() throws Exception
    {
        final StoreClient client = builder().deadline(Duration.ofMinutes(10)).build();
        final AsyncStore async = client.async();
        final List<CompletableFuture<?>> puts = new ArrayList<>();
        final CountDownLatch isThawed = new CountDownLatch(1);
        final CompletableFuture<Long> undone = afterPut(async, () ->
        {
            await(isThawed);
            server.freeze();
            for (int i = 0; i < 100; i++)
            {
                puts.add(async.put("key-" + i, "late"));
            }
            client.close();
            return puts.stream().filter((put) -> !put.isDone()).count();
        });
        isThawed.countDown();
        assertEquals(0L, ended(undone));
        server.thaw();
        for (final CompletableFuture<?> put : puts)
        {
            assertInstanceOf(StoreClosedException.class, failure(put));
        }
        awaitNone("onesided-");
    }

    @Test
    void shouldFailWhatWaitsForALostServerWhenTheClientIsClosed() throws Exception
    {
        final StoreClient client;
        try (ServerProcess lost = startedServer())
        {
            client = StoreClient.builder().server(lost.address()).deadline(Duration.ofMinutes(10)).build();
            ended(client.async().put(key, "1"));
        }
        final CompletableFuture<Void> put = client.async().put(key, "2");
        final CompletableFuture<String> get = client.async().get(key);
        client.close();
        assertTrue(put.isDone());
        assertTrue(get.isDone());
        assertInstanceOf(StoreClosedException.class, failure(put));
        assertInstanceOf(StoreClosedException.class, failure(get));
        awaitNone("onesided-");
    }

    @Tag("full")
    @Test
    void shouldHaveAThreadOnlyWhileThereIsSomethingToDo() throws Exception
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            final AsyncStore async = client.async();
            assertTrue(threads("onesided-async ").isEmpty());
            assertFalse(ended(async.put(key, "1").thenApply((done) -> threads("onesided-async "))).isEmpty());
            awaitNone("onesided-async ");
            assertEquals("1", ended(async.get(key)));
            awaitNone("onesided-async ");
            assertEquals(0, client.clientStatistics().reconnects());
        }
    }
}
