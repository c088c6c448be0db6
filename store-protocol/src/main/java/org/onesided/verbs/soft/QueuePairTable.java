package org.onesided.verbs.soft;

import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * The open queue pairs of a context by number, and the totals of their READs. Thread-safe.
 */
final class QueuePairTable
{
    private static final int NUMBERS = 1 << 24;
    /** Random numbers, which cannot be guessed and differ between processes. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private final int capacity;
    private final Map<Integer, WorkQueues> open = new ConcurrentHashMap<>();
    /** READ counters of closed queue pairs. */
    private final LongAdder earlierReads = new LongAdder();
    private final LongAdder earlierReadBytes = new LongAdder();

    QueuePairTable(final int capacity)
    {
        this.capacity = capacity;
    }

    /**
     * Makes a queue pair and adds it.
     *
     * @param maker makes it, given a number.
     * @return the queue pair.
     * @throws VerbsException with {@code ENOMEM} if there are too many.
     */
    synchronized WorkQueues add(final IntFunction<WorkQueues> maker)
    {
        if (open.size() >= capacity)
        {
            throw new VerbsException("create_qp", Errno.ENOMEM, "too many queue pairs: max=" + capacity);
        }
        int number;
        do
        {
            number = RANDOM.nextInt(NUMBERS - 1) + 1;
        }
        while (open.containsKey(number));
        final WorkQueues queues = maker.apply(number);
        open.put(number, queues);
        return queues;
    }

    synchronized void remove(final WorkQueues queues)
    {
        open.remove(queues.number());
        queues.addCounters(earlierReads, earlierReadBytes);
    }

    /**
     * @return the queue pair of that number, or null.
     */
    WorkQueues find(final int number)
    {
        return open.get(number);
    }

    void forEach(final Consumer<WorkQueues> action)
    {
        open.values().forEach(action);
    }

    /**
     * Adds READs and their bytes to counters, of all queue pairs that there ever were.
     */
    synchronized void putCounters(final Map<String, Long> counters)
    {
        final LongAdder reads = new LongAdder();
        final LongAdder bytes = new LongAdder();
        reads.add(earlierReads.sum());
        bytes.add(earlierReadBytes.sum());
        open.values().forEach((queues) -> queues.addCounters(reads, bytes));
        counters.put("rdma_reads", reads.sum());
        counters.put("rdma_read_bytes", bytes.sum());
    }
}
