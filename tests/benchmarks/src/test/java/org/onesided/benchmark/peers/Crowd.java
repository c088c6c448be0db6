package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Threads that each repeat one call and time it, until they are stopped. For one thread.
 */
final class Crowd implements AutoCloseable
{
    /** Calls have deadlines of seconds. */
    private static final long JOIN_MILLIS = 60_000;

    private final List<Thread> threads = new ArrayList<>();
    private final List<Histogram> times = new ArrayList<>();
    private final int perCall;
    private final long beginNs;
    private volatile boolean isOver;
    private volatile Exception failure;

    /** What a thread repeats. */
    interface Call
    {
        void run() throws IOException;
    }

    private Crowd(final int perCall)
    {
        this.perCall = perCall;
        beginNs = System.nanoTime();
    }

    /**
     * @param calls   one for each thread.
     * @param perCall operations of a call.
     * @param pauseNs between two calls of a thread, or 0.
     */
    static Crowd start(final List<Call> calls, final int perCall, final long pauseNs)
    {
        final Crowd crowd = new Crowd(perCall);
        for (final Call call : calls)
        {
            final Histogram histogram = new Histogram(3);
            final Thread thread = new Thread(
                () -> crowd.repeat(call, histogram, pauseNs), "benchmark-crowd-" + crowd.threads.size());
            thread.setDaemon(true);
            crowd.times.add(histogram);
            crowd.threads.add(thread);
        }
        crowd.threads.forEach(Thread::start);
        return crowd;
    }

    /** Runs a crowd for a while. */
    static Turn run(final List<Call> calls, final int perCall, final long millis) throws IOException
    {
        try (Crowd crowd = start(calls, perCall, 0))
        {
            pause(millis);
            return crowd.stop();
        }
    }

    static void pause(final long millis) throws IOException
    {
        try
        {
            TimeUnit.MILLISECONDS.sleep(millis);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void repeat(final Call call, final Histogram histogram, final long pauseNs)
    {
        try
        {
            long startNs = System.nanoTime();
            while (!isOver)
            {
                call.run();
                final long endNs = System.nanoTime();
                histogram.recordValue(endNs - startNs);
                startNs = endNs;
                if (pauseNs > 0)
                {
                    LockSupport.parkNanos(pauseNs);
                    startNs = System.nanoTime();
                }
            }
        }
        catch (final IOException | RuntimeException e)
        {
            failure = e;
            isOver = true;
        }
    }

    /** @throws IOException if a call failed, or a thread does not end. */
    Turn stop() throws IOException
    {
        close();
        final long elapsedNs = System.nanoTime() - beginNs;
        if (failure != null)
        {
            throw new IOException("a call failed: " + failure, failure);
        }
        if (threads.stream().anyMatch(Thread::isAlive))
        {
            throw new IOException("a call does not end");
        }
        final Histogram all = new Histogram(3);
        times.forEach(all::add);
        return Turn.of(all, perCall, elapsedNs);
    }

    @Override
    public void close()
    {
        isOver = true;
        try
        {
            for (final Thread thread : threads)
            {
                thread.join(JOIN_MILLIS);
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
