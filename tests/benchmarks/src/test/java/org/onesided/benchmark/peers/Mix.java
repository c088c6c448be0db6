package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.onesided.peers.Draw;
import org.onesided.peers.Records;

/**
 * Threads that look up and put, and time each operation or batch, until they are stopped. Keys are drawn while no time
 * is taken. For one thread.
 */
final class Mix
{
    /** Operations have deadlines of a minute at most. */
    private static final long JOIN_MILLIS = 90_000;
    private static final int PERCENT = 100;

    private final Workload workload;
    private final List<Worker> workers = new ArrayList<>();
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile boolean isOver;
    private volatile Exception failure;

    /**
     * What all threads did.
     *
     * @param operations of all kinds.
     * @param perSecond  of all kinds.
     * @param lookups    their times, NaN if there were none.
     * @param updates    their times, NaN if there were none.
     */
    record Result(long operations, double perSecond, Turn lookups, Turn updates)
    {
    }

    private final class Worker implements Runnable
    {
        private final RecordAccess access;
        private final Draw draw;
        private final SplittableRandom random = new SplittableRandom();
        private final long[] numbers = new long[workload.batch()];
        private final Histogram lookups = new Histogram(3);
        private final Histogram updates = new Histogram(3);

        Worker(final RecordAccess access, final Draw draw)
        {
            this.access = access;
            this.draw = draw;
        }

        @Override
        public void run()
        {
            try
            {
                while (!isOver)
                {
                    for (int i = 0; i < numbers.length; i++)
                    {
                        numbers[i] = draw.next();
                    }
                    final boolean isUpdate = random.nextInt(PERCENT) < workload.updates();
                    final long beginNs = System.nanoTime();
                    for (final long number : numbers)
                    {
                        operate(isUpdate, number);
                    }
                    (isUpdate ? updates : lookups).recordValue((System.nanoTime() - beginNs) / numbers.length);
                }
            }
            catch (final IOException | RuntimeException e)
            {
                failure = e;
                failed.countDown();
            }
        }

        private void operate(final boolean isUpdate, final long number) throws IOException
        {
            if (isUpdate)
            {
                access.put(number);
            }
            else if (access.get(number) != Records.firstValueWord(number))
            {
                throw new IOException("another value than was put, or none: record=" + number);
            }
        }
    }

    private Mix(final Workload workload)
    {
        this.workload = workload;
    }

    /**
     * @param accesses at least as many as there are threads.
     * @param draws    as many.
     * @throws IOException if an operation fails.
     */
    static Result run(
        final Workload workload, final List<RecordAccess> accesses, final List<Draw> draws, final long millis)
        throws IOException
    {
        final Mix mix = new Mix(workload);
        for (int i = 0; i < workload.threads(); i++)
        {
            mix.workers.add(mix.new Worker(accesses.get(i), draws.get(i)));
        }
        return mix.measure(millis);
    }

    private Result measure(final long millis) throws IOException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final Worker worker : workers)
        {
            final Thread thread = new Thread(worker, "benchmark-mix-" + threads.size());
            thread.setDaemon(true);
            threads.add(thread);
        }
        final long beginNs = System.nanoTime();
        threads.forEach(Thread::start);
        try
        {
            // Less long if an operation fails.
            failed.await(millis, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        isOver = true;
        join(threads);
        final long elapsedNs = System.nanoTime() - beginNs;
        if (failure != null)
        {
            throw new IOException("an operation failed: " + failure.getMessage(), failure);
        }
        return result(elapsedNs);
    }

    private static void join(final List<Thread> threads) throws IOException
    {
        try
        {
            for (final Thread thread : threads)
            {
                thread.join(JOIN_MILLIS);
                if (thread.isAlive())
                {
                    throw new IOException("an operation does not end");
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private Result result(final long elapsedNs)
    {
        final Histogram lookups = new Histogram(3);
        final Histogram updates = new Histogram(3);
        for (final Worker worker : workers)
        {
            lookups.add(worker.lookups);
            updates.add(worker.updates);
        }
        final Turn ofLookups = turn(lookups, elapsedNs);
        final Turn ofUpdates = turn(updates, elapsedNs);
        return new Result((lookups.getTotalCount() + updates.getTotalCount()) * workload.batch(),
            ofLookups.perSecond() + ofUpdates.perSecond(), ofLookups, ofUpdates);
    }

    private Turn turn(final Histogram times, final long elapsedNs)
    {
        return times.getTotalCount() == 0 ? Turn.rate(0) : Turn.of(times, workload.batch(), elapsedNs);
    }
}
