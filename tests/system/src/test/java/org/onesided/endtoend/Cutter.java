package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ClientStatistics;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.HangGuard;

/**
 * Cuts connections again and again, each after some milliseconds, until it is closed. While nothing is done over them,
 * it waits longer and longer: on a busy machine a connection needs more time to be of use.
 */
final class Cutter implements AutoCloseable
{
    private final CuttingProxy proxy;
    private final int leastMs;
    private final StoreClient client;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Exception failure;
    private final Thread thread = new Thread(this::run, "cutter");

    /**
     * @param leastMs a pause is at least so long, and less than three times as long if the last one was of use.
     * @param client  of which something is to be done.
     */
    Cutter(final CuttingProxy proxy, final int leastMs, final StoreClient client)
    {
        this.proxy = proxy;
        this.leastMs = leastMs;
        this.client = client;
    }

    void start()
    {
        thread.start();
    }

    private void run()
    {
        final Random random = new Random(5);
        int patience = 1;
        long doneBefore = 0;
        try
        {
            while (!ended.await((long)(leastMs + random.nextInt(2 * leastMs)) * patience, TimeUnit.MILLISECONDS))
            {
                final long doneNow = done();
                patience = doneNow > doneBefore ? 1 : patience + 1;
                doneBefore = doneNow;
                proxy.cut();
            }
        }
        catch (final InterruptedException | RuntimeException e)
        {
            failure = e;
        }
    }

    private long done()
    {
        final ClientStatistics statistics = client.clientStatistics();
        return statistics.puts() + statistics.gets();
    }

    @Override
    public void close()
    {
        ended.countDown();
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(HangGuard.seconds(60)));
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
        assertFalse(thread.isAlive(), "it cuts on and on");
        assertNull(failure);
    }
}
