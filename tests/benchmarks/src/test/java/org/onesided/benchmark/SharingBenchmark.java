package org.onesided.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.testing.ServerProcess;

/**
 * Prints lookups per second of threads that share one client, with as many sessions as it may have: the table of
 * docs/library.md.
 *
 * <p>Arguments: the device, rounds, and {@code THREADS:SESSIONS} as often as wanted.
 */
public final class SharingBenchmark
{
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(1000);
    private static final long MEASURED_NS = TimeUnit.MILLISECONDS.toNanos(1000);
    private static final int KEYS = 1024;
    private static final int VALUE_LENGTH = 100;
    private static final int SETTINGS = 2;
    private static final Predicate<String> IS_CASE =
        Pattern.compile("[1-9][0-9]{0,3}:[1-9][0-9]{0,2}").asMatchPredicate();

    private final LongAdder gets = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private volatile String failure = "";
    private volatile boolean isOver;

    private SharingBenchmark()
    {
    }

    /**
     * @param arguments device, rounds, and pairs of threads and sessions.
     * @throws IOException          if the server fails.
     * @throws InterruptedException if it is to end.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        if (arguments.length <= SETTINGS || !Arrays.stream(arguments).skip(SETTINGS).allMatch(IS_CASE))
        {
            System.err.println("sharing: name a device, rounds and THREADS:SESSIONS, such as: tcp 5 1:8 200:200");
            System.exit(2);
        }
        final int rounds = Integer.parseInt(arguments[1]);
        final String[] cases = Arrays.copyOfRange(arguments, SETTINGS, arguments.length);
        final long[][] rates = new long[cases.length][rounds];
        final long[] errors = new long[cases.length];
        String why = "";
        try (ServerProcess server = ServerProcess.start(
            "--device", arguments[0], "--memory", "64m", "--max-sessions", "512"))
        {
            for (int round = 0; round < rounds; round++)
            {
                for (int i = 0; i < cases.length; i++)
                {
                    final String[] pair = cases[i].split(":");
                    final SharingBenchmark benchmark = new SharingBenchmark();
                    rates[i][round] = benchmark.run(
                        server, arguments[0], Integer.parseInt(pair[0]), Integer.parseInt(pair[1]));
                    errors[i] += benchmark.errors.sum();
                    why = benchmark.failure.isEmpty() ? why : benchmark.failure;
                }
            }
        }
        System.out.println("| threads | `maxSessions` | GETs per second, median | least | most | errors |");
        System.out.println("|---|---|---|---|---|---|");
        for (int i = 0; i < cases.length; i++)
        {
            Arrays.sort(rates[i]);
            System.out.printf(Locale.ROOT, "| %s | %s | %,d | %,d | %,d | %d |%n",
                cases[i].split(":")[0], cases[i].split(":")[1], rates[i][rounds / 2], rates[i][0],
                rates[i][rounds - 1], errors[i]);
        }
        if (!why.isEmpty())
        {
            System.out.println("\nlast error: " + why);
        }
    }

    private long run(final ServerProcess server, final String device, final int threads, final int sessions)
        throws InterruptedException
    {
        try (StoreClient client =
            StoreClient.builder().server(server.address()).device(device).maxSessions(sessions).build())
        {
            for (int i = 0; i < KEYS; i++)
            {
                client.put(key(i), new byte[VALUE_LENGTH]);
            }
            final CountDownLatch begun = new CountDownLatch(threads);
            final Thread[] all = new Thread[threads];
            for (int i = 0; i < threads; i++)
            {
                final int first = i * 31;
                all[i] = new Thread(() -> lookUp(client, first, begun), "sharing-" + i);
                all[i].setDaemon(true);
                all[i].start();
            }
            begun.await();
            TimeUnit.NANOSECONDS.sleep(WARM_UP_NS);
            final long before = gets.sum();
            final long startNs = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(MEASURED_NS);
            final long rate = (gets.sum() - before) * 1_000_000_000L / (System.nanoTime() - startNs);
            isOver = true;
            for (final Thread thread : all)
            {
                thread.join();
            }
            return rate;
        }
    }

    private void lookUp(final StoreClient client, final int first, final CountDownLatch begun)
    {
        final UnsafeBuffer[] keys = new UnsafeBuffer[KEYS];
        for (int i = 0; i < KEYS; i++)
        {
            keys[i] = new UnsafeBuffer(key(i));
        }
        final UnsafeBuffer value = new UnsafeBuffer(new byte[VALUE_LENGTH]);
        begun.countDown();
        for (int i = first; !isOver; i++)
        {
            try
            {
                final UnsafeBuffer key = keys[i % KEYS];
                if (client.get(key, 0, key.capacity(), value, 0) != VALUE_LENGTH)
                {
                    throw new IllegalStateException("value is missing: key=" + i % KEYS);
                }
                gets.increment();
            }
            catch (final StoreException e)
            {
                errors.increment();
                failure = e.getMessage();
            }
        }
    }

    private static byte[] key(final int number)
    {
        return ("key-" + number).getBytes(UTF_8);
    }
}
