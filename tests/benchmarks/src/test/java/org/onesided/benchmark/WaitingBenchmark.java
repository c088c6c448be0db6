package org.onesided.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.Waiting;
import org.onesided.testing.ServerProcess;
import org.onesided.verbs.Devices;
import org.onesided.verbs.VerbsException;

/**
 * Latency and processor time of each way of waiting, on both sides: puts and lookups one after the other, at one per
 * millisecond, and nothing at all. Prints the tables of docs/waiting.md.
 *
 * <p>Arguments: the device, and {@code short} for only the same way on both sides and the defaults.
 */
public final class WaitingBenchmark
{
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final long MEASURED_NS = TimeUnit.MILLISECONDS.toNanos(2000);
    private static final long PACE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Of the kernel's clock for user space, 100 a second on all that Java runs on. */
    private static final long NS_PER_TICK = 10_000_000L;
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final int MAX_SAMPLES = 1 << 22;
    private static final int USAGE = 2;
    private static final int KEY_LENGTH = 16;
    private static final int VALUE_LENGTH = 100;
    private static final List<Mode> MODES = List.of(
        new Mode("sleeping", "never", Waiting.SLEEPING),
        new Mode("20 µs", "20us", Waiting.spinningFor(Duration.ofNanos(20_000))),
        new Mode("50 µs", "50us", Waiting.spinningFor(Duration.ofNanos(50_000))),
        new Mode("spinning", "always", Waiting.SPINNING));
    private static final Mode CLIENT_DEFAULT = MODES.get(1);
    private static final Mode SERVER_DEFAULT = MODES.get(2);

    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[VALUE_LENGTH]);
    private final long[] samples = new long[MAX_SAMPLES];
    private final String device;
    private final boolean isShort;
    private int count;

    private record Mode(String name, String spin, Waiting waiting)
    {
    }

    private WaitingBenchmark(final String device, final boolean isShort)
    {
        this.device = device;
        this.isShort = isShort;
    }

    /**
     * @param arguments the device, and perhaps {@code short}.
     * @throws IOException if a server fails.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final int exitCode = refuse(arguments);
        if (exitCode != 0)
        {
            System.exit(exitCode);
        }
        new WaitingBenchmark(arguments[0], arguments.length > 1).run();
    }

    /** Says in one line what cannot be measured; the exit code, 0 for what can. */
    static int refuse(final String[] arguments)
    {
        if (arguments.length > 2 || arguments.length > 1 && !"short".equals(arguments[1]))
        {
            System.err.println("waiting: behind the device only 'short' is known: " +
                String.join(" ", List.of(arguments).subList(1, arguments.length)) + "; see tests/run waiting --help");
            return USAGE;
        }
        try
        {
            Devices.find(arguments[0]);
            return 0;
        }
        catch (final VerbsException e)
        {
            System.err.println("waiting: " + e.getMessage() + "; see tests/run waiting --help");
            return USAGE;
        }
    }

    private void run() throws IOException
    {
        System.out.println("| client | server | PUTs in a row: median | p99 | PUTs at 1 per ms: median | p99 " +
            "| CPU then: client | server | CPU idle: client | server |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|");
        final StringBuilder gets = new StringBuilder("\n| client | GETs in a row: median | p99 " +
            "| GETs at 1 per ms: median | p99 | CPU then: client | server |\n|---|---|---|---|---|---|---|\n");
        for (final Mode serverMode : MODES)
        {
            try (ServerProcess server =
                ServerProcess.start("--device", device, "--memory", "64m", "--spin", serverMode.spin()))
            {
                for (final Mode clientMode : clientModes(serverMode))
                {
                    try (StoreClient client = StoreClient.builder()
                        .server(server.address()).device(device).waiting(clientMode.waiting()).build();
                        StoreSession session = client.openSession())
                    {
                        puts(server, session, serverMode, clientMode);
                        if (serverMode == MODES.get(0))
                        {
                            gets.append(gets(server, session, clientMode));
                        }
                    }
                }
            }
        }
        System.out.print(gets);
    }

    private List<Mode> clientModes(final Mode serverMode)
    {
        if (!isShort)
        {
            return MODES;
        }
        return serverMode == SERVER_DEFAULT ? List.of(CLIENT_DEFAULT, serverMode) : List.of(serverMode);
    }

    private void puts(
        final ServerProcess server, final StoreSession session, final Mode serverMode, final Mode clientMode)
        throws IOException
    {
        final Runnable put = () -> session.put(key, 0, KEY_LENGTH, value, 0, VALUE_LENGTH);
        measure(put, WARM_UP_NS, 0);
        measure(put, MEASURED_NS, 0);
        final String busy = latencies();
        final long[] before = processorNs(server);
        measure(put, MEASURED_NS, PACE_NS);
        final String paced = latencies();
        final String pacedCpu = usage(before, processorNs(server), MEASURED_NS);
        final long[] beforeIdle = processorNs(server);
        sleepUntil(System.nanoTime() + IDLE_NS);
        System.out.printf("| %s | %s | %s | %s | %s | %s |%n", clientMode.name(), serverMode.name(), busy, paced,
            pacedCpu, usage(beforeIdle, processorNs(server), IDLE_NS));
    }

    private String gets(final ServerProcess server, final StoreSession session, final Mode clientMode)
        throws IOException
    {
        final Runnable get = () -> session.get(key, 0, KEY_LENGTH, value, 0);
        measure(get, WARM_UP_NS, 0);
        measure(get, MEASURED_NS, 0);
        final String busy = latencies();
        final long[] before = processorNs(server);
        measure(get, MEASURED_NS, PACE_NS);
        final String paced = latencies();
        return String.format("| %s | %s | %s | %s |%n", clientMode.name(), busy, paced,
            usage(before, processorNs(server), MEASURED_NS));
    }

    private void measure(final Runnable operation, final long durationNs, final long paceNs)
    {
        count = 0;
        final long endNs = System.nanoTime() + durationNs;
        long nextNs = System.nanoTime();
        while (nextNs - endNs < 0)
        {
            if (paceNs > 0)
            {
                sleepUntil(nextNs);
            }
            final long beginNs = System.nanoTime();
            operation.run();
            final long doneNs = System.nanoTime();
            if (count < MAX_SAMPLES)
            {
                samples[count++] = doneNs - beginNs;
            }
            nextNs = paceNs > 0 ? nextNs + paceNs : doneNs;
        }
    }

    private static void sleepUntil(final long atNs)
    {
        long leftNs = atNs - System.nanoTime();
        while (leftNs > 0)
        {
            LockSupport.parkNanos(leftNs);
            leftNs = atNs - System.nanoTime();
        }
    }

    private String latencies()
    {
        Arrays.sort(samples, 0, count);
        return micros(samples[count / 2]) + " | " + micros(samples[(int)(count * 0.99)]);
    }

    private static String micros(final long ns)
    {
        return String.format(Locale.ROOT, "%.1f µs", ns / 1000.0);
    }

    private long[] processorNs(final ServerProcess server) throws IOException
    {
        return new long[]{processorNs(ProcessHandle.current().pid()), processorNs(server.pid())};
    }

    /** User and system time of all threads that are or were (proc(5)). */
    private static long processorNs(final long pid) throws IOException
    {
        final String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        // The name is in brackets and may hold anything; utime and stime are fields 14 and 15.
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * NS_PER_TICK;
    }

    private static String usage(final long[] before, final long[] after, final long durationNs)
    {
        return percent(after[0] - before[0], durationNs) + " | " + percent(after[1] - before[1], durationNs);
    }

    private static String percent(final long ns, final long durationNs)
    {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * ns / durationNs);
    }
}
