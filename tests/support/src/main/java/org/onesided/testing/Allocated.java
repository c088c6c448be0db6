package org.onesided.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;

/**
 * Counts the bytes that work allocates, on the thread that does it and on the shards' threads of a server in this JVM.
 */
public final class Allocated
{
    private static final String SHARD_THREADS = "store-shard-";
    private static final String DEVICE_THREADS = "tcp-progress-";
    /** The compiler may still be at work in the first rounds. */
    private static final int ROUNDS = 30;

    private Allocated()
    {
    }

    /**
     * Does the work until a round of it allocates nothing, a bounded number of times.
     *
     * @param round of the work.
     * @return the least bytes that a round has allocated, shards and the threads of devices included.
     */
    public static long leastBytes(final Runnable round)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long[] shards = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
            .filter((info) -> info != null && (info.getThreadName().startsWith(SHARD_THREADS) ||
                info.getThreadName().startsWith(DEVICE_THREADS)))
            .mapToLong(ThreadInfo::getThreadId)
            .toArray();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS && least > 0; i++)
        {
            final long shardsBefore = sum(threads.getThreadAllocatedBytes(shards));
            final long before = threads.getCurrentThreadAllocatedBytes();
            round.run();
            final long own = threads.getCurrentThreadAllocatedBytes() - before;
            least = Math.min(least, own + sum(threads.getThreadAllocatedBytes(shards)) - shardsBefore);
        }
        return least;
    }

    private static long sum(final long[] bytes)
    {
        return Arrays.stream(bytes).sum();
    }
}
