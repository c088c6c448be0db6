package org.onesided.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Many threads that look records up at the same time.
 */
public final class Crowd
{
    /** One thread's way to look records up. */
    @FunctionalInterface
    public interface Lookup
    {
        /**
         * @param number of the record.
         * @return first word of its value.
         * @throws Exception if that fails.
         */
        long get(long number) throws Exception;
    }

    /** Makes each thread's way to look records up, in that thread. */
    @FunctionalInterface
    public interface Maker
    {
        /**
         * @return for the calling thread.
         * @throws Exception if it cannot be made.
         */
        Lookup make() throws Exception;
    }

    private Crowd()
    {
    }

    /**
     * @param arguments {@code threads=}, {@code millis=}, {@code count=} of the records, {@code seed=}.
     * @param maker     of what each thread uses.
     * @return how many lookups there were, and nanoseconds of the whole divided by that.
     * @throws Exception if one fails.
     */
    public static Map<String, Object> run(final Arguments arguments, final Maker maker) throws Exception
    {
        final int count = (int)arguments.number("threads");
        final long lengthNs = TimeUnit.MILLISECONDS.toNanos(arguments.number("millis"));
        final ExecutorService threads = Executors.newFixedThreadPool(count);
        try
        {
            final long beginNs = System.nanoTime();
            final List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                final Draw draw = Draw.uniform(arguments.number("count"), arguments.number("seed") * count + i);
                running.add(threads.submit(() -> lookups(maker.make(), draw, beginNs + lengthNs)));
            }
            long operations = 0;
            for (final Future<Long> one : running)
            {
                operations += one.get();
            }
            return Map.of("operations", operations, "meanNs", (System.nanoTime() - beginNs) / (double)operations);
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    private static long lookups(final Lookup lookup, final Draw draw, final long endNs) throws Exception
    {
        long operations = 0;
        while (System.nanoTime() - endNs < 0)
        {
            final long number = draw.next();
            if (lookup.get(number) != Records.firstValueWord(number))
            {
                throw new IllegalStateException("another value than was put: number=" + number);
            }
            operations++;
        }
        return operations;
    }
}
