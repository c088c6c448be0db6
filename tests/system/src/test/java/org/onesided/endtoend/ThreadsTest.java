package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;

class ThreadsTest
{
    private static final int THREADS = 6;

    private final TestStore store = new TestStore();
    private final ExecutorService executor = Executors.newCachedThreadPool();

    @AfterEach
    void stop() throws InterruptedException
    {
        executor.shutdownNow();
        assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS));
        store.close();
    }

    private static void await(final List<? extends Future<?>> futures) throws Exception
    {
        for (final Future<?> future : futures)
        {
            future.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldServeMoreThreadsThanSessions() throws Exception
    {
        try (StoreClient client = store.clientBuilder().maxSessions(3).build())
        {
            final List<Future<?>> futures = new ArrayList<>();
            for (int t = 0; t < THREADS; t++)
            {
                final int thread = t;
                futures.add(executor.submit(() ->
                {
                    for (int i = 0; i < 500; i++)
                    {
                        final String key = thread + "-" + i % 50;
                        client.put(key, key + "=" + i);
                        assertEquals(key + "=" + i, client.get(key));
                        if (i % 7 == 0)
                        {
                            assertTrue(client.delete(key));
                            assertNull(client.get(key));
                        }
                    }
                }));
            }
            await(futures);

            assertEquals(THREADS * 500, client.clientStatistics().puts());
            assertTrue(client.statistics().stream().mapToLong(shard -> shard.sessions()).max().orElse(0) <= 3);
        }
    }

    @Test
    void shouldNeverSeeAValueGoBack() throws Exception
    {
        // The values grow in steps that change the granule count, so that records move as well as change in place.
        try (StoreClient client = store.clientBuilder().maxSessions(THREADS).build();
            StoreClient writer = store.client())
        {
            final AtomicBoolean isDone = new AtomicBoolean();
            final AtomicLong written = new AtomicLong();
            writer.put("shared", value(0));
            final List<Future<?>> futures = new ArrayList<>();
            for (int t = 0; t < 3; t++)
            {
                futures.add(executor.submit(() ->
                {
                    long last = 0;
                    while (!isDone.get())
                    {
                        final long least = written.get();
                        final String text = client.get("shared");
                        final long number = Long.parseLong(text.substring(0, text.indexOf(' ')));
                        assertEquals(value(number), text);
                        assertTrue(number >= last && number >= least, number + " after " + last + ", " + least);
                        last = number;
                    }
                }));
            }
            for (int i = 1; i <= 5000; i++)
            {
                writer.put("shared", value(i));
                written.set(i);
            }
            isDone.set(true);
            await(futures);
        }
    }

    private static String value(final long number)
    {
        return number + " " + Long.toString(number % 10).repeat((int)(number / 3 % 5) * 200);
    }

    @Test
    void shouldTellWhenAllSessionsStayLent() throws Exception
    {
        try (StoreClient client =
            store.clientBuilder().maxSessions(1).deadline(Duration.ofSeconds(2)).build())
        {
            final String message = client.withSession(session -> assertThrows(
                StoreDeadlineException.class, () -> client.get("key")).getMessage());
            assertTrue(message.contains("maxSessions=1"), message);
            assertNull(client.get("key"));
        }
    }

    @Test
    void shouldEndOperationsThatWaitWhenTheClientCloses() throws Exception
    {
        final StoreClient client = store.clientBuilder().maxSessions(2).build();
        final CountDownLatch isRunning = new CountDownLatch(2);
        final List<Future<?>> futures = new ArrayList<>();
        for (int t = 0; t < 2; t++)
        {
            futures.add(executor.submit(() -> assertThrows(StoreClosedException.class, () ->
            {
                while (true)
                {
                    client.put("key", "value");
                    isRunning.countDown();
                }
            })));
        }
        assertTrue(isRunning.await(30, TimeUnit.SECONDS));
        client.close();
        client.close();
        await(futures);
        assertThrows(StoreClosedException.class, () -> client.get("key"));
        assertThrows(StoreClosedException.class, client::openSession);
    }

    @Test
    void shouldLeaveNoThreadBehind() throws Exception
    {
        final StoreClient client = store.client();
        final StoreSession session = client.openSession();
        final String name = "onesided-life-line";
        assertTrue(hasThread(name));
        client.close();
        assertFalse(hasThread(name));
        assertThrows(StoreClosedException.class, () -> session.get("key"));
        session.close();
    }

    private static boolean hasThread(final String name)
    {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals(name));
    }
}
