package org.onesided.benchmark;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.onesided.testing.ServerProcess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Replaces the records of a nearly full server at random, and prints what that does to it: refusals, overflow buckets
 * and READs per GET.
 */
@Command(
    name = "tests/run churn",
    description = "Replaces the records of a nearly full server at random, for each length of values by itself and " +
        "for all mixed, and prints refusals, overflow buckets and READs per GET. Fails if a put is refused.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false)
final class ChurnBenchmark implements Callable<Integer>
{
    private static final String MIXED = "mixed";
    private static final int SHORTEST = 8;
    private static final int LONGEST = 4096;

    @Option(names = "--device", paramLabel = "NAME", description = "Of server and client.")
    private String device = "shm";

    @Option(names = "--memory", paramLabel = "MIB", description = "Of each server.")
    private int memory = 64;

    @Option(names = "--shards", paramLabel = "N", description = "Of each server. Of several the fullest is fuller.")
    private int shards = 1;

    @Option(names = "--percent", paramLabel = "N", description = "Of the heap at its full size that is kept in use.")
    private int percent = 97;

    @Option(names = "--turnovers", paramLabel = "N", description = "How often the heap's bytes are written anew.")
    private int turnovers = 20;

    @Option(
        names = "--values",
        paramLabel = "BYTES",
        split = ",",
        description = "Lengths of values, one server each; mixed is 8 to 4096.")
    private List<String> values = List.of(MIXED, "8", "16", "24", "32", "64", "100", "256", "1000", "4096");

    private ChurnBenchmark()
    {
    }

    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new ChurnBenchmark()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException
    {
        System.out.printf("%-7s %9s %6s %10s %8s %8s %9s %9s %9s %7s%n", "values", "records", "in use", "puts",
            "ns each", "refused", "overflow", "READs/hit", "READs/miss", "moved");
        long refused = 0;
        for (final String value : values)
        {
            refused += churn(value);
        }
        return refused == 0 ? 0 : 1;
    }

    private long churn(final String value) throws IOException
    {
        final boolean isMixed = MIXED.equals(value);
        final int shortest = isMixed ? SHORTEST : Integer.parseInt(value);
        final int longest = isMixed ? LONGEST : shortest;
        try (ServerProcess server = ServerProcess.start("--device", device, "--memory", memory + "MiB",
            "--shards", Integer.toString(shards));
            ChurningClient client = new ChurningClient(server.address(), device, shortest, longest))
        {
            client.fill();
            client.keep(percent);
            final long beginNs = System.nanoTime();
            client.replace(turnovers);
            final double eachNs = (double)(System.nanoTime() - beginNs) / Math.max(1, client.puts());
            final ChurningClient.Reads reads = client.reads();
            System.out.printf(Locale.ROOT, "%-7s %,9d %6.3f %,10d %8.0f %8d %8.2f%% %9.4f %9.4f %7.3f%n",
                value, client.records(), client.inUse(), client.puts(), eachNs, client.refused(),
                client.overflowPercent(), reads.perHit(), reads.perMiss(),
                (double)client.moved() / Math.max(1, client.puts()));
            return client.refused();
        }
    }
}
