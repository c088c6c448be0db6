package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Replays traces through a server that evicts and a client, through Redis and memcached with as much memory, and by the
 * policy W-TinyLFU: each key is looked up, and put where it was absent.
 */
@Command(
    name = "tests/run hit-ratio",
    description = "Replays traces through a server that evicts, beside Redis, memcached and W-TinyLFU with as much " +
        "memory, and prints the share of lookups that found their key.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false)
final class HitRatioBenchmark implements Callable<Integer>
{
    /** Bytes of a key, and about what a record takes beside key and value. */
    private static final int RECORD_OVERHEAD = 16 + 50;
    private static final long LEAST_MEMORY = 4 << 20;
    private static final String KEY = "key-%012d";

    @Option(names = "--traces", paramLabel = "NAME", split = ",",
        description = "zipf-EXPONENT (with scans), mixed (values of 64 bytes to 64 KiB), or a file with a key a line.")
    private List<String> traces = List.of("zipf-0.9", "zipf-0.99", "zipf-1.1", "mixed");

    @Option(names = "--percent", paramLabel = "N", split = ",",
        description = "Memory, in percent of all that the trace's records would take.")
    private List<Integer> percents = List.of(1, 5, 20);

    @Option(names = "--lookups", paramLabel = "N", description = "Of each trace at most.")
    private int lookups = 300_000;

    @Option(names = "--value", paramLabel = "BYTES", description = "Length of values, but for mixed.")
    private int valueLength = 4000;

    @Option(names = "--runs", paramLabel = "N", description = "Of which the median is printed.")
    private int runs = 1;

    @Option(names = "--systems", paramLabel = "NAME", split = ",", description = "What to compare.")
    private List<String> systems = List.of("onesided", "allkeys-lru", "allkeys-lfu", "memcached", "w-tinylfu");

    @Option(names = "--device", paramLabel = "NAME", description = "Of server and client.")
    private String device = "shm";

    private HitRatioBenchmark()
    {
    }

    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new HitRatioBenchmark()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException
    {
        System.out.println("* it took more memory than it was told");
        System.out.printf("%-24s %8s %8s", "trace", "percent", "MiB");
        systems.forEach((system) -> System.out.printf(" %12s", system));
        System.out.println();
        for (final String name : traces)
        {
            final ReplayedTrace trace = ReplayedTrace.of(name, lookups, valueLength);
            for (final int percent : percents)
            {
                final long memory = Math.max(LEAST_MEMORY, trace.bytes(RECORD_OVERHEAD) * percent / 100 >> 20 << 20);
                System.out.printf("%-24s %8d %8d", name.substring(name.lastIndexOf('/') + 1), percent, memory >> 20);
                for (final String system : systems)
                {
                    System.out.printf(Locale.ROOT, " %12s", median(system, memory, trace));
                    System.out.flush();
                }
                System.out.println();
            }
        }
        return 0;
    }

    private String median(final String system, final long memory, final ReplayedTrace trace) throws IOException
    {
        final List<Double> ratios = new ArrayList<>();
        boolean isMore = false;
        for (int i = 0; i < runs; i++)
        {
            final ReplayedCache cache = open(system, memory, trace.longest());
            if (cache == null)
            {
                return "-";
            }
            try (cache)
            {
                ratios.add(replay(cache, trace));
                isMore |= cache.memory() > memory + memory / 8;
            }
        }
        ratios.sort(null);
        return String.format(Locale.ROOT, "%.1f %%%s", 100 * ratios.get(runs / 2), isMore ? "*" : " ");
    }

    /** Null if it is not installed. */
    private ReplayedCache open(final String system, final long memory, final int longest) throws IOException
    {
        if (system.equals("onesided"))
        {
            return new ReplayedStore(device, memory, longest);
        }
        if (system.equals("w-tinylfu"))
        {
            return new ReplayedCaffeine(memory, RECORD_OVERHEAD);
        }
        final String program =
            PeerServer.find(system.equals("memcached") ? "memcached" : "redis-server").orElse(null);
        if (program == null)
        {
            return null;
        }
        return system.equals("memcached") ? ReplayedPeer.memcached(program, memory, longest) :
            ReplayedPeer.redis(program, memory, system, longest);
    }

    private static double replay(final ReplayedCache cache, final ReplayedTrace trace) throws IOException
    {
        final String[] names = new String[trace.lengths().length];
        Arrays.setAll(names, (i) -> String.format(Locale.ROOT, KEY, i));
        long hits = 0;
        for (final int key : trace.keys())
        {
            if (cache.get(names[key]))
            {
                hits++;
            }
            else
            {
                cache.put(names[key], trace.lengths()[key]);
            }
        }
        return (double)hits / trace.keys().length;
    }
}
