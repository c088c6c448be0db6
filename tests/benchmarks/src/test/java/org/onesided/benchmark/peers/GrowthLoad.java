package org.onesided.benchmark.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;
import org.onesided.peers.Draw;
import org.onesided.peers.Records;

/**
 * What goes on while a table grows: one thread looks known keys up, another one puts. The thread that makes it may look
 * absent keys up meanwhile. Neither loop allocates.
 */
final class GrowthLoad implements AutoCloseable
{
    /** Records that it puts itself, unless it runs for more than some minutes. */
    static final int MOST_OWN_RECORDS = 200_000;

    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int KNOWN = 100_000;
    /** Numbers of keys that nobody imports. */
    private static final long FIRST_KNOWN = Records.MAX_COUNT - 1_000_000;
    private static final long FIRST_PUT = FIRST_KNOWN - 5_000_000;
    private static final long FIRST_ABSENT = FIRST_PUT - 10_000_000;
    private static final int MISSES = 50_000;
    private static final int LOOKUPS_PER_LOOK = 1 << 10;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PUT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long END_MILLIS = 60_000;

    /**
     * @param records in the table, about.
     * @param perGet  READs of a lookup on average.
     */
    record Reads(long records, double perGet)
    {
    }

    private final String address;
    private final String device;
    private final int valueLength;
    private final long mirrorBytes;
    private final StoreClient client;
    private final StoreClient putClient;
    private final StoreSession statistics;
    private final Histogram lookups = new Histogram(3);
    private final Histogram puts = new Histogram(3);
    private final Thread lookupThread = new Thread(() -> run(this::lookUp), "lookups");
    private final Thread putThread = new Thread(() -> run(this::put), "puts");
    private final CountDownLatch known = new CountDownLatch(1);
    private volatile boolean isOver;
    private volatile RuntimeException failure;
    private double readsPerLookup;
    private double mostReadsPerLookup;

    /**
     * @param mirrorBytes of the client that looks absent keys up.
     */
    GrowthLoad(final String address, final String device, final int valueLength, final long mirrorBytes)
    {
        this.address = address;
        this.device = device;
        this.valueLength = valueLength;
        this.mirrorBytes = mirrorBytes;
        client = newClient(mirrorBytes);
        putClient = newClient(1 << 20);
        statistics = putClient.openSession();
    }

    private StoreClient newClient(final long mirror)
    {
        return StoreClient.builder().server(address).device(device).deadline(DEADLINE).mirrorBytes(mirror).build();
    }

    private UnsafeBuffer newKey()
    {
        final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(Records.KEY_LENGTH));
        key.putLong(0, Records.firstKeyWord(), ByteOrder.LITTLE_ENDIAN);
        return key;
    }

    private UnsafeBuffer newValue()
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(valueLength));
    }

    private static void number(final UnsafeBuffer key, final long number)
    {
        key.putLong(Long.BYTES, Records.lastKeyWord(number), ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns when the lookups have begun. */
    void start() throws InterruptedException
    {
        lookupThread.start();
        if (!known.await(END_MILLIS, TimeUnit.MILLISECONDS))
        {
            throw new IllegalStateException("lookups do not begin", failure);
        }
        putThread.start();
    }

    private void run(final Runnable loop)
    {
        try
        {
            loop.run();
        }
        catch (final RuntimeException e)
        {
            failure = e;
        }
    }

    private void lookUp()
    {
        final UnsafeBuffer key = newKey();
        final UnsafeBuffer value = newValue();
        try (StoreSession session = client.openSession())
        {
            for (int i = 0; i < KNOWN; i++)
            {
                number(key, FIRST_KNOWN + i);
                session.put(key, 0, Records.KEY_LENGTH, value, 0, valueLength);
                // The mirror knows only what it has looked up, or put: here it knows it for sure.
                session.get(key, 0, Records.KEY_LENGTH, value, 0);
            }
            known.countDown();
            final Draw draw = Draw.uniform(KNOWN, 1);
            final ClientStatistics begin = session.clientStatistics();
            ClientStatistics before = begin;
            long secondNs = System.nanoTime();
            while (!isOver)
            {
                for (int i = 0; i < LOOKUPS_PER_LOOK; i++)
                {
                    number(key, FIRST_KNOWN + draw.next());
                    final long beginNs = System.nanoTime();
                    final int length = session.get(key, 0, Records.KEY_LENGTH, value, 0);
                    lookups.recordValue(System.nanoTime() - beginNs);
                    if (length != valueLength)
                    {
                        throw new IllegalStateException("a record is lost: length=" + length);
                    }
                }
                if (System.nanoTime() - secondNs >= SECOND_NS)
                {
                    secondNs = System.nanoTime();
                    final ClientStatistics now = session.clientStatistics();
                    mostReadsPerLookup = Math.max(mostReadsPerLookup, perGet(before, now));
                    before = now;
                }
            }
            readsPerLookup = perGet(begin, session.clientStatistics());
        }
    }

    private void put()
    {
        final UnsafeBuffer key = newKey();
        final UnsafeBuffer value = newValue();
        try (StoreSession session = putClient.openSession())
        {
            for (long i = 0; !isOver; i++)
            {
                // Each key twice: an insert and an overwrite.
                number(key, FIRST_PUT + i / 2);
                final long beginNs = System.nanoTime();
                session.put(key, 0, Records.KEY_LENGTH, value, 0, valueLength);
                puts.recordValue(System.nanoTime() - beginNs);
                LockSupport.parkNanos(PUT_PAUSE_NS);
            }
        }
    }

    private static double perGet(final ClientStatistics before, final ClientStatistics now)
    {
        return now.gets() == before.gets() ? 0 : (double)(now.reads() - before.reads()) / (now.gets() - before.gets());
    }

    /** Looks absent keys up with a client that has just warmed its mirror up. */
    Reads misses()
    {
        final UnsafeBuffer key = newKey();
        final UnsafeBuffer value = newValue();
        final Draw draw = Draw.uniform(FIRST_PUT - FIRST_ABSENT, System.nanoTime());
        try (StoreClient fresh = newClient(mirrorBytes);
            StoreSession session = fresh.openSession())
        {
            session.warmUp();
            final ClientStatistics before = session.clientStatistics();
            for (int i = 0; i < MISSES; i++)
            {
                number(key, FIRST_ABSENT + draw.next());
                if (session.get(key, 0, Records.KEY_LENGTH, value, 0) >= 0)
                {
                    throw new IllegalStateException("a record that nobody put");
                }
            }
            return new Reads(records(), perGet(before, session.clientStatistics()));
        }
    }

    long records()
    {
        return sum(ShardStatistics::records);
    }

    long segments()
    {
        return sum(ShardStatistics::segments);
    }

    private long sum(final ToLongFunction<ShardStatistics> counter)
    {
        if (failure != null)
        {
            throw failure;
        }
        return statistics.statistics().stream().mapToLong(counter).sum();
    }

    /** Ends both threads; what follows tells what they have measured. */
    void stop() throws InterruptedException
    {
        isOver = true;
        for (final Thread thread : new Thread[] {lookupThread, putThread})
        {
            thread.join(END_MILLIS);
            if (thread.isAlive())
            {
                throw new IllegalStateException("a thread does not end: thread=" + thread.getName());
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    Histogram lookups()
    {
        return lookups;
    }

    Histogram puts()
    {
        return puts;
    }

    double readsPerLookup()
    {
        return readsPerLookup;
    }

    double mostReadsPerLookup()
    {
        return mostReadsPerLookup;
    }

    @Override
    public void close()
    {
        isOver = true;
        statistics.close();
        client.close();
        putClient.close();
    }
}
