package org.onesided.fuzz;

import java.io.IOException;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Feeds one target. The same seed and number are the same input, as long as the corpus is the same.
 */
final class FuzzLoop
{
    /** Before this many inputs classes are loaded and tables made, which count as nobody's. */
    private static final int WARM_UP = 200;
    private static final ClassLoadingMXBean CLASSES = ManagementFactory.getClassLoadingMXBean();

    private final FuzzTarget target;
    private final long seed;
    private final List<byte[]> corpus;
    private final Mutator mutator;
    private final Thread thread = Thread.currentThread();
    private long fed;
    private long mostAllocated;
    private long elapsedNs;
    private volatile byte[] current;
    private volatile long currentNs = System.nanoTime();

    FuzzLoop(final FuzzTarget target, final long seed) throws IOException
    {
        this.target = target;
        this.seed = seed;
        corpus = Corpus.of(target);
        mutator = new Mutator(corpus, target.words(), target.maxLength());
    }

    /** Feeds what the corpus holds, then what the mutator makes of it, until time is up or so many were fed. */
    void run(final double seconds, final long from, final long inputs)
    {
        final long beginNs = System.nanoTime();
        final long endNs = beginNs + (long)(seconds * TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < corpus.size(); i++)
        {
            feed(corpus.get(i), "kept " + i);
        }
        for (long i = from; i - from < inputs && System.nanoTime() - endNs < 0; i++)
        {
            feed(mutator.next(random(i)), "number=" + i);
        }
        elapsedNs = System.nanoTime() - beginNs;
    }

    private Random random(final long number)
    {
        return new Random((seed * 31 + target.name().hashCode()) * 0x9E37_79B9_7F4A_7C15L + number);
    }

    private void feed(final byte[] input, final String which)
    {
        final long classes = CLASSES.getTotalLoadedClassCount();
        long allocated = feedOnce(input, which);
        if (++fed > WARM_UP)
        {
            if (allocated > target.maxAllocated(input.length) && CLASSES.getTotalLoadedClassCount() > classes)
            {
                // The first use of classes, such as for a line of the log, allocates as well.
                allocated = feedOnce(input, which);
            }
            mostAllocated = Math.max(mostAllocated, allocated);
            if (allocated > target.maxAllocated(input.length))
            {
                throw failed(which, input, new AssertionError("allocates too much: bytes=" + allocated));
            }
        }
    }

    private long feedOnce(final byte[] input, final String which)
    {
        current = input;
        currentNs = System.nanoTime();
        final long before = target.allocated();
        try
        {
            target.feed(input);
        }
        catch (final Exception | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e)
        {
            throw failed(which, input, e);
        }
        return target.allocated() - before;
    }

    private AssertionError failed(final String which, final byte[] input, final Throwable cause)
    {
        return new AssertionError(target.name() + ": seed=" + seed + ' ' + which + " length=" + input.length +
            " kept in " + Corpus.keep(target.name(), input) + ": " + cause, cause);
    }

    /** What it has been at for longer than that, and where; null if nothing. Safe to ask from any thread. */
    String stuck(final long longestNs)
    {
        final byte[] input = current;
        if (input == null || System.nanoTime() - currentNs < longestNs)
        {
            return null;
        }
        return target.name() + ": seed=" + seed + " hangs over what is kept in " +
            Corpus.keep(target.name(), input) + ": " + List.of(thread.getStackTrace());
    }

    /** What was done. */
    @Override
    public String toString()
    {
        return String.format("%-18s seed=%d inputs=%d rate=%.0f/s most-allocated=%d", target.name(), seed, fed,
            fed / Math.max(1e-9, elapsedNs / 1e9), mostAllocated);
    }
}
