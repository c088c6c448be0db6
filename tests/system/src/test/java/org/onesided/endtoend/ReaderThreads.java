package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;

/** Threads that read keys which stay as they are, each in another way, until they are stopped. */
final class ReaderThreads
{
    private final StoreClient client;
    private final int count;
    private final IntFunction<byte[]> key;
    private final IntFunction<byte[]> value;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;
    private volatile Throwable failure;

    /**
     * @param count of the keys, numbered from 0.
     * @param key   of a number, in ASCII.
     * @param value of a number.
     */
    ReaderThreads(
        final StoreClient client, final int count, final IntFunction<byte[]> key, final IntFunction<byte[]> value)
    {
        this.client = client;
        this.count = count;
        this.key = key;
        this.value = value;
        start(this::gets);
        start(this::batch);
        start(this::scan);
        start(() -> client.withSession(StoreSession::warmUp));
    }

    private void start(final Runnable work)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                while (!isOver)
                {
                    work.run();
                }
            }
            catch (final Throwable e)
            {
                failure = e;
            }
        });
        thread.start();
        threads.add(thread);
    }

    private void gets()
    {
        for (int i = 0; i < count; i++)
        {
            assertArrayEquals(value.apply(i), client.get(key.apply(i)));
        }
    }

    private void batch()
    {
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            keys.add(key.apply(i));
        }
        client.getAll(keys, (i, found) -> assertEquals(value.apply(i).length, found.capacity()));
    }

    private void scan()
    {
        final Set<String> seen = new HashSet<>();
        client.scan((found, ignored) ->
            assertTrue(seen.add(found.getStringWithoutLengthAscii(0, found.capacity())), "passed twice"));
        for (int i = 0; i < count; i++)
        {
            assertTrue(seen.contains(new String(key.apply(i), StandardCharsets.US_ASCII)), "left out");
        }
    }

    boolean haveFailed()
    {
        return failure != null;
    }

    /** Stops them, and fails if one has failed. */
    void stop() throws InterruptedException
    {
        isOver = true;
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertNull(failure, () -> String.valueOf(failure));
    }
}
