package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Puts each record once, by many threads. */
final class RecordLoad
{
    /** Of a thousand records, at the least. */
    private static final long SECONDS_PER_THOUSAND = 2;
    private static final long LEAST_SECONDS = 60;
    private static final int AT_ONCE = 200;

    private RecordLoad()
    {
    }

    static void run(final List<RecordAccess> accesses, final long records) throws IOException
    {
        final AtomicLong next = new AtomicLong();
        final ExecutorService threads = Executors.newFixedThreadPool(accesses.size(), (task) ->
        {
            final Thread thread = new Thread(task, "benchmark-load");
            thread.setDaemon(true);
            return thread;
        });
        try
        {
            final List<Future<?>> running = new ArrayList<>();
            for (final RecordAccess access : accesses)
            {
                running.add(threads.submit(() ->
                {
                    for (long first = next.getAndAdd(AT_ONCE); first < records; first = next.getAndAdd(AT_ONCE))
                    {
                        access.putAll(first, (int)Math.min(AT_ONCE, records - first));
                    }
                    return null;
                }));
            }
            final long seconds = LEAST_SECONDS + records / 1000 * SECONDS_PER_THOUSAND;
            for (final Future<?> one : running)
            {
                one.get(seconds, TimeUnit.SECONDS);
            }
        }
        catch (final ExecutionException | TimeoutException e)
        {
            throw new IOException("the records are not loaded: " + e.getMessage(), e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        finally
        {
            threads.shutdownNow();
        }
    }
}
