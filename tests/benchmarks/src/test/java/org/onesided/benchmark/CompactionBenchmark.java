package org.onesided.benchmark;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.server.table.TableStatistics;

/**
 * What a session's puts wait for while another session's long values make the shard compact its heap. Prints latencies
 * of puts alone, beside long values that find room at once, and beside those for which the heap is compacted.
 * Arguments: device (default shm), memory in MiB (default 256).
 */
final class CompactionBenchmark
{
    private static final int BATCH = 10_000;
    private static final int KEY_LENGTH = 16;
    private static final int VALUE_LENGTH = 100;
    private static final int LONG_LENGTH = 8 << 20;
    private static final int PERCENT_DELETED = 43;
    private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(3);
    /** About as long as a value waits for room. */
    private static final long PAUSE_MILLIS = 40;
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;

    private final StoreServer server;
    private final StoreClient client;
    private volatile boolean isOver;

    private CompactionBenchmark(final StoreServer server, final StoreClient client)
    {
        this.server = server;
        this.client = client;
    }

    public static void main(final String[] args) throws InterruptedException
    {
        final String device = args.length > 0 ? args[0] : "shm";
        final long memory = (args.length > 1 ? Long.parseLong(args[1]) : 256) << 20;
        final ServerOptions options = new ServerOptions().listenPort(0).device(device).shards(1).memory(memory);
        try (StoreServer server = StoreServer.start(options);
            StoreClient client = StoreClient.builder().server("127.0.0.1:" + server.address().getPort())
                .device(device).build())
        {
            new CompactionBenchmark(server, client).run();
        }
    }

    private void run() throws InterruptedException
    {
        try (StoreSession session = client.openSession())
        {
            // The first puts are those of code that is not compiled yet.
            measure(() -> TimeUnit.NANOSECONDS.sleep(BEFORE_NS));
            final Histogram alone = measure(() -> TimeUnit.NANOSECONDS.sleep(BEFORE_NS));
            report("alone", alone);
            report("beside long values that find room", measure(() -> putAndDelete(session)));
            scatter(session);
            final Histogram meanwhile = measure(() -> putLongValues(session));
            report("beside compaction", meanwhile);
            System.out.printf("p99 beside compaction / p99 alone: %.2f%n",
                (double)meanwhile.getValueAtPercentile(99) / alone.getValueAtPercentile(99));
        }
    }

    /** What goes on while another session puts. */
    private interface Work
    {
        void run() throws InterruptedException;
    }

    private Histogram measure(final Work work) throws InterruptedException
    {
        final Histogram latencies = new Histogram(3);
        final Thread other = new Thread(() -> putUntilOver(latencies), "short-puts");
        isOver = false;
        other.start();
        try
        {
            work.run();
        }
        finally
        {
            isOver = true;
            other.join();
        }
        return latencies;
    }

    private static void putAndDelete(final StoreSession session) throws InterruptedException
    {
        final byte[] key = key(-2);
        final byte[] value = new byte[LONG_LENGTH];
        final long endNs = System.nanoTime() + BEFORE_NS;
        while (System.nanoTime() - endNs < 0)
        {
            session.put(key, value);
            session.delete(key);
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private static void scatter(final StoreSession session)
    {
        final List<byte[]> keys = new ArrayList<>();
        boolean isFull = false;
        while (!isFull)
        {
            final List<byte[]> batch = new ArrayList<>();
            for (int i = 0; i < BATCH; i++)
            {
                batch.add(key(keys.size() + i));
            }
            try
            {
                session.putAll(batch, Collections.nCopies(BATCH, new byte[VALUE_LENGTH]));
            }
            catch (final StoreBatchException e)
            {
                isFull = true;
            }
            keys.addAll(batch);
        }
        final Random random = new Random(1);
        for (final byte[] key : keys)
        {
            if (random.nextInt(100) < PERCENT_DELETED)
            {
                session.delete(key);
            }
        }
    }

    private void putLongValues(final StoreSession session)
    {
        final byte[] value = new byte[LONG_LENGTH];
        final long movedBefore = recordsMoved();
        final long beginNs = System.nanoTime();
        int count = 0;
        boolean isFull = false;
        while (!isFull)
        {
            try
            {
                session.put(("long " + count).getBytes(StandardCharsets.US_ASCII), value);
                count++;
            }
            catch (final StoreFullException e)
            {
                isFull = true;
            }
        }
        System.out.printf(
            "%d values of %d MiB, %.1f ms each, %,d records moved until there was no room; heap in use: %.3f%n",
            count, LONG_LENGTH >> 20, (System.nanoTime() - beginNs) / NS_PER_MS / Math.max(1, count),
            recordsMoved() - movedBefore, heapInUse());
    }

    private void putUntilOver(final Histogram latencies)
    {
        try (StoreSession session = client.openSession())
        {
            final byte[] key = key(-1);
            final byte[] value = new byte[VALUE_LENGTH];
            while (!isOver)
            {
                final long beginNs = System.nanoTime();
                session.put(key, value);
                latencies.recordValue(System.nanoTime() - beginNs);
            }
        }
    }

    private static void report(final String when, final Histogram latencies)
    {
        System.out.printf("%-34s %,8d puts: median %.0f us, p99 %.0f us, p99.9 %.0f us, longest %.0f us%n",
            when, latencies.getTotalCount(), latencies.getValueAtPercentile(50) / NS_PER_US,
            latencies.getValueAtPercentile(99) / NS_PER_US, latencies.getValueAtPercentile(99.9) / NS_PER_US,
            latencies.getMaxValue() / NS_PER_US);
    }

    private long recordsMoved()
    {
        return server.metrics().shards().get(0).table().recordsMoved();
    }

    private double heapInUse()
    {
        final TableStatistics table = server.metrics().shards().get(0).table();
        return (double)table.heapBytesUsed() / table.heapBytes();
    }

    private static byte[] key(final long number)
    {
        return ByteBuffer.allocate(KEY_LENGTH).putLong(number).array();
    }
}
