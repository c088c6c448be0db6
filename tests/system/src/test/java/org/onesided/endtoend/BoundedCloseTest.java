package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.testing.ServerProcess;

/**
 * The close of a client whose application returns from nothing: neither from callbacks, nor from what it does with a
 * session, nor does the server answer.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BoundedCloseTest
{
    /** As {@link StoreClient#close} says; a close waits for half of it for sessions that are lent. */
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int CALLBACKS = 3;
    private static final int WRITES = 100;

    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch hasBegun = new CountDownLatch(CALLBACKS + 1);

    /** Whatever interrupts it. */
    private void neverReturn()
    {
        hasBegun.countDown();
        while (end.getCount() > 0)
        {
            try
            {
                end.await();
            }
            catch (final InterruptedException e)
            {
                // What nobody can end.
            }
        }
    }

    // A machine with much to do may not let it run when its bound has come.
    @Tag("timing")
    @Tag("full")
    @Test
    void shouldEndAtItsBoundThoughNothingReturns() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "1"))
        {
            final StoreClient client =
                StoreClient.builder().server(server.address()).deadline(Duration.ofMinutes(10)).build();
            final AsyncStore async = client.async();
            final List<CompletableFuture<?>> futures = new ArrayList<>();
            server.freeze();
            for (int i = 0; i < CALLBACKS; i++)
            {
                async.put("key-" + i, "value").thenRun(this::neverReturn);
            }
            final Thread user = new Thread(() -> client.withSession((session) ->
            {
                neverReturn();
                return null;
            }), "never-returns");
            user.setDaemon(true);
            user.start();
            server.thaw();
            assertTrue(hasBegun.await(60, TimeUnit.SECONDS));
            server.freeze();
            for (int i = 0; i < WRITES; i++)
            {
                futures.add(async.put("key-" + i, "late"));
            }

            final long beginNs = System.nanoTime();
            client.close();
            final long tookNs = System.nanoTime() - beginNs;
            System.out.printf("a close that nothing lets end took %d ms%n", tookNs / 1_000_000);
            for (final CompletableFuture<?> future : futures)
            {
                assertTrue(future.isDone());
                assertInstanceOf(
                    StoreClosedException.class, assertThrows(CompletionException.class, future::join).getCause());
            }
            assertThrows(StoreClosedException.class, () -> client.get("key-0"));
            assertFalse(user.getState() == Thread.State.TERMINATED);
            // It did wait for the session.
            assertTrue(tookNs >= MOST_NS / 2, () -> "took-ns=" + tookNs);
            assertTrue(tookNs <= MOST_NS, () -> "took-ns=" + tookNs);
            server.thaw();
            end.countDown();
            user.join();
        }
        finally
        {
            end.countDown();
        }
    }
}
