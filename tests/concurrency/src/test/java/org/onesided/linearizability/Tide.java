package org.onesided.linearizability;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;

/**
 * Puts pairs that no client asks for, and deletes them, again and again, so that heaps get memory and give it back all
 * the while.
 */
final class Tide implements AutoCloseable
{
    private static final int PAIRS = 24;
    private static final int LENGTH = 8 << 10;
    /** No key of the clients, nor of {@link Growth}, is so short. */
    private static final int KEY_LENGTH = 3;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long JOIN_SECONDS = 60;

    private final StoreClient client;
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * @param client to put by, closed with this.
     */
    Tide(final StoreClient client)
    {
        this.client = client;
        thread = new Thread(this::run, "tide");
        thread.start();
    }

    private void run()
    {
        while (!isClosed)
        {
            for (int i = 0; i < 2 * PAIRS && !isClosed; i++)
            {
                final byte[] key = String.format("t%02d", i % PAIRS).getBytes(StandardCharsets.UTF_8);
                try
                {
                    if (i < PAIRS)
                    {
                        client.put(key, new byte[LENGTH]);
                    }
                    else
                    {
                        client.delete(key);
                    }
                }
                catch (final StoreException e)
                {
                    // The clients' own operations show what is wrong; a pair more or less does not matter here.
                }
                if (i % PAIRS == PAIRS - 1)
                {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        }
    }

    /** Whether a pair is one of these. */
    static boolean isOne(final DirectBuffer key, final DirectBuffer value)
    {
        return key.capacity() == KEY_LENGTH && value.capacity() == LENGTH;
    }

    @Override
    public void close()
    {
        isClosed = true;
        LockSupport.unpark(thread);
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
