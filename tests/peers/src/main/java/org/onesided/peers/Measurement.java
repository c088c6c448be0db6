package org.onesided.peers;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Does one operation again and again for some time. The clock is read before and after each batch of operations, so
 * that it costs little; a batch's mean is one value of the distribution. What reading the clock itself takes is
 * subtracted. The numbers of the records are drawn before the first reading; the keys are made of them after it.
 *
 * @param operation {@code get}, {@code getAll} or {@code put}.
 * @param keys      of each operation; 1 but for {@code getAll}.
 * @param batch     operations between two readings of the clock.
 * @param pauseNs   that the thread sleeps before each batch, in nanoseconds; 0 for not at all.
 * @param lengthNs  that it takes in all, in nanoseconds.
 * @param draw      of the records.
 */
record Measurement(String operation, int keys, int batch, long pauseNs, long lengthNs, Draw draw)
{
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int CLOCK_READINGS = 10_000;

    static Measurement of(final Arguments arguments, final long count)
    {
        if (count == 0)
        {
            throw new IllegalStateException("load first");
        }
        return new Measurement(
            arguments.text("operation"),
            (int)arguments.number("keys", 1),
            (int)arguments.number("batch"),
            TimeUnit.MICROSECONDS.toNanos(arguments.number("pause", 0)),
            TimeUnit.MILLISECONDS.toNanos(arguments.number("millis")),
            Draw.uniform(count, arguments.number("seed")));
    }

    Map<String, Object> run(final Subject subject) throws Exception
    {
        final Histogram histogram = new Histogram(LONGEST_NS, 3);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long[] numbers = new long[keys * batch];
        final long clockNs = clockNs();
        final long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
        final long beginNs = System.nanoTime();
        long endNs = beginNs;
        while (endNs - beginNs < lengthNs)
        {
            long expected = 0;
            for (int i = 0; i < numbers.length; i++)
            {
                numbers[i] = draw.next();
                expected += Records.firstValueWord(numbers[i]);
            }
            if (pauseNs > 0)
            {
                LockSupport.parkNanos(pauseNs);
            }
            final long startNs = System.nanoTime();
            final long found = switch (operation)
            {
                case "get" -> gets(subject, numbers);
                case "getAll" -> getAlls(subject, numbers);
                case "put" -> puts(subject, numbers, expected);
                default -> throw new IllegalArgumentException("no such operation: operation=" + operation);
            };
            endNs = System.nanoTime();
            if (found != expected)
            {
                throw new IllegalStateException("another value than was put: operation=" + operation);
            }
            histogram.recordValue(Math.min(LONGEST_NS, Math.max(0, endNs - startNs - clockNs)));
        }
        final long allocated = threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
        final double perKey = (double)keys * batch;
        return Map.of(
            "medianNs", histogram.getValueAtPercentile(50) / perKey,
            "p99Ns", histogram.getValueAtPercentile(99) / perKey,
            "meanNs", histogram.getMean() / perKey,
            "operations", histogram.getTotalCount() * batch,
            "allocatedBytes", allocated / (histogram.getTotalCount() * perKey));
    }

    private long gets(final Subject subject, final long[] numbers) throws Exception
    {
        long sum = 0;
        for (final long number : numbers)
        {
            sum += subject.get(number);
        }
        return sum;
    }

    private long getAlls(final Subject subject, final long[] numbers) throws Exception
    {
        if (batch != 1)
        {
            throw new IllegalArgumentException("getAll is a batch by itself: batch=" + batch);
        }
        return subject.getAll(numbers);
    }

    private long puts(final Subject subject, final long[] numbers, final long expected) throws Exception
    {
        for (final long number : numbers)
        {
            subject.put(number);
        }
        return expected;
    }

    /** The least that two readings, one after the other, differ by most of the time. */
    private static long clockNs()
    {
        final Histogram histogram = new Histogram(LONGEST_NS, 3);
        for (int i = 0; i < CLOCK_READINGS; i++)
        {
            final long startNs = System.nanoTime();
            final long endNs = System.nanoTime();
            histogram.recordValue(Math.min(LONGEST_NS, endNs - startNs));
        }
        return histogram.getValueAtPercentile(50);
    }
}
