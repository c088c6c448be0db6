package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.onesided.benchmark.peers.GrowthLoad.Reads;
import org.onesided.peers.Records;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.server.table.ShardTable;
import org.onesided.testing.ServerProcess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Lets a client import records until a server has grown to its full size, while others look up and put. Rounds with a
 * table that grows take turns with rounds whose table is there from the start.
 */
@Command(
    name = "tests/run growth",
    description = "Imports records by one client until a server is 90 %% full, while another client looks up 100000 " +
        "keys that its mirror knows at full speed and a third one puts once a millisecond. Each round does that with " +
        "a server that grows and with one that has its memory from the start.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false)
final class GrowingTable implements Callable<Integer>
{
    private static final long MIB = 1 << 20;
    private static final double FILL = 0.9;
    /** Of a record: three in each bucket, and as much again at most in buckets that were split. */
    private static final double INDEX_BYTES = 2 * BucketDescriptor.LENGTH / 3.0;
    private static final long INITIAL_MIB = 64;
    private static final int QUICK_MEMORY = 1024;
    private static final int QUICK_VALUE = 400;
    /** Parts of the records after which the misses are counted. */
    private static final List<Double> LOOKS = List.of(0.3, 0.6, 0.85);
    private static final double NS_PER_US = 1e3;
    private static final double ALMOST_ALL = 99.99;

    @Option(names = "--device", paramLabel = "NAME", description = "Of server and clients.")
    private String device = "shm";

    @Option(names = "--memory", paramLabel = "MIB", description = "Of the server, at its full size.")
    private long memory = 8192;

    @Option(names = "--value", paramLabel = "BYTES", description = "Length of the values.")
    private int value = 1000;

    @Option(names = "--shards", paramLabel = "N", description = "Of the server.")
    private int shards = 1;

    @Option(names = "--rounds", paramLabel = "N", description = "Each with both servers.")
    private int rounds = 1;

    @Option(names = "--quick", description = "1 GiB of values of 400 bytes.")
    private boolean quick;

    @Option(names = "--alone", description = "Only imports: no lookups, no puts.")
    private boolean alone;

    @Option(names = "--root", paramLabel = "DIR", hidden = true, required = true)
    private Path root;

    private GrowingTable()
    {
    }

    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new GrowingTable()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        memory = quick ? QUICK_MEMORY : memory;
        value = quick ? QUICK_VALUE : value;
        final long padded = SlotWord.granules(ShardTable.recordLength(Records.KEY_LENGTH, value)) * SlotWord.GRANULE;
        final long count = (long)(memory * MIB * FILL / (padded + INDEX_BYTES)) - GrowthLoad.MOST_OWN_RECORDS;
        if (count < GrowthLoad.MOST_OWN_RECORDS)
        {
            System.err.println("too little memory for so long values: memory=" + memory + "MiB value=" + value);
            return 2;
        }
        System.out.printf(Locale.ROOT, "%,d records of %d + %d bytes into %d MiB over %s%n", count,
            Records.KEY_LENGTH, value, memory, device);
        final List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++)
        {
            // In turns, so that neither is always the first.
            final boolean growsFirst = round % 2 == 0;
            final double first = importInto(growsFirst, count);
            final double second = importInto(!growsFirst, count);
            ratios.add(growsFirst ? first / second : second / first);
            System.out.printf(Locale.ROOT, "import rate of round %d, growing / from the start: %.3f%n", round + 1,
                ratios.get(round));
        }
        ratios.sort(null);
        System.out.printf(Locale.ROOT, "median: %.3f%n", ratios.get(ratios.size() / 2));
        return 0;
    }

    /** Returns records per second. */
    private double importInto(final boolean grows, final long count) throws IOException, InterruptedException
    {
        final long initial = grows ? Math.min(INITIAL_MIB, memory) : memory;
        try (Lab lab = new Lab(root.resolve("tests/peers/target"), List.of()))
        {
            final ServerProcess server = lab.server(List.of("--device", device, "--memory", memory + "MiB",
                "--memory-initial", initial + "MiB", "--shards", Integer.toString(shards)));
            final WorkerProcess importer = lab.own(
                StoreSubject.class, "server=" + server.address(), "device=" + device, "mirror=" + MIB);
            try (GrowthLoad load = new GrowthLoad(server.address(), device, value, memory * MIB / 4))
            {
                final String name = grows ? "growing" : "from the start";
                if (!alone)
                {
                    load.start();
                }
                final double rate = count / awaitImport(importer, load, count, name);
                System.out.printf(Locale.ROOT, "%s: %,.0f records a second, %d segments%n", name, rate,
                    load.segments());
                if (!alone)
                {
                    load.stop();
                    report(name + ", lookups", load.lookups());
                    System.out.printf(Locale.ROOT, "    READs per lookup: %.4f, in the second with most %.4f%n",
                        load.readsPerLookup(), load.mostReadsPerLookup());
                    report(name + ", puts", load.puts());
                }
                return rate;
            }
        }
    }

    private double awaitImport(
        final WorkerProcess importer, final GrowthLoad load, final long count, final String name)
        throws IOException, InterruptedException
    {
        final String command = Systems.load(count, value);
        importer.begin(command);
        for (final double part : alone ? List.<Double>of() : LOOKS)
        {
            while (load.records() < part * count)
            {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            countMisses(load, name);
        }
        final double seconds = Double.parseDouble(importer.answer(command).text("seconds"));
        countMisses(load, name);
        return seconds;
    }

    private static void countMisses(final GrowthLoad load, final String name)
    {
        final Reads reads = load.misses();
        System.out.printf(Locale.ROOT, "%s: %,d records, %.4f READs per miss with a fresh mirror%n", name,
            reads.records(), reads.perGet());
    }

    private static void report(final String what, final Histogram latencies)
    {
        System.out.printf(Locale.ROOT, "%s: %,d, median %.1f us, p99 %.1f us, p99.99 %.0f us, longest %.0f us%n", what,
            latencies.getTotalCount(), latencies.getValueAtPercentile(50) / NS_PER_US,
            latencies.getValueAtPercentile(99) / NS_PER_US, latencies.getValueAtPercentile(ALMOST_ALL) / NS_PER_US,
            latencies.getMaxValue() / NS_PER_US);
    }
}
