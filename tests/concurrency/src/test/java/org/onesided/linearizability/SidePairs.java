package org.onesided.linearizability;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;

/**
 * A thread that writes pairs which no client asks for, beside the clients of a run.
 */
abstract class SidePairs implements AutoCloseable
{
    private static final long JOIN_SECONDS = 60;

    private final StoreClient client;
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * @param client to write by, closed with this.
     * @param name   of the thread, which begins with {@link #start}.
     */
    SidePairs(final StoreClient client, final String name)
    {
        this.client = client;
        thread = new Thread(this::run, name);
    }

    /** Writes the pairs until all are written, or this is closed. */
    abstract void run();

    final void start()
    {
        thread.start();
    }

    final boolean isClosed()
    {
        return isClosed;
    }

    final void put(final byte[] key, final byte[] value)
    {
        try
        {
            client.put(key, value);
        }
        catch (final StoreException e)
        {
            // The clients' own operations show what is wrong; a pair more or less does not matter here.
        }
    }

    final void delete(final byte[] key)
    {
        try
        {
            client.delete(key);
        }
        catch (final StoreException e)
        {
            // As above.
        }
    }

    @Override
    public final void close()
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
