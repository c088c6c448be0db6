package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.testing.HangGuard;

/** A thread that does the same with all counts, one after the other, again and again, until that fails. */
final class CountLoop
{
    private static final int COUNTS = 32;
    private static final long SECONDS = 120;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What a thread does with one count. */
    @FunctionalInterface
    private interface Operation
    {
        void perform(byte[] key, int round);
    }

    private final Operation operation;
    private final Thread thread;
    private volatile int rounds;
    private volatile long longestNs;
    private volatile Exception failure;
    private volatile boolean isClosed;

    private CountLoop(final String name, final Operation operation)
    {
        this.operation = operation;
        thread = new Thread(this::run, name);
        thread.start();
    }

    /** Increments each count, and looks whether that happened once. */
    static CountLoop writes(final StoreClient client)
    {
        return new CountLoop("writer", (key, round) -> assertEquals(round + 1, client.increment(key, 1)));
    }

    /** Looks the counts up. */
    static CountLoop lookups(final StoreClient client)
    {
        return new CountLoop("reader", (key, round) -> client.get(key));
    }

    private static byte[] key(final int number)
    {
        return ("count-" + number).getBytes(StandardCharsets.US_ASCII);
    }

    private void run()
    {
        try
        {
            while (!isClosed)
            {
                for (int i = 0; i < COUNTS; i++)
                {
                    final long beginNs = System.nanoTime();
                    operation.perform(key(i), rounds);
                    longestNs = Math.max(longestNs, System.nanoTime() - beginNs);
                }
                rounds++;
                // The processors are for the servers, too.
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        catch (final StoreException | AssertionError e)
        {
            failure = new Exception(e);
        }
    }

    /** Waits until all counts were used twice from now on. */
    void awaitRounds() throws InterruptedException
    {
        final int last = rounds + 2;
        final long endNs = System.nanoTime() + HangGuard.nanos(SECONDS);
        while (rounds < last && failure == null)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> "nothing goes on: thread=" + thread.getName());
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertNull(failure, () -> thread.getName() + " failed: " + failure);
    }

    long takeLongestMs()
    {
        final long taken = longestNs;
        longestNs = 0;
        return TimeUnit.NANOSECONDS.toMillis(taken);
    }

    void stop() throws InterruptedException
    {
        isClosed = true;
        thread.join(TimeUnit.SECONDS.toMillis(HangGuard.seconds(SECONDS)));
    }
}
