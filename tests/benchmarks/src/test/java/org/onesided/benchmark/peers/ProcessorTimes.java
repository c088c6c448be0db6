package org.onesided.benchmark.peers;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Processor time that operations take, of the members and of the client: whether the client keeps a system waiting.
 */
final class ProcessorTimes
{
    private static final double NS_PER_US = 1000;

    private final Map<String, List<double[]>> times = new LinkedHashMap<>();

    /** Nanoseconds so far, of a process with all its threads. */
    static long ofNs(final long pid) throws IOException
    {
        return ProcessHandle.of(pid).flatMap((process) -> process.info().totalCpuDuration()).map(Duration::toNanos)
            .orElseThrow(() -> new IOException("a process has ended, or tells no processor time: pid=" + pid));
    }

    /** Nanoseconds so far, of several processes. */
    static long ofNs(final List<Long> pids) throws IOException
    {
        long sum = 0;
        for (final long pid : pids)
        {
            sum += ofNs(pid);
        }
        return sum;
    }

    /**
     * @param name       of a turn.
     * @param membersNs  that the members took for all of it.
     * @param clientNs   that the client took.
     * @param operations of the turn.
     */
    void add(final String name, final long membersNs, final long clientNs, final long operations)
    {
        times.computeIfAbsent(name, (n) -> new ArrayList<>()).add(
            new double[]{(double)membersNs / operations, (double)clientNs / operations});
    }

    void print(final PrintStream out)
    {
        out.println("| processor time of an operation | members, µs | client, µs |");
        out.println("|---|---|---|");
        times.forEach((name, all) -> out.printf(Locale.ROOT, "| %s | %,.1f | %,.1f |%n", name, median(all, 0),
            median(all, 1)));
    }

    private static double median(final List<double[]> all, final int index)
    {
        return Spread.of(all.stream().map((pair) -> pair[index]).toList()).median() / NS_PER_US;
    }
}
