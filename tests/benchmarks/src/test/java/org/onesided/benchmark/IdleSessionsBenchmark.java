package org.onesided.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.testing.ServerProcess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What idle sessions cost a busy one: puts and lookups of one session beside none and beside many that do nothing.
 */
@Command(
    name = "tests/run idle-sessions",
    description = "Measures puts and lookups of one session, alone and beside many that do nothing, and prints the " +
        "medians and their ratio.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false)
final class IdleSessionsBenchmark implements Callable<Integer>
{
    private static final int MAX_SAMPLES = 1 << 22;
    private static final int KEY_LENGTH = 16;
    private static final int VALUE_LENGTH = 100;
    /** The last one is put after a pause. */
    private static final String[] NAMES = {"PUTs in a row", "GETs in a row", "PUTs at 1 per ms"};
    private static final long PACE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    @Option(names = "--device", paramLabel = "NAME", description = "Of server and client.")
    private String device = "shm";

    @Option(names = "--sessions", paramLabel = "N", description = "That do nothing.")
    private int sessions = 1000;

    @Option(names = "--spin", paramLabel = "TIME", description = "Of the server, as its option --spin.")
    private String spin = "always";

    @Option(names = "--rounds", paramLabel = "N", description = "Of both cases, one after the other.")
    private int rounds = 3;

    @Option(names = "--millis", paramLabel = "N", description = "Of each measurement; as long to warm up.")
    private int millis = 1500;

    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[VALUE_LENGTH]);
    private final long[] samples = new long[MAX_SAMPLES];

    private IdleSessionsBenchmark()
    {
    }

    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new IdleSessionsBenchmark()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException
    {
        final double[][] alone = new double[NAMES.length][rounds];
        final double[][] beside = new double[NAMES.length][rounds];
        final double[][] ratios = new double[NAMES.length][rounds];
        for (int round = 0; round < rounds; round++)
        {
            measure(0, alone, round);
            measure(sessions, beside, round);
            for (int i = 0; i < NAMES.length; i++)
            {
                ratios[i][round] = beside[i][round] / alone[i][round];
            }
        }
        System.out.printf(
            Locale.ROOT,
            "| medians of %d rounds over %s | alone | beside %,d idle sessions | ratio, least to most |%n" +
                "|---|---|---|---|%n",
            rounds, device, sessions);
        for (int i = 0; i < NAMES.length; i++)
        {
            System.out.printf(Locale.ROOT, "| %s | %.2f µs | %.2f µs | %.2f, %.2f to %.2f |%n", NAMES[i],
                median(alone[i]), median(beside[i]), median(ratios[i]), ratios[i][0], ratios[i][rounds - 1]);
        }
        return 0;
    }

    private void measure(final int idle, final double[][] medians, final int round) throws IOException
    {
        final List<StoreSession> held = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(
            "--device", device, "--memory", "64m", "--spin", spin, "--max-sessions", Integer.toString(sessions + 16));
            StoreClient holder = client(server);
            StoreClient client = client(server);
            StoreSession session = client.openSession())
        {
            for (int i = 0; i < idle; i++)
            {
                held.add(holder.openSession());
            }
            final Runnable put = () -> session.put(key, 0, KEY_LENGTH, value, 0, VALUE_LENGTH);
            final Runnable get = () -> session.get(key, 0, KEY_LENGTH, value, 0);
            medians[0][round] = medianOf(put, 0);
            medians[1][round] = medianOf(get, 0);
            medians[2][round] = medianOf(put, PACE_NS);
        }
        finally
        {
            held.forEach(StoreSession::close);
        }
    }

    private StoreClient client(final ServerProcess server)
    {
        return StoreClient.builder().server(server.address()).device(device).maxSessions(sessions + 1).build();
    }

    /** In microseconds. */
    private double medianOf(final Runnable operation, final long paceNs)
    {
        sample(operation, paceNs);
        final int count = sample(operation, paceNs);
        Arrays.sort(samples, 0, count);
        return samples[count / 2] / 1e3;
    }

    private int sample(final Runnable operation, final long paceNs)
    {
        int count = 0;
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long nextNs = System.nanoTime();
        while (nextNs - endNs < 0 && count < MAX_SAMPLES)
        {
            for (long leftNs = nextNs - System.nanoTime(); leftNs > 0; leftNs = nextNs - System.nanoTime())
            {
                LockSupport.parkNanos(leftNs);
            }
            final long beginNs = System.nanoTime();
            operation.run();
            final long doneNs = System.nanoTime();
            samples[count++] = doneNs - beginNs;
            nextNs = paceNs > 0 ? nextNs + paceNs : doneNs;
        }
        return count;
    }

    private static double median(final double[] values)
    {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
