package org.onesided.tools.kvctl.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.onesided.client.StoreOperations;
import org.onesided.client.exceptions.StoreException;
import org.onesided.verbs.ThreadEnd;

/**
 * A thread that writes new keys, and one that looks keys up, while something happens to the servers. They remember the
 * longest time that one operation took, with all its attempts. For one thread beside these two.
 */
final class DemoLoad implements AutoCloseable
{
    private static final long LONGEST_STOP_NS = TimeUnit.SECONDS.toNanos(90);

    private final StoreOperations client;
    private final int keys;
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    private final Meter writes = new Meter();
    private final Meter lookups = new Meter();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private final Thread writer = new Thread(() -> run(this::write, writes()), "kvctl-demo-writer");
    private final Thread reader = new Thread(() -> run(this::lookUp, lookups()), "kvctl-demo-reader");
    private volatile boolean isEnding;

    /**
     * How operations went. Written by one thread.
     */
    static final class Meter
    {
        private volatile long done;
        private volatile long failed;
        private volatile long longestNs;

        /** Operations that succeeded. */
        long done()
        {
            return done;
        }

        /** Attempts that failed. */
        long failed()
        {
            return failed;
        }

        /** Longest operation, with its failed attempts, in nanoseconds. */
        long longestNs()
        {
            return longestNs;
        }

        /** Forgets the longest one. */
        void begin()
        {
            longestNs = 0;
        }
    }

    /** One attempt. */
    @FunctionalInterface
    private interface Step
    {
        void run(long number);
    }

    /**
     * Starts the threads.
     *
     * @param client to use.
     * @param keys   that are there already, as {@link #key} names them.
     */
    DemoLoad(final StoreOperations client, final int keys)
    {
        this.client = client;
        this.keys = keys;
        writer.start();
        reader.start();
    }

    static String key(final long number)
    {
        return "key-" + number;
    }

    static String value(final long number)
    {
        return "value-" + number;
    }

    Meter writes()
    {
        return writes;
    }

    Meter lookups()
    {
        return lookups;
    }

    /** What was written and acknowledged. */
    Map<String, String> acknowledged()
    {
        return acknowledged;
    }

    private void write(final long number)
    {
        final String key = "new-" + number;
        client.put(key, value(number));
        acknowledged.put(key, value(number));
    }

    private void lookUp(final long number)
    {
        final long which = number % keys;
        final String found = client.get(key(which));
        if (!value(which).equals(found))
        {
            throw new IllegalStateException(
                "a key that was put is not there: key=" + key(which) + " found=" + found);
        }
    }

    private void run(final Step step, final Meter meter)
    {
        try
        {
            for (long number = 0; !isEnding; number++)
            {
                final long beganNs = System.nanoTime();
                while (!isEnding && !attempt(step, number, meter))
                {
                    // The next attempt waits by itself.
                    Thread.onSpinWait();
                }
                meter.longestNs = Math.max(meter.longestNs, System.nanoTime() - beganNs);
                meter.done++;
            }
        }
        catch (final RuntimeException e)
        {
            failure.compareAndSet(null, e);
        }
    }

    private static boolean attempt(final Step step, final long number, final Meter meter)
    {
        try
        {
            step.run(number);
            return true;
        }
        catch (final StoreException e)
        {
            meter.failed++;
            return false;
        }
    }

    /** Ends the threads, and fails if one of them found something wrong. */
    void end()
    {
        close();
        if (failure.get() != null)
        {
            throw failure.get();
        }
    }

    @Override
    public void close()
    {
        isEnding = true;
        for (final Thread thread : new Thread[]{writer, reader})
        {
            final String stuck = ThreadEnd.await(thread, LONGEST_STOP_NS);
            if (stuck != null)
            {
                throw new IllegalStateException(stuck);
            }
        }
    }
}
