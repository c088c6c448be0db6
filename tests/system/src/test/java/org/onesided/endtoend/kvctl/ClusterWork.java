package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.client.StoreClient;
import org.onesided.testing.HangGuard;

/** Puts and looks up, until it is told to end. */
final class ClusterWork implements AutoCloseable
{
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final StoreClient client;
    private final Thread thread = new Thread(this::run, "work");
    private volatile boolean isEnded;
    private volatile int acknowledged;
    private volatile Throwable failure;

    ClusterWork(final StoreClient client)
    {
        this.client = client;
        thread.start();
    }

    private void run()
    {
        try
        {
            while (!isEnded)
            {
                client.put("work-" + acknowledged, "value-" + acknowledged);
                assertEquals("value-" + acknowledged / 2, client.get("work-" + acknowledged / 2));
                acknowledged++;
                // The processors are for the members, too.
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        catch (final RuntimeException | AssertionError e)
        {
            failure = e;
        }
    }

    void awaitMore() throws InterruptedException
    {
        final int before = acknowledged;
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(120));
        while (acknowledged < before + 20 && failure == null && System.nanoTime() - endNs < 0)
        {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertNull(failure);
        assertTrue(acknowledged >= before + 20, "no progress behind " + before);
    }

    int end() throws InterruptedException
    {
        isEnded = true;
        thread.join(TimeUnit.SECONDS.toMillis(HangGuard.seconds(240)));
        assertFalse(thread.isAlive());
        assertNull(failure);
        return acknowledged;
    }

    @Override
    public void close()
    {
        isEnded = true;
    }
}
