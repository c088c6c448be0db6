package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.testing.ServerProcess;
import org.onesided.testing.TestSize;

/**
 * Threads that share a client over tcp, more than it has sessions for: one thread carries their operations out.
 */
@Timeout(120)
class JointOperationsTest
{
    private static final int THREADS = 12;
    private static final String JOINT = "onesided-joint ";
    private static final int ATTEMPTS = 10;
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What a thread does again and again. */
    private interface Step
    {
        void run(int thread, int round);
    }

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    private static StoreClient client(final ServerProcess server, final int maxSessions)
    {
        return StoreClient.builder().server(server.address()).device("tcp").maxSessions(maxSessions)
            .deadline(Duration.ofSeconds(30)).build();
    }

    /** Processor time of threads that carry operations out, or -1 if there are none. */
    private static long jointNs()
    {
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = -1;
        for (final Thread thread : Thread.getAllStackTraces().keySet())
        {
            if (thread.getName().startsWith(JOINT))
            {
                sum = Math.max(0, sum) + Math.max(0, threads.getThreadCpuTime(thread.getId()));
            }
        }
        return sum;
    }

    private static void awaitNoJointThread() throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (jointNs() >= 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, "thread is still there");
            Thread.sleep(10);
        }
    }

    private void begin(final Step step)
    {
        for (int i = 0; i < THREADS; i++)
        {
            final int number = i;
            final Thread thread = new Thread(() ->
            {
                try
                {
                    for (int round = 0; !isOver.get(); round++)
                    {
                        step.run(number, round);
                    }
                }
                catch (final RuntimeException | Error e)
                {
                    failures.add(e);
                }
            }, "sharing-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    /** Waits until operations are carried out together, by the time that it takes: idle, the thread sleeps. */
    private void awaitJoint() throws InterruptedException
    {
        while (jointNs() < BUSY_NS && failures.isEmpty())
        {
            Thread.sleep(1);
        }
    }

    private void end() throws InterruptedException
    {
        isOver.set(true);
        for (final Thread thread : threads)
        {
            thread.join();
        }
    }

    @AfterEach
    void endThreads() throws InterruptedException
    {
        end();
    }

    @Test
    void shouldDoEachThreadsOperationsInItsOrder() throws Exception
    {
        final AtomicInteger rounds = new AtomicInteger();
        try (ServerProcess server = ServerProcess.start("--device", "tcp", "--memory", "64m"))
        {
            try (StoreClient client = client(server, 1))
            {
                begin((thread, round) ->
                {
                    final String key = "key-" + thread;
                    // Both kinds of values: those that go with others, and longer ones.
                    final String value = (thread + "/" + round + " ").repeat(round % 16 == 0 ? 1200 : 3);
                    client.put(key, value);
                    assertEquals(value, client.get(key));
                    assertTrue(client.delete(key));
                    assertNull(client.get(key));
                    assertFalse(client.delete(key));
                    rounds.incrementAndGet();
                });
                awaitJoint();
                final int before = rounds.get();
                while (rounds.get() < before + TestSize.of(2_000, 500) && failures.isEmpty())
                {
                    Thread.sleep(1);
                }
                end();
                assertEquals(List.of(), List.copyOf(failures));
            }
        }
        awaitNoJointThread();
    }

    /** The server has no room for another session: threads take turns, and nothing fails. */
    @Test
    void shouldTakeTurnsAtAFullServer() throws Exception
    {
        final AtomicInteger gets = new AtomicInteger();
        try (ServerProcess server = ServerProcess.start("--device", "tcp", "--memory", "64m", "--max-sessions", "1");
            StoreClient client = client(server, 1))
        {
            client.put("key", "value");
            begin((thread, round) ->
            {
                assertEquals("value", client.get("key"));
                gets.incrementAndGet();
            });
            while (gets.get() < TestSize.of(20_000, 5_000) && failures.isEmpty())
            {
                Thread.sleep(1);
            }
            end();
            assertEquals(List.of(), List.copyOf(failures));
        }
    }

    @Test
    void shouldEndItsSessionWhenThreadsCrowdTheClientNoMore() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--device", "tcp", "--memory", "64m");
            StoreClient client = client(server, 1))
        {
            client.put("key", "value");
            begin((thread, round) -> client.get("key"));
            awaitJoint();
            end();
            awaitNoJointThread();
            assertEquals("value", client.get("key"));
            assertEquals(List.of(), List.copyOf(failures));
        }
    }

    @Test
    void shouldEndWithTheClientAndNameTheCaller() throws Exception
    {
        int joint = 0;
        try (ServerProcess server = ServerProcess.start("--device", "tcp", "--memory", "64m"))
        {
            // A close that comes when none is under way finds none: then once more.
            for (int i = 0; i < ATTEMPTS && joint == 0; i++)
            {
                joint = countJointAtClose(server);
            }
        }
        assertTrue(joint > 0, "no failure tells who asked");
        awaitNoJointThread();
    }

    private int countJointAtClose(final ServerProcess server) throws InterruptedException
    {
        failures.clear();
        threads.clear();
        isOver.set(false);
        try (StoreClient client = client(server, 1))
        {
            client.put("key", "value");
            begin((thread, round) -> client.get("key"));
            awaitJoint();
        }
        // A thread that was between two operations meets the closed client only at its next one.
        for (final Thread thread : threads)
        {
            thread.join(TimeUnit.SECONDS.toMillis(30));
        }
        end();
        assertEquals(THREADS, failures.size());
        int joint = 0;
        for (final Throwable failure : failures)
        {
            assertEquals(StoreClosedException.class, failure.getClass(), () -> String.valueOf(failure));
            joint += Arrays.stream(failure.getSuppressed()).anyMatch((asked) ->
                asked.getMessage().startsWith("asked for by thread sharing-")) ? 1 : 0;
        }
        return joint;
    }

    @Tag("full")
    @Test
    void shouldKeepAnInterruptForTheCaller() throws Exception
    {
        final AtomicInteger interrupted = new AtomicInteger();
        try (ServerProcess server = ServerProcess.start("--device", "tcp", "--memory", "64m");
            StoreClient client = client(server, 1))
        {
            client.put("key", "value");
            begin((thread, round) ->
            {
                final boolean isInterrupted = round % 100 == 0;
                if (isInterrupted)
                {
                    Thread.currentThread().interrupt();
                }
                try
                {
                    assertEquals("value", client.get("key"));
                }
                catch (final StoreException e)
                {
                    // While threads take turns, it ends the wait for a session.
                    assertTrue(e.getMessage().contains("interrupted"), e.getMessage());
                }
                assertEquals(isInterrupted, Thread.interrupted());
                interrupted.addAndGet(isInterrupted ? 1 : 0);
            });
            awaitJoint();
            final int before = interrupted.get();
            while (interrupted.get() < before + 100 && failures.isEmpty())
            {
                Thread.sleep(1);
            }
            end();
            assertEquals(List.of(), List.copyOf(failures));
        }
    }
}
